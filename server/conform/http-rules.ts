/** Rules of HTTP: HEAD, OPTIONS, conditional requests and request ids. */
import { Skipped, UNKNOWN_ID, assertThat, requireRecords } from './assertions.ts';
import { opaque } from './client.ts';
import type { Rule } from './rule.ts';
import type { Exchange, Request } from './session.ts';
import type { Target } from './target.ts';

const REQUEST_ID = 'X-Request-Id';

export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'http.options',
    title: 'OPTIONS: 204 with Allow, without a key',
    check: async (target) => {
      const exchange = await target.request({ method: 'OPTIONS', path: target.path(), authorization: null }, 204);
      const allow = target.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      const actual = exchange.headers.get('allow');
      assertThat(exchange, actual === allow, `Allow: ${String(allow)}`, actual ?? 'none');
    },
  },
  {
    id: 'http.not_modified',
    title: 'If-None-Match: 304 for the ETag of the response, weak or not, with the same ETag',
    check: async (target) => {
      const { path, tag } = await tagged(target);
      for (const value of [tag, `W/${opaque(tag)}`]) {
        const again = await target.request({ path, ...ifNoneMatch(value) }, 304);
        const actual = again.headers.get('etag');
        // header.etag checks that the header is present.
        assertThat(again, opaque(actual ?? tag) === opaque(tag), `ETag: ${tag}`, actual);
      }
    },
  },
  {
    id: 'http.multiple_etags',
    title: 'If-None-Match with several tags: 304 if one of them is that of the response',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      for (const value of [`"other", ${tag}`, `${tag}, "other"`]) {
        await target.request({ path, ...ifNoneMatch(value) }, 304);
      }
    },
  },
  {
    id: 'http.modified',
    title: 'If-None-Match with other tags only: the full response',
    check: async (target) => {
      const { path, tag } = await tagged(target);
      for (const value of ['"other"', `"x${opaque(tag).slice(1)}`]) {
        await target.request({ path, ...ifNoneMatch(value) });
      }
    },
  },
  {
    id: 'http.not_modified_body',
    title: 'a 304 has no body',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const again = await target.send({ path, ...ifNoneMatch(tag), isRaw: true });
      if (again.status !== 304) throw new Skipped(`${again.request} did not respond 304: it breaks http.not_modified`);
      assertThat(again, again.text === '', 'nothing after the head', again.text);
    },
  },
  {
    id: 'http.etag',
    title: 'equal responses have the same ETag, different responses different ones',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const [first, second] = await differentPaths(target);
      const [one, same, other] = [
        await target.request({ path: first }),
        await target.request({ path: first }),
        await target.request({ path: second }),
      ];
      assertThat(same, opaque(tagOf(one)) === opaque(tagOf(same)), `ETag: ${tagOf(one)}`, `ETag: ${tagOf(same)}`);
      const differs = opaque(tagOf(one)) !== opaque(tagOf(other));
      assertThat(other, differs, `another ETag than ${one.request} has`, `ETag: ${tagOf(other)}`);
    },
  },
  {
    id: 'http.head',
    title: 'HEAD has the status and the headers of GET',
    check: async (target) => {
      const path = await target.existingPath();
      const get = await target.request({ path });
      const head = await target.request({ method: 'HEAD', path });
      for (const [name, value, expected] of headersOf(get, head)) {
        assertThat(head, value === expected, `${name}: ${expected ?? 'none'}`, `${name}: ${value ?? 'none'}`);
      }
      const declared = Object.entries(target.operation.responses.get(200)?.headers ?? {});
      for (const [name] of declared.filter(([, it]) => it.required === true)) {
        const isPresent = head.headers.has(name.toLowerCase()) || !get.headers.has(name.toLowerCase());
        assertThat(head, isPresent, `${name}, as GET has it`, `no ${name}`);
      }
    },
  },
  {
    id: 'http.head_body',
    title: 'HEAD has no body',
    dependsOn: ['http.head'],
    check: async (target) => {
      const path = await target.existingPath();
      const head = await target.request({ method: 'HEAD', path, isRaw: true });
      assertThat(head, head.text === '', 'nothing after the head', head.text);
    },
  },
  {
    id: 'http.head_errors',
    title: 'HEAD fails as GET does: without a key, with a wrong parameter, where there is nothing',
    dependsOn: ['http.head'],
    check: async (target) => {
      const path = target.path();
      const missing = target.list === undefined ? target.pathWith({ after: UNKNOWN_ID }) : path;
      const requests: readonly Request[] = [
        { path, authorization: null },
        { path: `${path}?nonsense=1` },
        { path: `/nonsense${path}` },
        { path: missing },
      ];
      for (const request of requests) {
        const { status } = await target.send(request);
        await target.request({ ...request, method: 'HEAD' }, status);
      }
    },
  },
  {
    id: 'http.request_id',
    title: 'X-Request-Id: one that matches its schema is returned unchanged, any other is replaced',
    check: async (target) => {
      const path = target.path();
      const { maxLength = 0 } = target.operation.responses.get(200)?.headers?.[REQUEST_ID]?.schema ?? {};
      for (const id of ['conform-1', 'a~b+c/d=e:f@g._-Z9']) {
        const actual = idOf(await target.send({ path, headers: { 'x-request-id': id } }));
        assertThat(actual.exchange, actual.id === id, `X-Request-Id: ${id}`, `X-Request-Id: ${actual.id}`);
      }
      for (const id of ['two words', 'x'.repeat(maxLength + 1)]) {
        const actual = idOf(await target.send({ path, headers: { 'x-request-id': id } }));
        assertThat(actual.exchange, actual.id !== id, 'another X-Request-Id', `X-Request-Id: ${actual.id}`);
      }
    },
  },
  {
    id: 'http.unique_request_id',
    title: 'X-Request-Id: every request without one gets its own',
    check: async (target) => {
      const path = target.path();
      const [first, second] = [idOf(await target.send({ path })), idOf(await target.send({ path }))];
      assertThat(second.exchange, first.id !== second.id, 'another X-Request-Id', `${second.id} again`);
    },
  },
];

/** @returns name, value and expected value of the headers that HEAD and GET must share. A server may omit the length. */
function headersOf(get: Exchange, head: Exchange): (readonly [string, string | undefined, string | undefined])[] {
  const [type, tag, length] = ['content-type', 'etag', 'content-length'];
  // The length is not compared if a proxy has compressed the response.
  const isCompressed = get.headers.has('content-encoding');
  const bytes = isCompressed ? head.headers.get('content-length') : String(Buffer.byteLength(get.text));
  return [
    [type, head.headers.get(type), get.headers.get(type)],
    [tag, opaque(head.headers.get(tag)), opaque(get.headers.get(tag))],
    [length, head.headers.get(length) ?? bytes, bytes],
  ];
}

/** @throws Skipped if a response has no tag: header.etag reports that. */
function tagOf({ request, headers }: Exchange): string {
  const tag = headers.get('etag');
  if (tag === undefined) throw new Skipped(`${request} has no ETag: it breaks header.etag`);
  return tag;
}

async function tagged(target: Target): Promise<{ readonly path: string; readonly tag: string }> {
  const path = await target.existingPath();
  return { path, tag: tagOf(await target.request({ path })) };
}

const ifNoneMatch = (value: string): { readonly headers: Record<string, string> } => ({
  headers: { 'if-none-match': value },
});

/** @returns two paths whose responses differ. @throws Skipped if the account has fewer than two items. */
async function differentPaths(target: Target): Promise<readonly [string, string]> {
  const { list = target } = target;
  const items = await list.items(0);
  requireRecords(items.length < 2 ? [`2 ${target.noun} (it has ${String(items.length)})`] : []);
  if (target.list === undefined) return [target.pathWith({ limit: 1 }), target.pathWith({ limit: 2 })];
  return [target.path(items[0]?.id), target.path(items[1]?.id)];
}

/** @throws Skipped if a response has no id: header.x_request_id reports that. */
function idOf(exchange: Exchange): { readonly exchange: Exchange; readonly id: string } {
  const id = exchange.headers.get('x-request-id');
  if (id === undefined) throw new Skipped(`${exchange.request} has no X-Request-Id: it breaks header.x_request_id`);
  return { exchange, id };
}
