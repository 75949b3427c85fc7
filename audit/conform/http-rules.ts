/** Rules of HTTP: HEAD, OPTIONS, conditional requests and request ids. */
import { NotChecked, forEach } from '../rules/rule.ts';
import { LONG, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { opaque } from '../session/client.ts';
import { assertCases, cases, filtered } from './cases.ts';
import type { Case } from './cases.ts';
import type { Query } from './listing.ts';
import { violationOf } from './response-rule.ts';
import type { ContractRule } from './contract-rule.ts';
import { assertThat } from './checked-session.ts';
import type { CheckedResponse, Request } from './checked-session.ts';
import type { Target } from './target.ts';
import { UNKNOWN_ID, UNKNOWN_KEY } from './values.ts';

const REQUEST_ID = 'X-Request-Id';
// A page ends before this item.
const CURSOR = 2;

const ORIGIN = 'https://conform.example';
const ALLOW_ORIGIN = 'access-control-allow-origin';
const EXPOSE_HEADERS = 'access-control-expose-headers';
const EXPOSED = [/(^|[ ,])etag($|[ ,])/i, /(^|[ ,])x-request-id($|[ ,])/i];

/** The pages of `http.not_modified`, for `http.modified`. */
const pagesOf = new WeakMap<Target, { readonly version: number; readonly pages: readonly Tagged[] }>();

export const HTTP_RULES: readonly ContractRule[] = [
  {
    id: 'http.options',
    title: 'OPTIONS returns 204 with Allow, even without a key; 404 for an unknown path',
    change:
      'Answer OPTIONS of each path of the contract, and of no other, with 204 and Allow before the key and the parameters are checked.',
    check: async (target) => {
      const path = target.path();
      const allow = target.operation.responses.get(405)?.headers?.['Allow']?.schema.enum?.[0];
      const request = { method: 'OPTIONS', path, authorization: null };
      const others: readonly Partial<Request>[] = [
        { path: `${path}?nonsense=1` },
        { authorization: `Bearer ${UNKNOWN_KEY}` },
        { path: target.path('x') },
        { headers: { origin: ORIGIN, 'access-control-request-method': 'GET' } },
      ];
      await forEach([{}, ...target.shareOfAll(others)], async (other) => {
        const response = await target.request({ ...request, ...other }, 204);
        assertHeader(response, 'Allow', say`Allow: ${own(String(allow))}`, (value) => value === allow);
        if (target.first?.headers.has(REQUEST_ID.toLowerCase()) !== true) return; // Another rule reports that.
        const { requestId } = response.source;
        assertHeader(
          response,
          REQUEST_ID,
          say`${REQUEST_ID}: ${requestId === undefined ? 'a new one' : quote(requestId)}`,
          (value) => (requestId === undefined ? value !== NONE : value === requestId),
        );
      });
      const nowhere = `/nonsense${path}`;
      // A contract may have more operations than these.
      const [unknown = nowhere] = target.shareOfAll([nowhere, `${path}/`, `${path}/nonsense/nonsense`, '/nonsense']);
      await target.assertProblem({ ...request, path: unknown }, 'not_found');
    },
  },
  {
    id: 'http.not_modified',
    title: 'If-None-Match with the ETag of the response, weak or strong, returns 304 with the same ETag',
    change:
      'Compute the ETag from the bytes of the response, the same each time (keys in one order), and compare If-None-Match weakly for every page.',
    check: async (target) => {
      const plain = { path: await target.existingPath(), tag: await tagOf(target) };
      const others = await otherPages(target);
      pagesOf.set(target, { version: target.version, pages: others });
      const [other = plain] = target.list === undefined ? [] : others;
      // A strong tag as a weak one, and a weak tag as a strong one.
      const bare = opaque(other.tag);
      const turned = { ...other, tag: other.tag === bare ? `W/${bare}` : bare };
      const all = [plain, turned, ...(target.list === undefined ? others : [])];
      await forEach(all, async ({ path, tag }) => {
        const request = { path, ...ifNoneMatch(tag) };
        const again = await target.send(request);
        const actual = say`200 with ETag: ${quote(again.headers.get('etag') ?? NONE)}`;
        assertThat(
          again,
          again.status !== 200,
          say`304, because nothing has changed since ETag: ${quote(tag)}`,
          actual,
        );
        if (again.status !== 304) await target.request(request, 304);
        // header.etag checks that the header is present.
        assertHeader(
          again,
          'ETag',
          say`ETag: ${quote(tag)}`,
          (value) => value === NONE || opaque(value) === opaque(tag),
        );
      });
    },
  },
  {
    id: 'http.multiple_etags',
    title: 'If-None-Match with several ETags, in one line or two, returns 304 if one of them matches',
    change: 'Join all If-None-Match lines by commas and split them there, however many there are; one match is enough.',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const [path, tag] = [await target.existingPath(), await tagOf(target)];
      const long = Array.from({ length: 20 }, (_, at) => `"${String(at).repeat(60)}", `);
      const lists = [
        ...[`${long.join('')}${tag}`, `${tag} , "other"`, `W/"other",, ${tag},"another"`],
        `"other", W/${opaque(tag)}`,
      ];
      await assertCases(
        target,
        target.shareOfAll(lists).map((tags): Case => [304, ifNoneMatch(tags)]),
      );
      // Sent as they are, because HTTP clients join lines. A proxy may reject two as malformed.
      const [one, other] = target.inRotation<readonly [string, string]>(
        [
          ['"other"', tag],
          [tag, '"other"'],
        ],
        0,
      );
      const headers = { 'If-None-Match': one, ...ifNoneMatch(other).headers };
      const response = await target.send({ path, isRaw: true, headers });
      assertThat(response, response.status !== 200, say`304`);
    },
  },
  {
    id: 'http.modified',
    title: 'If-None-Match without a matching ETag, or with an invalid value, returns the full response',
    change: 'Compare whole tags with the ETag of the response to this request; ignore a value that is not a tag.',
    check: cases(async (target) => {
      const tag = await tagOf(target);
      const bare = opaque(tag);
      const near = [`"x${bare.slice(1)}`, `${bare.slice(0, -2)}"`, bare.toUpperCase(), bare.toLowerCase()];
      const [first = '', ...rest] = near.filter((other) => other !== bare);
      const values = [
        '"\u00fc"',
        first,
        ...target.shareOfAll([...rest, '', 'nonsense', '"', 'W/', ',,', '"a" "b"', '"*"']),
      ];
      // A page with the same tag is the same page.
      const known = pagesOf.get(target);
      const others = known?.version === target.version ? known.pages : await otherPages(target);
      const pages = others.filter((other) => opaque(other.tag) !== bare);
      const ofFilter = pages.filter(({ path }) => path === target.pathWith(filtered(target)));
      return [
        ...values.map((value): Case => [200, ifNoneMatch(value)]),
        ...[...new Set([...ofFilter, ...target.shareOf(pages)])].map(({ path }): Case => [
          200,
          { path, ...ifNoneMatch(tag) },
        ]),
      ];
    }),
  },
  {
    id: 'http.conditional_errors',
    title: 'If-None-Match does not turn an error into a 304',
    change: 'Compare If-None-Match only once the response is a 200: after the key, the parameters and the look-up.',
    dependsOn: [
      ...['http.not_modified', 'auth.missing', 'request.unknown_parameter', 'list.unknown_cursor', 'get.not_found'],
    ],
    check: cases(async (target) => [
      // auth.precedence tests the tag without a key.
      ['missing_api_key', { authorization: null, ...ifNoneMatch('*') }],
      ['validation_error', { query: 'nonsense=1', ...ifNoneMatch('*') }],
      ['validation_error', { query: 'nonsense=1', ...ifNoneMatch(await tagOf(target)) }],
      ['not_found', { path: missingPath(target), ...ifNoneMatch('*') }],
    ]),
  },
  {
    id: 'http.not_modified_body',
    title: 'a 304 has no body',
    change: 'Send no body with a 304.',
    dependsOn: ['http.not_modified'],
    check: async (target) => {
      const path = await target.existingPath();
      const again = await target.send({ path, ...ifNoneMatch(await tagOf(target)), isRaw: true });
      if (again.status !== 304)
        throw new NotChecked(say`${again.request} did not return 304, which breaks http.not_modified`);
      assertThat(again, again.text === '', say`nothing after the head`, quote(again.text, LONG));
    },
  },
  {
    id: 'http.head',
    title: 'HEAD returns the status and the headers of GET',
    change: 'Handle HEAD as GET, with the same headers, and leave the body out when it is sent.',
    check: async (target) => {
      const existing = await target.existingPath();
      // A list with a limit and a cursor, because a cache may have only the response of the plain path.
      const after = target.list === undefined ? (await target.items(0))[0]?.id : undefined;
      const query = { limit: target.limits.min, ...(after !== undefined && { after }) };
      const path = target.list === undefined ? target.pathWith(query) : existing;
      const get = await target.request({ path });
      const head = await target.request({ method: 'HEAD', path });
      for (const name of ['content-type', 'etag'] as const) {
        const expected = opaque(get.headers.get(name) ?? NONE);
        assertHeader(head, name, say`${name}: ${quote(expected)}`, (value) => opaque(value) === expected);
      }
      // A server may omit the length, and a proxy that compresses the body leaves that of the server.
      const length = Buffer.byteLength(get.text);
      const isOpen = get.headers.has('content-encoding');
      assertHeader(
        head,
        'content-length',
        say`content-length: ${length}`,
        (value) => isOpen || [NONE, String(length)].includes(value),
      );
      const declared = Object.entries(target.operation.responses.get(head.status)?.headers ?? {});
      for (const [name] of declared.filter(([, header]) => header.required === true)) {
        // Another rule reports a header that GET lacks too.
        const isPresent = head.headers.has(name.toLowerCase()) || !get.headers.has(name.toLowerCase());
        assertThat(head, isPresent, say`${own(name)}, as in the response to GET`, say`no ${own(name)}`);
      }
    },
  },
  {
    id: 'http.head_not_modified',
    title: 'HEAD with If-None-Match returns 304 if the ETag matches',
    change: 'Compare If-None-Match for HEAD as for GET.',
    dependsOn: ['http.head', 'http.not_modified'],
    check: cases(async (target) => [[304, { method: 'HEAD', ...ifNoneMatch(await tagOf(target)) }]]),
  },
  {
    id: 'http.head_body',
    title: 'a response to HEAD has no body, with any status',
    change: 'Send no body to HEAD, with errors too.',
    dependsOn: ['http.head'],
    check: async (target) => {
      const path = await target.existingPath();
      await forEach([{}, ...target.shareOfAll(otherStatuses(path, await tagOf(target)))], async (request) => {
        const head = await target.send({ path, ...request, method: 'HEAD', isRaw: true });
        assertThat(head, head.text === '', say`nothing after the head`, quote(head.text, LONG));
      });
    },
  },
  {
    id: 'http.head_errors',
    title: 'HEAD returns the same error statuses as GET: no key, a wrong key, invalid parameter, not found',
    change: 'Run HEAD through all checks of GET.',
    dependsOn: ['http.head', 'request.unknown_parameter'],
    check: cases((target, path) => {
      const others: readonly Case[] = [
        ['validation_error', { query: 'nonsense=1' }],
        ['invalid_api_key', { authorization: `Bearer ${UNKNOWN_KEY}` }],
        ['not_found', { path: `/nonsense${path}` }],
        ['not_found', { path: missingPath(target) }],
      ];
      const all: readonly Case[] = [['missing_api_key', { authorization: null }], ...target.shareOfAll(others)];
      return all.map(([expected, request]): Case => [expected, { ...request, method: 'HEAD' }]);
    }),
  },
  {
    id: 'http.cross_origin',
    title:
      'if a response to a request from another origin has the headers for it, they expose ETag and X-Request-Id, and errors, HEAD and preflight requests have them too',
    change:
      'Add the headers for other origins in one place, to every response, and expose ETag and X-Request-Id; answer preflight requests without a key, and allow Authorization.',
    dependsOn: ['http.head'],
    check: async (target) => {
      const [path, tag] = [await target.existingPath(), await tagOf(target)];
      const headers = { origin: ORIGIN };
      const found = await target.request({ path, headers });
      if (!['*', ORIGIN].includes(found.headers.get(ALLOW_ORIGIN) ?? '')) return; // It allows no scripts of this origin.
      const names = [ALLOW_ORIGIN, EXPOSE_HEADERS] as const;
      assertNames(found, names);
      const isExposed = (value: string): boolean => value === '*' || EXPOSED.every((pattern) => pattern.test(value));
      assertHeader(found, EXPOSE_HEADERS, say`ETag and X-Request-Id among them, or *`, isExposed);
      await forEach(target.shareOfAll(otherStatuses(path, tag)), async (request) => {
        assertNames(await target.send({ path, ...request, headers: { ...headers, ...request.headers } }), names);
      });
      const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
      const preflight = { method: 'OPTIONS', path, headers: { ...headers, ...asked }, authorization: null };
      const allowed = await target.request(preflight, 204);
      assertNames(allowed, [ALLOW_ORIGIN]);
      const name = 'Access-Control-Allow-Headers';
      assertHeader(allowed, name, say`${name} with Authorization`, (value) =>
        /(^|[ ,])authorization($|[ ,])/i.test(value),
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
      const assertCoding = async (at: string, accepted: string, expected: Text, codings: readonly string[]) => {
        const response = await target.send({ path: at, headers: { 'accept-encoding': accepted } });
        assertHeader(response, 'Content-Encoding', expected, (value) => [NONE, 'identity', ...codings].includes(value));
      };
      await assertCoding(long, 'br', say`no Content-Encoding but br`, ['br']);
      const requests = [
        [long, 'identity'],
        [long, 'gzip;q=0'],
        [`${path}?nonsense=1`, 'identity'],
        [path, ''],
      ] as const;
      await forEach(target.shareOfAll(requests), ([at, accepted]) =>
        assertCoding(at, accepted, say`no Content-Encoding`, []),
      );
    },
  },
  {
    id: 'http.request_id',
    title:
      'a valid X-Request-Id, however short or long, is returned unchanged; an invalid one is replaced by a new one',
    change:
      'Return an X-Request-Id that matches the pattern of the contract, and is no longer than it allows, as it is; replace any other by an id of its own.',
    check: async (target) => {
      const path = await target.likelyPath();
      const [item] = await (target.list ?? target).items(0);
      const hasPlain = target.list === undefined || item !== undefined;
      const schema = target.operation.responses.get(200)?.headers?.[REQUEST_ID]?.schema ?? {};
      const { maxLength = 0 } = schema;
      const longest = 'Long~._+/=:@-'.padEnd(maxLength, 'x');
      const send = async (id: string, authorization?: null): Promise<CheckedResponse> => {
        const headers = { 'x-request-id': id };
        const response = await target.send({ path, headers, ...(authorization === null && { authorization }) });
        headerOf(target, response, REQUEST_ID);
        return response;
      };
      const shortest = 'a';
      await forEach([longest, shortest], async (id) => {
        assertHeader(await send(id), REQUEST_ID, say`the same X-Request-Id`, (value) => value === id);
      });
      const known = new Set([longest, shortest]);
      const wrongIds = ['', 'two words', 'a$b', '<b>', 'a,b', '"a"', '\u00e4', 'x'.repeat(300), 'a;b', '{a}', 'a%0A'];
      const { not_found, missing_api_key } = target.contract.problemStatus;
      await forEach([`${longest}x`, ...target.shareOfAll(wrongIds)].entries(), async ([at, id]) => {
        const isError = at % 2 > 0;
        const response = await send(id, isError ? null : undefined);
        const isRight = response.status === (isError ? missing_api_key : hasPlain ? 200 : not_found);
        assertThat(response, isRight, say`the status without it, because no X-Request-Id is rejected`);
        // No part of it, and none that another response has.
        const isOther = (actual: string): boolean => (id === '' || !id.startsWith(actual)) && !known.has(actual);
        const isLong = id.length > maxLength;
        const why = isLong ? say`has ${id.length} characters, more than ${maxLength}` : violationOf(schema, id);
        const expected = say`a new X-Request-Id, because this one ${why ?? 'is not valid'}`;
        assertHeader(response, REQUEST_ID, expected, isOther);
        known.add(headerOf(target, response, REQUEST_ID));
      });
    },
  },
];

/** What the value of a header that is not sent counts as. */
const NONE = 'none';

/** @throws Failure unless the value of a header is right. */
function assertHeader(
  response: CheckedResponse,
  name: string,
  expected: Text,
  isRight: (value: string) => boolean,
): void {
  const value = response.headers.get(name.toLowerCase()) ?? NONE;
  assertThat(response, isRight(value), expected, say`${own(name)}: ${quote(value, LONG)}`);
}

/** @throws Failure unless a response has headers. */
function assertNames(response: CheckedResponse, names: readonly string[]): void {
  const missing = names.filter((name) => !response.headers.has(name));
  const actual = say`${response.status} without ${own(missing.join(' and '))}`;
  assertThat(response, missing.length === 0, say`${own(names.join(' and '))}, as in the 200`, actual);
}

/** @throws NotChecked if a response lacks a header, or if the header breaks its schema: the rule of the header reports that. */
function headerOf(target: Target, response: CheckedResponse, name: string): string {
  const value = response.headers.get(name.toLowerCase());
  const { schema } = target.operation.responses.get(200)?.headers?.[name] ?? {};
  const isValid = value !== undefined && new RegExp(schema?.pattern ?? '').test(value);
  if (!isValid) throw new NotChecked(say`the ${own(name)} of the response to ${response.request} breaks its rule`);
  return value;
}

/** @returns the tag of the plain response. */
const tagOf = async (target: Target): Promise<string> => headerOf(target, await target.plain(), 'ETag');

type Tagged = Readonly<Record<'path' | 'tag', string>>;

/** @returns other pages of a list: behind and before a cursor, with a limit and its filter, and the empty one; the item by its id in upper case. */
async function otherPages(target: Target): Promise<readonly Tagged[]> {
  const { list } = target;
  const items = await (list ?? target).items(0);
  const [first, ...others] = items.slice(0, CURSOR + 1);
  const last = others.at(-1);
  const filter = filtered(target);
  const cursors: readonly Query[] = first && last ? [{ after: first.id }, { ...filter, before: last.id }] : [];
  const end = (await target.isWhole()) ? items.slice(-1).map(({ id }): Query => ({ after: id })) : [];
  const queries = [{ limit: target.limits.min }, filter, ...cursors, ...end].filter(
    (query) => Object.keys(query).length > 0,
  );
  const paths =
    list === undefined ? queries.map((query) => target.pathWith(query)) : [target.path(first?.id.toUpperCase())];
  const pages: Tagged[] = [];
  for (const path of paths) {
    const page = await target.send({ path });
    // Other rules report a page that is not there.
    if (page.status === 200) pages.push({ path, tag: headerOf(target, page, 'ETag') });
  }
  return pages;
}

const ifNoneMatch = (value: string): { readonly headers: Record<string, string> } => ({
  headers: { 'if-none-match': value },
});

/** @returns the path of an unknown item, or of a page with an unknown cursor. */
const missingPath = (target: Target): string =>
  target.list === undefined ? target.pathWith({ after: UNKNOWN_ID }) : target.path();

/** @returns a request for each status that a request can bring about, and for HEAD. */
const otherStatuses = (path: string, tag: string): readonly Partial<Request>[] => [
  { authorization: null },
  { path: `${path}?nonsense=1` },
  { path: `/nonsense${path}` },
  ifNoneMatch(tag),
  { method: 'HEAD' },
  { method: 'POST', authorization: null },
  { method: 'OPTIONS', authorization: null },
];
