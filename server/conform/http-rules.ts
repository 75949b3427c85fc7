/** Rules of HTTP: HEAD, OPTIONS, conditional requests and request ids. */
import { Skipped, UNKNOWN_ID, assertThat, demandRecords } from './assertions.ts';
import { opaque } from './client.ts';
import type { Rule } from './rule.ts';
import type { Exchange, Request } from './session.ts';
import type { Subject } from './target.ts';

const REQUEST_ID = 'X-Request-Id';

export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'method.options',
    title: 'OPTIONS: 204 with Allow, without a key',
    check: async (subject) => {
      const exchange = await subject.request({ method: 'OPTIONS', target: subject.path(), authorization: null }, 204);
      const allow = subject.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      const actual = exchange.headers.get('allow');
      assertThat(exchange, actual === allow, `Allow: ${String(allow)}`, actual ?? 'none');
    },
  },
  {
    id: 'conditional',
    title: 'If-None-Match: 304 for the ETag of the answer, weak or not, with the same ETag',
    check: async (subject) => {
      const { target, tag } = await tagged(subject);
      for (const value of [tag, `W/${opaque(tag)}`]) {
        const again = await subject.request({ target, ...ifNoneMatch(value) }, 304);
        const actual = again.headers.get('etag');
        // Whether it is there at all is the rule of the header.
        assertThat(again, opaque(actual ?? tag) === opaque(tag), `ETag: ${tag}`, actual);
      }
    },
  },
  {
    id: 'conditional.list',
    title: 'If-None-Match with several tags: 304 if one of them is that of the answer',
    buildsOn: ['conditional'],
    check: async (subject) => {
      const { target, tag } = await tagged(subject);
      for (const value of [`"other", ${tag}`, `${tag}, "other"`]) {
        await subject.request({ target, ...ifNoneMatch(value) }, 304);
      }
    },
  },
  {
    id: 'conditional.other',
    title: 'If-None-Match with other tags alone: the whole answer',
    check: async (subject) => {
      const { target, tag } = await tagged(subject);
      for (const value of ['"other"', `"x${opaque(tag).slice(1)}`]) {
        await subject.request({ target, ...ifNoneMatch(value) });
      }
    },
  },
  {
    id: 'conditional.body',
    title: 'a 304 has no body',
    buildsOn: ['conditional'],
    check: async (subject) => {
      const { target, tag } = await tagged(subject);
      const again = await subject.send({ target, ...ifNoneMatch(tag), isRaw: true });
      if (again.status !== 304) throw new Skipped(`${again.request} is no 304: it breaks conditional`);
      assertThat(again, again.text === '', 'nothing after the head', again.text);
    },
  },
  {
    id: 'conditional.tag',
    title: 'equal answers have the same ETag, different answers different ones',
    buildsOn: ['conditional'],
    check: async (subject) => {
      const [first, second] = await differentTargets(subject);
      const [one, same, other] = [
        await subject.request({ target: first }),
        await subject.request({ target: first }),
        await subject.request({ target: second }),
      ];
      assertThat(same, opaque(tagOf(one)) === opaque(tagOf(same)), `ETag: ${tagOf(one)}`, `ETag: ${tagOf(same)}`);
      const differs = opaque(tagOf(one)) !== opaque(tagOf(other));
      assertThat(other, differs, `another ETag than ${one.request} has`, `ETag: ${tagOf(other)}`);
    },
  },
  {
    id: 'method.head',
    title: 'HEAD has the status and the headers of GET',
    check: async (subject) => {
      const target = await subject.existingTarget();
      const get = await subject.request({ target });
      const head = await subject.request({ method: 'HEAD', target });
      for (const [name, value, expected] of headersOf(get, head)) {
        assertThat(head, value === expected, `${name}: ${expected ?? 'none'}`, `${name}: ${value ?? 'none'}`);
      }
      const declared = Object.entries(subject.operation.responses.get(200)?.headers ?? {});
      for (const [name] of declared.filter(([, it]) => it.required === true)) {
        const isThere = head.headers.has(name.toLowerCase()) || !get.headers.has(name.toLowerCase());
        assertThat(head, isThere, `${name}, as GET has it`, `no ${name}`);
      }
    },
  },
  {
    id: 'method.head-body',
    title: 'HEAD has no body',
    buildsOn: ['method.head'],
    check: async (subject) => {
      const target = await subject.existingTarget();
      const head = await subject.request({ method: 'HEAD', target, isRaw: true });
      assertThat(head, head.text === '', 'nothing after the head', head.text);
    },
  },
  {
    id: 'method.head-errors',
    title: 'HEAD is refused as GET is: without a key, with a wrong parameter, where there is nothing',
    buildsOn: ['method.head'],
    check: async (subject) => {
      const path = subject.path();
      const missing = subject.list === undefined ? subject.target({ after: UNKNOWN_ID }) : path;
      const requests: readonly Request[] = [
        { target: path, authorization: null },
        { target: `${path}?nonsense=1` },
        { target: `/nonsense${path}` },
        { target: missing },
      ];
      for (const request of requests) {
        const { status } = await subject.send(request);
        await subject.request({ ...request, method: 'HEAD' }, status);
      }
    },
  },
  {
    id: 'request-id',
    title: 'X-Request-Id: one that fits the contract is kept, any other is replaced',
    check: async (subject) => {
      const target = subject.path();
      const { maxLength = 0 } = subject.operation.responses.get(200)?.headers?.[REQUEST_ID]?.schema ?? {};
      for (const id of ['conform-1', 'a~b+c/d=e:f@g._-Z9']) {
        const actual = idOf(await subject.send({ target, headers: { 'x-request-id': id } }));
        assertThat(actual.exchange, actual.id === id, `X-Request-Id: ${id}`, `X-Request-Id: ${actual.id}`);
      }
      for (const id of ['two words', 'x'.repeat(maxLength + 1)]) {
        const actual = idOf(await subject.send({ target, headers: { 'x-request-id': id } }));
        assertThat(actual.exchange, actual.id !== id, 'another X-Request-Id', `X-Request-Id: ${actual.id}`);
      }
    },
  },
  {
    id: 'request-id.unique',
    title: 'X-Request-Id: requests without one get one each',
    check: async (subject) => {
      const target = subject.path();
      const [first, second] = [idOf(await subject.send({ target })), idOf(await subject.send({ target }))];
      assertThat(second.exchange, first.id !== second.id, 'another X-Request-Id', `${second.id} again`);
    },
  },
];

/** What HEAD must have as GET has it; a server may leave the length out. */
function headersOf(get: Exchange, head: Exchange): (readonly [string, string | undefined, string | undefined])[] {
  const [type, tag, length] = ['content-type', 'etag', 'content-length'];
  // Of an answer that was compressed on its way the length is not known.
  const isCompressed = get.headers.has('content-encoding');
  const bytes = isCompressed ? head.headers.get('content-length') : String(Buffer.byteLength(get.text));
  return [
    [type, head.headers.get(type), get.headers.get(type)],
    [tag, opaque(head.headers.get(tag)), opaque(get.headers.get(tag))],
    [length, head.headers.get(length) ?? bytes, bytes],
  ];
}

/** @throws Skipped if an answer has no tag: the rule of the header says so. */
function tagOf({ request, headers }: Exchange): string {
  const tag = headers.get('etag');
  if (tag === undefined) throw new Skipped(`${request} has no ETag: it breaks header.etag`);
  return tag;
}

async function tagged(subject: Subject): Promise<{ readonly target: string; readonly tag: string }> {
  const target = await subject.existingTarget();
  return { target, tag: tagOf(await subject.request({ target })) };
}

const ifNoneMatch = (value: string): { readonly headers: Record<string, string> } => ({
  headers: { 'if-none-match': value },
});

/** Two targets whose answers differ. @throws Skipped if the account has fewer than two items. */
async function differentTargets(subject: Subject): Promise<readonly [string, string]> {
  const { list = subject } = subject;
  const items = await list.items(0);
  demandRecords(items.length < 2 ? [`2 ${subject.noun} (it has ${String(items.length)})`] : []);
  if (subject.list === undefined) return [subject.target({ limit: 1 }), subject.target({ limit: 2 })];
  return [subject.path(items[0]?.id), subject.path(items[1]?.id)];
}

/** @throws Skipped if an answer has no id: the rule of the header says so. */
function idOf(exchange: Exchange): { readonly exchange: Exchange; readonly id: string } {
  const id = exchange.headers.get('x-request-id');
  if (id === undefined) throw new Skipped(`${exchange.request} has no X-Request-Id: it breaks header.x-request-id`);
  return { exchange, id };
}
