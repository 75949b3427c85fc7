/** Rules of HTTP: HEAD, OPTIONS, conditional requests and request ids. */
import { NotChecked, forEach } from '../rules/rule.ts';
import { assertThat } from './session.ts';
import { opaque } from '../session/client.ts';
import type { Query } from './listing.ts';
import type { Rule } from './rule.ts';
import type { Exchange, Request } from './session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, UNKNOWN_KEY } from './values.ts';

const REQUEST_ID = 'X-Request-Id';
// A page ends before this item.
const CURSOR = 2;

const ORIGIN = 'https://conform.example';
const ANY_ORIGIN = '*';
const ALLOW_ORIGIN = 'access-control-allow-origin';
const ALLOW_HEADERS = 'access-control-allow-headers';
const EXPOSE_HEADERS = 'access-control-expose-headers';

export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'http.options',
    title: 'OPTIONS returns 204 with Allow, even without a key; 404 for an unknown path',
    change:
      'Answer OPTIONS of each path of the contract, and of no other, with 204 and Allow before the key and the parameters are checked.',
    check: async (target) => {
      const path = target.path();
      const allow = target.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      const requests: readonly Omit<Request, 'method'>[] = [
        { path: `${path}?nonsense=1`, authorization: null },
        { path, authorization: `Bearer ${UNKNOWN_KEY}` },
        { path: target.list === undefined ? path : target.path('x'), authorization: null },
      ];
      await forEach([{ path, authorization: null }, ...target.shareOfAll(requests)], async (request) => {
        const exchange = await target.request({ ...request, method: 'OPTIONS' }, 204);
        const actual = exchange.headers.get('allow');
        assertThat(exchange, actual === allow, `Allow: ${String(allow)}`, `Allow: ${actual ?? 'none'}`);
      });
      const { not_found } = target.contract.problemStatus;
      await target.request({ method: 'OPTIONS', path: `/nonsense${path}`, authorization: null }, not_found);
    },
  },
  {
    id: 'http.not_modified',
    title: 'If-None-Match with the ETag of the response, weak or strong, returns 304 with the same ETag',
    change:
      'Compute the ETag from the bytes of the response, the same each time (keys in one order), and compare If-None-Match weakly for every page.',
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const requests = [tag, `W/${opaque(tag)}`].map((it) => ({ path, value: it }));
      pagesOf.delete(target); // In another attempt, the pages have changed.
      for (const other of await otherPages(target)) requests.push({ path: other.path, value: other.tag });
      await forEach(requests, async ({ path: at, value }) => {
        const request = { path: at, ...ifNoneMatch(value) };
        const again = await target.send(request);
        const actual = again.headers.get('etag');
        const expected = `304, because nothing has changed since ETag: ${value}`;
        assertThat(again, again.status !== 200, expected, `200 with ETag: ${actual ?? 'none'}`);
        if (again.status !== 304) await target.request(request, 304);
        // header.etag checks that the header is present.
        assertThat(again, opaque(actual ?? value) === opaque(value), `ETag: ${value}`, `ETag: ${String(actual)}`);
      });
    },
  },
  {
    id: 'http.multiple_etags',
    title: 'If-None-Match with several ETags returns 304 if one of them matches',
    change: 'Split If-None-Match at its commas; one match is enough.',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const lists = [`"other",${tag}`, `${tag} , "other"`, `W/"other", ${tag},"another"`, `"other", W/${opaque(tag)}`];
      await forEach([`"other", ${tag}`, ...target.shareOfAll(lists)], (value) =>
        target.request({ path, ...ifNoneMatch(value) }, 304),
      );
    },
  },
  {
    id: 'http.modified',
    title: 'If-None-Match without a matching ETag, or with an invalid value, returns the full response',
    change: 'Compare whole tags with the ETag of the response to this request; ignore a value that is not a tag.',
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const bare = opaque(tag);
      const near = [`"x${bare.slice(1)}`, `${bare.slice(0, -2)}"`, bare.toUpperCase(), bare.toLowerCase()];
      const others = [...near.filter((it) => it !== bare), '', 'nonsense', '"', 'W/', ',,', '"a" "b"'];
      const values = ['"other"', ...others.slice(0, 1), ...target.shareOfAll(others.slice(1))];
      await forEach(values, (value) => target.request({ path, ...ifNoneMatch(value) }));
      // A page with the same tag is the same page.
      const pages = (await otherPages(target)).filter((it) => opaque(it.tag) !== bare);
      await forEach(pages, (page) => target.request({ path: page.path, ...ifNoneMatch(tag) }));
    },
  },
  {
    id: 'http.conditional_errors',
    title: 'If-None-Match does not turn an error into a 304',
    change: 'Compare If-None-Match only once the response is a 200: after the key, the parameters and the look-up.',
    dependsOn: [
      'http.not_modified',
      'auth.missing',
      'request.unknown_parameter',
      'list.unknown_cursor',
      'get.not_found',
    ],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const missing = target.list === undefined ? target.pathWith({ after: UNKNOWN_ID }) : target.path();
      // auth.precedence tests the tag without a key.
      await forEach(
        [
          [{ path, authorization: null, ...ifNoneMatch('*') }, 'missing_api_key'],
          [{ path: `${path}?nonsense=1`, ...ifNoneMatch('*') }, 'validation_error'],
          [{ path: `${path}?nonsense=1`, ...ifNoneMatch(tag) }, 'validation_error'],
          [{ path: missing, ...ifNoneMatch('*') }, 'not_found'],
        ] as const,
        ([request, name]) => target.assertProblem(request, name),
      );
    },
  },
  {
    id: 'http.not_modified_body',
    title: 'a 304 has no body',
    change: 'Send no body with a 304.',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const again = await target.send({ path, ...ifNoneMatch(tag), isRaw: true });
      if (again.status !== 304)
        throw new NotChecked(`${again.request} did not return 304, which breaks http.not_modified`);
      assertThat(again, again.text === '', 'nothing after the head', again.text);
    },
  },
  {
    id: 'http.head',
    title: 'HEAD returns the status and the headers of GET',
    change: 'Handle HEAD as GET, with the same headers, and leave the body out when it is sent.',
    check: async (target) => {
      // A list with a limit, because a cache may have only the response of the plain path.
      const path =
        target.list === undefined ? target.pathWith({ limit: target.limits.min }) : await target.existingPath();
      const get = await target.request({ path });
      const head = await target.request({ method: 'HEAD', path });
      for (const [name, value, expected] of headersOf(get, head)) {
        assertThat(head, value === expected, `${name}: ${expected ?? 'none'}`, `${name}: ${value ?? 'none'}`);
      }
      assertHeaders(target, head, get);
    },
  },
  {
    id: 'http.head_not_modified',
    title: 'HEAD with If-None-Match returns 304 if the ETag matches',
    change: 'Compare If-None-Match for HEAD as for GET.',
    dependsOn: ['http.head', 'http.not_modified'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      await target.request({ method: 'HEAD', path, ...ifNoneMatch(tag) }, 304);
    },
  },
  {
    id: 'http.head_body',
    title: 'a response to HEAD has no body, whatever its status',
    change: 'Send no body to HEAD, with errors too.',
    dependsOn: ['http.head'],
    check: async (target) => {
      const path = await target.existingPath();
      const others: readonly Omit<Request, 'method'>[] = [
        { path, authorization: null },
        { path: `${path}?nonsense=1` },
        { path: `/nonsense${path}` },
        { path, ...ifNoneMatch((await tagged(target)).tag) },
      ];
      await forEach([{ path }, ...target.shareOfAll(others)], async (request) => {
        const head = await target.send({ ...request, method: 'HEAD', isRaw: true });
        assertThat(head, head.text === '', 'nothing after the head', head.text);
      });
    },
  },
  {
    id: 'http.head_errors',
    title: 'HEAD returns the same error statuses as GET: no key, invalid parameter, not found',
    change: 'Run HEAD through all checks of GET.',
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
      const [first, ...others] = requests;
      await forEach([...(first ? [first] : []), ...target.shareOfAll(others)], ([request, status]) =>
        target.request({ ...request, method: 'HEAD' }, status),
      );
    },
  },
  {
    id: 'http.cross_origin',
    title:
      'if a response to a request from another origin has the headers for it, so have errors, HEAD and preflight requests',
    change:
      'Add the headers for other origins in one place, to every response; answer preflight requests without a key, and allow Authorization.',
    dependsOn: ['http.head'],
    check: async (target) => {
      const { path, tag } = await tagged(target);
      const headers = { origin: ORIGIN };
      const found = await target.request({ path, headers });
      const allowed = found.headers.get(ALLOW_ORIGIN);
      if (allowed !== ANY_ORIGIN && allowed !== ORIGIN) return; // It allows no scripts of this origin.
      const missing = target.list === undefined ? target.pathWith({ after: UNKNOWN_ID }) : target.path();
      const requests: readonly Request[] = [
        { path, headers, authorization: null },
        { path: `${path}?nonsense=1`, headers },
        { path: missing, headers },
        { path, headers: { ...headers, 'if-none-match': tag } },
        { path, headers, method: 'HEAD' },
        { path, headers, method: 'POST', authorization: null },
      ];
      const names = [ALLOW_ORIGIN, EXPOSE_HEADERS];
      assertNames(found, names);
      await forEach(target.shareOfAll(requests), async (request) => {
        assertNames(await target.send(request), names);
      });
      const asked = {
        ...headers,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      };
      const preflight = await target.request({ method: 'OPTIONS', path, headers: asked, authorization: null }, 204);
      assertNames(preflight, [ALLOW_ORIGIN]);
      const allowedHeaders = preflight.headers.get(ALLOW_HEADERS) ?? 'none';
      const isAllowed = /(^|[ ,])authorization($|[ ,])/i.test(allowedHeaders);
      assertThat(
        preflight,
        isAllowed,
        'Access-Control-Allow-Headers with Authorization',
        `Access-Control-Allow-Headers: ${allowedHeaders}`,
      );
    },
  },
  {
    id: 'http.compression',
    title: 'a body is compressed only if the client accepts it',
    change: 'Compress only with a coding that Accept-Encoding allows.',
    check: async (target) => {
      const path = await target.existingPath();
      const long = target.list === undefined ? target.pathWith({ limit: target.limits.max }) : path;
      const coded = await target.send({ path: long, headers: { 'accept-encoding': 'br' } });
      const coding = coded.headers.get('content-encoding') ?? 'br';
      assertThat(
        coded,
        coding === 'br' || coding === 'identity',
        'no Content-Encoding but br',
        `Content-Encoding: ${coding}`,
      );
      const requests: readonly Request[] = [
        { path: long, headers: { 'accept-encoding': 'identity' } },
        { path: long, headers: { 'accept-encoding': 'gzip;q=0' } },
        { path: `${path}?nonsense=1`, headers: { 'accept-encoding': 'identity' } },
        { path, headers: { 'accept-encoding': '' } },
      ];
      await forEach(target.shareOfAll(requests), async (request) => {
        const exchange = await target.send(request);
        const actual = exchange.headers.get('content-encoding') ?? 'identity';
        assertThat(exchange, actual === 'identity', 'no Content-Encoding', `Content-Encoding: ${actual}`);
      });
    },
  },
  {
    id: 'http.request_id',
    title: 'a valid X-Request-Id is returned unchanged with every status; an invalid one is replaced',
    change:
      'Return an X-Request-Id that matches the pattern of the contract as it is, with every status; replace any other.',
    check: async (target) => {
      const path = await target.likelyPath();
      const { maxLength = 0 } = target.operation.responses.get(200)?.headers?.[REQUEST_ID]?.schema ?? {};
      const send = async (id: string, request: Partial<Request> = {}): Promise<{ exchange: Exchange; id: string }> =>
        idOf(target, await target.send({ path, ...request, headers: { ...request.headers, 'x-request-id': id } }));
      const { not_found } = target.contract.problemStatus;
      const longest = 'Long~._+/=:@-'.padEnd(maxLength, 'x');
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
      const wrongIds = ['<b>', 'a,b', '"a"', '\u00e4', 'x'.repeat(300), 'a;b', '{a}', 'a%0A'];
      await forEach(['two words', `${longest}x`, 'a$b', '', ...target.shareOfAll(wrongIds)], async (id) => {
        const actual = await send(id);
        const { status } = actual.exchange;
        assertThat(
          actual.exchange,
          status === (hasRecords ? 200 : not_found),
          'no error, because no X-Request-Id is rejected',
        );
        assertThat(
          actual.exchange,
          id === '' || !id.startsWith(actual.id),
          'a different X-Request-Id',
          `X-Request-Id: ${actual.id}`,
        );
      });
    },
  },
];

/** @throws Failure unless a response has headers. */
function assertNames(exchange: Exchange, names: readonly string[]): void {
  const missing = names.filter((it) => !exchange.headers.has(it));
  const actual = `${String(exchange.status)} without ${missing.join(' and ')}`;
  assertThat(exchange, missing.length === 0, `${names.join(' and ')}, as in the 200`, actual);
}

/** @throws Failure unless a response to HEAD has each required header of its status. Another rule reports a header that GET lacks too. */
function assertHeaders(target: Target, head: Exchange, get: Exchange): void {
  const declared = Object.entries(target.operation.responses.get(head.status)?.headers ?? {});
  for (const [name] of declared.filter(([, it]) => it.required === true)) {
    const isPresent = head.headers.has(name.toLowerCase()) || !get.headers.has(name.toLowerCase());
    assertThat(head, isPresent, `${name}, as in the response to GET`, `no ${name}`);
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

/** @throws NotChecked if a response has no tag, or one that breaks its schema: header.etag reports that. */
function tagOf(target: Target, exchange: Exchange): string {
  return headerOf(target, exchange, 'ETag');
}

/** @throws NotChecked if a response lacks a header, or if the header breaks its schema: the rule of the header reports that. */
function headerOf(target: Target, exchange: Exchange, name: string): string {
  const value = exchange.headers.get(name.toLowerCase());
  const { schema } = target.operation.responses.get(200)?.headers?.[name] ?? {};
  const isValid = value !== undefined && new RegExp(schema?.pattern ?? '').test(value);
  if (!isValid) throw new NotChecked(`the ${name} of the response to ${exchange.request} breaks its rule`);
  return value;
}

interface Tagged {
  readonly path: string;
  readonly tag: string;
}
const pagesOf = new WeakMap<Target, readonly Tagged[]>();

/** @returns other pages of a list, which are requested once: with a limit, behind and before a cursor, with its filter. None for one item. */
async function otherPages(target: Target): Promise<readonly Tagged[]> {
  const known = pagesOf.get(target);
  if (known !== undefined || target.list !== undefined) return known ?? [];
  const items = await target.items(0);
  const [first, last] = [items[0], items[Math.min(items.length - 1, CURSOR)]];
  const [filter] = target.operation.parameters.filter((it) => it.in === 'query' && it.schema.enum !== undefined);
  const queries: readonly Query[] = [
    { limit: target.limits.min },
    ...(first === undefined || last === undefined || first === last ? [] : [{ after: first.id }, { before: last.id }]),
    ...(filter === undefined ? [] : [{ [filter.name]: filter.schema.enum?.[0] ?? '' }]),
  ];
  const pages: Tagged[] = [];
  for (const path of queries.map((query) => target.pathWith(query)))
    pages.push({ path, tag: tagOf(target, await target.request({ path })) });
  pagesOf.set(target, pages);
  return pages;
}

async function tagged(target: Target): Promise<Tagged> {
  return { path: await target.existingPath(), tag: tagOf(target, await target.plain()) };
}

const ifNoneMatch = (value: string): { readonly headers: Record<string, string> } => ({
  headers: { 'if-none-match': value },
});

/** @throws NotChecked if a response has no id, or one that breaks its schema: header.x_request_id reports that. */
function idOf(target: Target, exchange: Exchange): { readonly exchange: Exchange; readonly id: string } {
  return { exchange, id: headerOf(target, exchange, REQUEST_ID) };
}
