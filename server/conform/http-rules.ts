/** Rules of HTTP: HEAD, OPTIONS, conditional requests and request ids. */
import { NotChecked, assertThat, forEach, requireRecords } from './findings.ts';
import { opaque } from './client.ts';
import type { Rule } from './rule.ts';
import type { Exchange, Request } from './session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID } from './values.ts';

const REQUEST_ID = 'X-Request-Id';

export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'http.options',
    title: 'OPTIONS: 204 with Allow, without a key; of an unknown path 404',
    check: async (target) => {
      const exchange = await target.request({ method: 'OPTIONS', path: target.path(), authorization: null }, 204);
      const allow = target.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      const actual = exchange.headers.get('allow');
      assertThat(exchange, actual === allow, `Allow: ${String(allow)}`, actual ?? 'none');
      const path = `/nonsense${target.path()}`;
      await target.request({ method: 'OPTIONS', path, authorization: null }, target.contract.problemStatus.not_found);
    },
  },
  {
    id: 'http.not_modified',
    title: 'If-None-Match: 304 for the ETag of the response, weak or not, with the same ETag',
    check: async (target) => {
      const { path, tag } = await tagged(target);
      await forEach([tag, `W/${opaque(tag)}`], async (value) => {
        const again = await target.request({ path, ...ifNoneMatch(value) }, 304);
        const actual = again.headers.get('etag');
        // header.etag checks that the header is present.
        assertThat(again, opaque(actual ?? tag) === opaque(tag), `ETag: ${tag}`, `ETag: ${String(actual)}`);
      });
    },
  },
  {
    id: 'http.multiple_etags',
    title: 'If-None-Match with several tags: 304 if one of them is that of the response',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      await forEach([`"other", ${tag}`, `${tag}, "other"`], (value) =>
        target.request({ path, ...ifNoneMatch(value) }, 304),
      );
    },
  },
  {
    id: 'http.modified',
    title: 'If-None-Match with other tags only, or with anything else: the full response',
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const bare = opaque(tag);
      const near = [`"x${bare.slice(1)}`, `${bare.slice(0, -2)}"`, bare.toUpperCase(), bare.toLowerCase()];
      const others = [...near.filter((it) => it !== bare), 'nonsense', '"', 'W/', ',,', '"a" "b"'];
      const values = ['"other"', ...others.slice(0, 1), ...target.shareOfAll(others.slice(1))];
      await forEach(values, (value) => target.request({ path, ...ifNoneMatch(value) }));
    },
  },
  {
    id: 'http.not_modified_body',
    title: 'a 304 has no body',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const again = await target.send({ path, ...ifNoneMatch(tag), isRaw: true });
      if (again.status !== 304)
        throw new NotChecked(`${again.request} did not respond 304: it breaks http.not_modified`);
      assertThat(again, again.text === '', 'nothing after the head', again.text);
    },
  },
  {
    id: 'http.etag',
    title: 'different responses have different ETags',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const [first, second] = await differentPaths(target);
      const [one, other] = [await target.request({ path: first }), await target.request({ path: second })];
      const differs = opaque(tagOf(one)) !== opaque(tagOf(other));
      assertThat(other, differs, `another ETag than ${one.request} has`, `ETag: ${tagOf(other)}`);
    },
  },
  {
    id: 'http.head',
    title: 'HEAD has the status and the headers of GET',
    check: async (target) => {
      const path = await target.existingPath();
      const get = await target.plain();
      const head = await target.request({ method: 'HEAD', path });
      for (const [name, value, expected] of headersOf(get, head)) {
        assertThat(head, value === expected, `${name}: ${expected ?? 'none'}`, `${name}: ${value ?? 'none'}`);
      }
      assertHeaders(target, head, get);
    },
  },
  {
    id: 'http.head_not_modified',
    title: 'HEAD with If-None-Match: 304 for the ETag of the response',
    dependsOn: ['http.head', 'http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      await target.request({ method: 'HEAD', path, ...ifNoneMatch(tag) }, 304);
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
    dependsOn: ['http.head', 'request.unknown_parameter'],
    check: async (target) => {
      const path = target.path();
      const missing = target.list === undefined ? target.pathWith({ after: UNKNOWN_ID }) : path;
      const { missing_api_key, validation_error, not_found } = target.contract.problemStatus;
      const requests: readonly (readonly [Request, number])[] = [
        [{ path, authorization: null }, missing_api_key],
        [{ path: `${path}?nonsense=1` }, validation_error],
        [{ path: `/nonsense${path}` }, not_found],
        [{ path: missing }, not_found],
      ];
      await forEach(requests, ([request, status]) => target.request({ ...request, method: 'HEAD' }, status));
    },
  },
  {
    id: 'http.compression',
    title: 'a body is compressed only for a client that accepts it',
    check: async (target) => {
      const path = await target.existingPath();
      const exchange = await target.send({ path, headers: { 'accept-encoding': 'identity' } });
      const actual = exchange.headers.get('content-encoding') ?? 'identity';
      assertThat(exchange, actual === 'identity', 'no Content-Encoding', `Content-Encoding: ${actual}`);
    },
  },
  {
    id: 'http.request_id',
    title: 'X-Request-Id: one that matches its schema is returned unchanged with every status, any other is replaced',
    check: async (target) => {
      const path = await target.likelyPath();
      const { maxLength = 0 } = target.operation.responses.get(200)?.headers?.[REQUEST_ID]?.schema ?? {};
      const send = async (id: string, request: Partial<Request> = {}): Promise<{ exchange: Exchange; id: string }> =>
        idOf(await target.send({ path, ...request, headers: { ...request.headers, 'x-request-id': id } }));
      const longest = 'long~._+/=:@-'.padEnd(maxLength, 'x');
      const hasRecords = target.list === undefined || (await target.list.items(0)).length > 0;
      const unchanged = hasRecords ? [ifNoneMatch((await tagged(target)).tag)] : [];
      // One request for each status that a request can bring about.
      const others: Partial<Request>[] = [
        ...unchanged,
        { authorization: null },
        { path: `/nonsense${path}` },
        { path: `${path}?nonsense=1` },
        { method: 'POST', authorization: null },
        { method: 'HEAD' },
      ];
      await forEach([{}, ...target.shareOfAll(others)], async (request) => {
        const actual = await send(longest, request);
        assertThat(actual.exchange, actual.id === longest, 'the same X-Request-Id', `X-Request-Id: ${actual.id}`);
      });
      await forEach(target.shareOfAll(['conform-1', 'a~b+c/d=e:f@g._-Z9', '0', '-']), async (id) => {
        const actual = await send(id);
        assertThat(actual.exchange, actual.id === id, 'the same X-Request-Id', `X-Request-Id: ${actual.id}`);
      });
      await forEach(['two words', `${longest}x`, ...target.shareOfAll(['<b>', 'a,b', '"a"', '\u00e4'])], async (id) => {
        const actual = await send(id);
        assertThat(actual.exchange, actual.id !== id, 'another X-Request-Id', `X-Request-Id: ${actual.id}`);
      });
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

/** @throws Failure unless a response to HEAD has each required header of its status; one that GET lacks too is another rule's. */
function assertHeaders(target: Target, head: Exchange, get: Exchange): void {
  const declared = Object.entries(target.operation.responses.get(head.status)?.headers ?? {});
  for (const [name] of declared.filter(([, it]) => it.required === true)) {
    const isPresent = head.headers.has(name.toLowerCase()) || !get.headers.has(name.toLowerCase());
    assertThat(head, isPresent, `${name}, as GET has it`, `no ${name}`);
  }
}

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

/** @throws NotChecked if a response has no tag: header.etag reports that. */
function tagOf({ request, headers }: Exchange): string {
  const tag = headers.get('etag');
  if (tag === undefined) throw new NotChecked(`${request} has no ETag: it breaks header.etag`);
  return tag;
}

async function tagged(target: Target): Promise<{ readonly path: string; readonly tag: string }> {
  return { path: await target.existingPath(), tag: tagOf(await target.plain()) };
}

const ifNoneMatch = (value: string): { readonly headers: Record<string, string> } => ({
  headers: { 'if-none-match': value },
});

/** @returns two paths whose responses differ. @throws NotChecked if the account has fewer than two items. */
async function differentPaths(target: Target): Promise<readonly [string, string]> {
  const { list = target } = target;
  const items = await list.items(0);
  requireRecords(items.length < 2 ? [`2 ${target.noun} (it has ${String(items.length)})`] : []);
  if (target.list === undefined) return [target.pathWith({ limit: 1 }), target.pathWith({ limit: 2 })];
  return [target.path(items[0]?.id), target.path(items[1]?.id)];
}

/** @throws NotChecked if a response has no id: header.x_request_id reports that. */
function idOf(exchange: Exchange): { readonly exchange: Exchange; readonly id: string } {
  const id = exchange.headers.get('x-request-id');
  if (id === undefined) throw new NotChecked(`${exchange.request} has no X-Request-Id: it breaks header.x_request_id`);
  return { exchange, id };
}
