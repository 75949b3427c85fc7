/** Rules of every operation: keys, methods, paths, parameters, conditional requests, request ids. */
import { demand } from './deviation.ts';
import type { Rule } from './rules.ts';

const WRONG_KEY = 'rollcall_0000000000000000000000000000000000000000';
const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const COMMON_RULES: readonly Rule[] = [
  {
    id: 'key.missing',
    title: 'without a bearer key: 401 missing_api_key',
    check: async (subject) => {
      for (const authorization of [null, 'Bearer', 'Basic bearer', 'Basic dXNlcjpwYXNz']) {
        await subject.refused({ target: subject.path(), authorization }, 'missing_api_key');
      }
    },
  },
  {
    id: 'key.invalid',
    title: 'with a wrong key: 401 invalid_api_key',
    check: async (subject) => {
      await subject.refused({ target: subject.path(), authorization: `Bearer ${WRONG_KEY}` }, 'invalid_api_key');
    },
  },
  {
    id: 'key.first',
    title: 'the key is checked before the parameters, and the method before the key',
    check: async (subject) => {
      const target = `${subject.path()}?nonsense=1`;
      await subject.refused({ target, authorization: null }, 'missing_api_key');
      await subject.refused({ method: 'POST', target, authorization: null }, 'method_not_allowed');
    },
  },
  {
    id: 'method.other',
    title: 'other methods: 405 with Allow',
    check: async (subject) => {
      for (const method of OTHER_METHODS) {
        await subject.refused({ method, target: subject.path() }, 'method_not_allowed');
      }
    },
  },
  {
    id: 'method.options',
    title: 'OPTIONS: 204 with Allow, without a key',
    check: async (subject) => {
      const answer = await subject.askFreely({ method: 'OPTIONS', target: subject.path(), authorization: null });
      const allow = subject.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      demand(
        answer,
        answer.status === 204 && answer.headers.get('allow') === allow,
        `204 with Allow: ${String(allow)}`,
      );
    },
  },
  {
    id: 'method.head',
    title: 'HEAD: what GET answers, without the body',
    check: async (subject) => {
      const [get, head] = [
        await subject.ask({ target: subject.path() }),
        await subject.askFreely({ method: 'HEAD', target: subject.path() }),
      ];
      demand(head, head.status === get.status, `status ${String(get.status)}`);
      for (const name of ['content-type', 'etag']) {
        demand(
          head,
          head.headers.get(name) === get.headers.get(name),
          `${name}: ${get.headers.get(name) ?? 'none'}`,
          head.headers.get(name) ?? 'none',
        );
      }
      demand(head, head.text === '', 'no body');
    },
  },
  {
    id: 'path.exact',
    title: 'a trailing slash or another case: 404 not_found',
    check: async (subject) => {
      for (const target of [`${subject.path()}/`, subject.path().replace(/^\/./, (it) => it.toUpperCase())]) {
        await subject.refused({ target }, 'not_found');
      }
    },
  },
  {
    id: 'parameter.unknown',
    title: 'an unknown parameter is refused and named',
    check: async (subject) => {
      await subject.refused({ target: `${subject.path()}?nonsense=1` }, 'validation_error', 'nonsense');
    },
  },
  {
    id: 'parameter.repeated',
    title: 'a repeated parameter is refused and named',
    check: async (subject) => {
      for (const { in: place, name, schema } of subject.operation.parameters) {
        if (place !== 'query') continue;
        const value = String(schema.enum?.[0] ?? schema.default ?? schema.example);
        await subject.refused(
          { target: `${subject.path()}?${name}=${value}&${name}=${value}` },
          'validation_error',
          name,
        );
      }
    },
  },
  {
    id: 'request.body',
    title: 'Content-Type and Accept are ignored',
    check: async (subject) => {
      const plain = await subject.ask({ target: subject.path() });
      for (const headers of [{ 'content-type': 'application/json' }, { accept: 'text/html' }]) {
        const answer = await subject.ask({ target: subject.path(), headers });
        demand(answer, answer.status === plain.status, `status ${String(plain.status)}`);
      }
    },
  },
  {
    id: 'conditional',
    title: 'If-None-Match: 304 for the tag that came, the whole answer for another',
    check: async (subject) => {
      const target = await subject.existing();
      const first = await subject.ask({ target });
      const tag = first.headers.get('etag') ?? '';
      const again = await subject.ask({ target, headers: { 'if-none-match': tag } });
      demand(again, again.status === 304 && again.headers.get('etag') === tag, `304 with ETag ${tag}`);
      const other = await subject.ask({ target, headers: { 'if-none-match': '"other"' } });
      demand(other, other.status === 200, '200');
    },
  },
  {
    id: 'request-id',
    title: 'X-Request-Id: a sane one is kept, another replaced',
    check: async (subject) => {
      const kept = await subject.ask({ target: subject.path(), headers: { 'x-request-id': 'conform-1' } });
      demand(
        kept,
        kept.headers.get('x-request-id') === 'conform-1',
        'X-Request-Id: conform-1',
        kept.headers.get('x-request-id') ?? 'none',
      );
      const replaced = await subject.ask({ target: subject.path(), headers: { 'x-request-id': 'two words' } });
      demand(replaced, replaced.headers.get('x-request-id') !== 'two words', 'another X-Request-Id', 'two words');
    },
  },
];
