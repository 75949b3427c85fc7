/** Rules of every operation: keys, methods, paths, parameters, conditional requests, request ids. */
import { assertThat } from './assertions.ts';
import type { Rule } from './rule.ts';

const WRONG_KEY = 'rollcall_0000000000000000000000000000000000000000';
const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

export const COMMON_RULES: readonly Rule[] = [
  {
    id: 'key.missing',
    title: 'without a bearer key: 401 missing_api_key',
    check: async (subject) => {
      for (const authorization of [null, 'Bearer', 'Basic bearer', 'Basic dXNlcjpwYXNz']) {
        await subject.assertProblem({ target: subject.path(), authorization }, 'missing_api_key');
      }
    },
  },
  {
    id: 'key.invalid',
    title: 'with a wrong key: 401 invalid_api_key',
    check: async (subject) => {
      await subject.assertProblem({ target: subject.path(), authorization: `Bearer ${WRONG_KEY}` }, 'invalid_api_key');
    },
  },
  {
    id: 'key.first',
    title: 'the key is checked before the parameters, and the method before the key',
    check: async (subject) => {
      const target = `${subject.path()}?nonsense=1`;
      await subject.assertProblem({ target, authorization: null }, 'missing_api_key');
      await subject.assertProblem({ method: 'POST', target, authorization: null }, 'method_not_allowed');
    },
  },
  {
    id: 'method.other',
    title: 'other methods: 405 with Allow',
    check: async (subject) => {
      for (const method of OTHER_METHODS) {
        await subject.assertProblem({ method, target: subject.path() }, 'method_not_allowed');
      }
    },
  },
  {
    id: 'method.options',
    title: 'OPTIONS: 204 with Allow, without a key',
    check: async (subject) => {
      const response = await subject.send({ method: 'OPTIONS', target: subject.path(), authorization: null });
      const allow = subject.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      assertThat(
        response,
        response.status === 204 && response.headers.get('allow') === allow,
        `204 with Allow: ${String(allow)}`,
      );
    },
  },
  {
    id: 'method.head',
    title: 'HEAD: what GET answers, without the body',
    check: async (subject) => {
      const [get, head] = [
        await subject.request({ target: subject.path() }),
        await subject.send({ method: 'HEAD', target: subject.path() }),
      ];
      assertThat(head, head.status === get.status, `status ${String(get.status)}`);
      for (const name of ['content-type', 'etag']) {
        assertThat(
          head,
          head.headers.get(name) === get.headers.get(name),
          `${name}: ${get.headers.get(name) ?? 'none'}`,
          head.headers.get(name) ?? 'none',
        );
      }
      assertThat(head, head.text === '', 'no body');
    },
  },
  {
    id: 'path.exact',
    title: 'a trailing slash or another case: 404 not_found',
    check: async (subject) => {
      for (const target of [`${subject.path()}/`, subject.path().replace(/^\/./, (it) => it.toUpperCase())]) {
        await subject.assertProblem({ target }, 'not_found');
      }
    },
  },
  {
    id: 'parameter.unknown',
    title: 'an unknown parameter is refused and named',
    check: async (subject) => {
      await subject.assertProblem({ target: `${subject.path()}?nonsense=1` }, 'validation_error', 'nonsense');
    },
  },
  {
    id: 'parameter.repeated',
    title: 'a repeated parameter is refused and named',
    check: async (subject) => {
      for (const { in: place, name, schema } of subject.operation.parameters) {
        if (place !== 'query') continue;
        const value = String(schema.enum?.[0] ?? schema.default ?? schema.example);
        await subject.assertProblem(
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
      const plain = await subject.request({ target: subject.path() });
      for (const headers of [{ 'content-type': 'application/json' }, { accept: 'text/html' }]) {
        const response = await subject.request({ target: subject.path(), headers });
        assertThat(response, response.status === plain.status, `status ${String(plain.status)}`);
      }
    },
  },
  {
    id: 'conditional',
    title: 'If-None-Match: 304 for the ETag of the answer, the whole answer for any other',
    check: async (subject) => {
      const target = await subject.existingTarget();
      const first = await subject.request({ target });
      const etag = first.headers.get('etag') ?? '';
      const again = await subject.request({ target, headers: { 'if-none-match': etag } });
      const isSame = opaque(again.headers.get('etag') ?? '') === opaque(etag);
      assertThat(again, again.status === 304 && isSame, `304 with ETag ${etag}`);
      const other = await subject.request({ target, headers: { 'if-none-match': '"other"' } });
      assertThat(other, other.status === 200, '200');
    },
  },
  {
    id: 'request-id',
    title: 'X-Request-Id: a valid one is kept, any other is replaced',
    check: async (subject) => {
      const kept = await subject.request({ target: subject.path(), headers: { 'x-request-id': 'conform-1' } });
      assertThat(
        kept,
        kept.headers.get('x-request-id') === 'conform-1',
        'X-Request-Id: conform-1',
        kept.headers.get('x-request-id') ?? 'none',
      );
      const replaced = await subject.request({ target: subject.path(), headers: { 'x-request-id': 'two words' } });
      assertThat(replaced, replaced.headers.get('x-request-id') !== 'two words', 'another X-Request-Id', 'two words');
    },
  },
];

/** Of a tag, what weak comparison compares (RFC 9110, 8.8.3.2): a proxy that compresses makes the tag of an answer weak. */
function opaque(etag: string): string {
  return etag.replace(/^W\//, '');
}
