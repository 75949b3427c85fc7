/** What an inference concludes of lists whose names or parameters are unusual, by the evidence of their responses. */
import { expect, test } from '@jest/globals';
import { audit } from '../../../audit/lists/audit.ts';
import { infer } from '../../../audit/lists/infer/infer.ts';
import type { Inferred } from '../../../audit/lists/infer/infer.ts';
import { openSession } from '../../../audit/lists/session.ts';
import { said } from '../../support/text.ts';
import { serve } from '../conform/bad-servers.ts';

const BOUNDS = { requestMs: 1000, runMs: 60_000, waitMs: 1000, requests: 100 };

type Query = Readonly<Record<string, string | undefined>>;
/** @returns the status and the body of a response. */
type List = (query: Query, path: string, origin: string) => readonly [status: number, body: unknown];

const rows = (count: number): readonly { readonly id: number; readonly title: string }[] =>
  Array.from({ length: count }, (_, at) => ({ id: 7 * at + 100, title: `Row ${String(at)}` }));
const ERROR = { error: 'rejected' };

const serveList = (list: List, path = '/'): Promise<string> =>
  serve((req, res) => {
    const url = new URL(req.url ?? '', `http://${req.headers.host ?? ''}`);
    const [status, body] = list(Object.fromEntries(url.searchParams), url.pathname, url.origin);
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).then((origin) => `${origin}${path}`);

async function inferred(list: List, path?: string): Promise<Inferred & { readonly sent: number }> {
  const url = await serveList(list, path);
  const session = openSession({ url }, BOUNDS);
  const found = await infer({ url }, session);
  session.close();
  return { ...found, sent: session.sent };
}

async function failures(list: List, path?: string): Promise<readonly string[]> {
  const url = await serveList(list, path);
  const failed: string[] = [];
  for await (const { rule, outcome } of audit({ profile: { url } })) if (outcome === 'failed') failed.push(rule);
  return failed;
}

/**
 * @returns a list whose size bounds the whole of it, as that of CAP does. Pages have at most 30 items, or, with a size, 60.
 * @param states whether a page with a size states the next one.
 */
const bounding =
  (param: string, count: number, states = true): List =>
  ({ [param]: asked, $skiptoken = '0' }) => {
    const all = rows(count);
    const start = Number($skiptoken);
    const left = Number(asked ?? Infinity);
    const value = all.slice(start, start + Math.min(left, asked === undefined ? 30 : 60));
    const end = start + value.length;
    if (value.length === left || end >= all.length || (asked !== undefined && !states)) return [200, { value }];
    const rest = asked === undefined ? '' : `${param}=${String(left - value.length)}&`;
    return [200, { value, '@odata.nextLink': `list?${rest}$skiptoken=${String(end)}` }];
  };

test.each<[string, number]>([
  ['$top', 100],
  ['$top', 50],
  ['limit', 100],
])(
  'the size `%s` that bounds a list of %i is no page size, also where it allows larger pages',
  async (param, count) => {
    const list = bounding(param, count);
    const { profile } = await inferred(list, '/list');
    expect(profile).toMatchObject({ next: { url: '"@odata.nextLink"' } });
    expect(profile.size).toBeUndefined();
    expect(await failures(list, '/list')).toEqual([]);
  },
);

test('a size with which no page states the next one loses items', async () => {
  expect(await failures(bounding('limit', 100, false), '/list')).toContain('items.missing');
});

/** @returns a list of tokens, with the names that it has. @param min the smallest size. */
const tokens =
  (
    size: string,
    token: string,
    usual: number,
    body: (items: readonly unknown[], next?: string) => unknown,
    min = 1,
  ): List =>
  (query) => {
    const [start, length] = [Number(query[token] ?? 0), Number(query[size] ?? usual)];
    if (!(length >= min)) return [400, ERROR];
    const end = start + length;
    const all = rows(75);
    return [200, body(all.slice(start, end), end < all.length ? String(end) : undefined)];
  };

const pascal = (items: readonly unknown[], NextToken?: string): unknown => ({
  RequestId: 'x',
  Snapshots: items,
  NextToken,
});
const marked = (Users: readonly unknown[], Marker?: string): unknown => ({
  ListUsersResult: { Users, Marker, IsTruncated: Marker !== undefined },
});

test.each<[string, List, string, object, object]>([
  [
    'names like `NextToken`',
    tokens('MaxResults', 'NextToken', 20, pascal, 5),
    '/',
    { param: 'MaxResults', min: 5 },
    { token: 'NextToken' },
  ],
  [
    'that of the URL',
    tokens('MaxResults', 'NextToken', 20, pascal, 5),
    '/?MaxResults=10',
    { param: 'MaxResults', min: 5 },
    { token: 'NextToken' },
  ],
  ['names like `Marker`', tokens('MaxItems', 'Marker', 20, marked), '/', { param: 'MaxItems' }, { token: 'Marker' }],
  [
    'the prefix of the token',
    tokens('aplimit', 'apcontinue', 10, (all, next) => ({
      continue: next === undefined ? undefined : { apcontinue: next },
      query: { all },
    })),
    '/',
    { param: 'aplimit' },
    { token: 'apcontinue' },
  ],
  [
    'the prefix of the parameter of a link, and of several arrays the one whose length changes',
    (query, _, origin) => {
      const list = tokens('_size', '_next', 20, (all, next) => ({
        ...{ columns: ['id', 'title'], rows: all, primary_keys: ['id'], suggested_facets: [{ name: 'title' }] },
        next,
        next_url: next === undefined ? null : `${origin}/t.json?_shape=objects&_next=${next}`,
      }));
      return list(query, _, origin);
    },
    '/t.json',
    { param: '_size' },
    { url: 'next_url' },
  ],
])('a size by its name: %s', async (_, list, path, size, next) => {
  const { profile, sent } = await inferred(list, path);
  expect(profile).toMatchObject({ size, next });
  expect(sent).toBeLessThan(60);
});

/** A list that has sizes of 10, 25 and 50 only, and pages by number. */
const fixed: List = ({ pageSize = '10', page = '1' }) => {
  const [size, start] = [Number(pageSize), (Number(page) - 1) * Number(pageSize)];
  return [10, 25, 50].includes(size) ? [200, { data: rows(151).slice(start, start + size) }] : [422, ERROR];
};

test('the minimum is the smallest size that is accepted, also where that is the usual one', async () => {
  expect((await inferred(fixed)).profile.size).toEqual({ param: 'pageSize', min: 10, max: 50 });
});

test('the maximum, where larger sizes are rejected, is the largest of a few', async () => {
  const { profile } = await inferred(({ limit = '20', offset = '0' }) =>
    Number(limit) > 300 ? [400, ERROR] : [200, rows(900).slice(Number(offset), Number(offset) + Number(limit))],
  );
  expect(profile.size).toEqual({ param: 'limit', max: 250 });
});

/** @returns a list whose token works, with a link in the same object. */
const linked =
  (linkOf: (origin: string, after: string) => object): List =>
  ({ limit = '10', after = '0' }, path, origin) => {
    const end = Number(after) + Number(limit);
    if (path !== '/contacts') return [404, ERROR];
    return [
      200,
      {
        results: rows(60).slice(Number(after), end),
        ...(end < 60 && { paging: { next: { after: String(end), ...linkOf(origin, String(end)) } } }),
      },
    ];
  };

test.each<[string, List, readonly unknown[]]>([
  [
    'a URL',
    linked((origin, after) => ({ link: `${origin}/old/contacts?after=${after}` })),
    [{ url: 'paging.next.link' }],
  ],
  ['a path, which may be one of a client', linked((_, after) => ({ path: `/v3/contacts?after=${after}` })), []],
])('the next page that stands beside a token that works, and is an error: %s', async (_, list, stated) => {
  const found = await inferred(list, '/contacts');
  expect(found.profile.next).toMatchObject({ token: 'after' });
  expect(found.stated).toEqual(stated);
});

/** A list that has pages with both parameters only: each of them alone is a 500. */
const together: List = ({ count, page }) => {
  const all = rows(40);
  const entries = (start: number, size?: number): readonly [number, unknown] => {
    const part = all.slice(start, size === undefined ? undefined : start + size);
    return [200, { start, total_size: all.length, entries: part }];
  };
  if (count === undefined && page === undefined) return entries(0);
  const [size, number] = [Number(count), Number(page)];
  return size >= 1 && number >= 1 ? entries((number - 1) * size, size) : [500, ERROR];
};

test('a size that is an error alone, where unknown parameters are none, is tried with a number beside it', async () => {
  const { profile } = await inferred(together);
  expect(profile).toMatchObject({
    size: { param: 'count' },
    next: { page: 'page', first: 1 },
    params: { count: '10', page: '1' },
  });
  // Its 500s are findings, and nothing else is one.
  expect(await failures(together)).toEqual(['size.error', 'position.error']);
});

test.each<[string, List]>([
  ['every unknown parameter', (query) => (Object.keys(query).length > 0 ? [400, ERROR] : [200, rows(9)])],
  ['a page after the last one', ({ page = '1' }) => (page === '1' ? [200, rows(9)] : [404, ERROR])],
  ['every number', ({ page }) => (page === undefined ? [200, rows(9)] : [500, ERROR])],
])('a list of one page that rejects %s has no second page', async (_, list) => {
  await expect(inferred(list).catch((error: unknown) => said(error))).resolves.toMatch(/^No second page was found/);
});

test('a number that leads to the first page, and to an error after it, is a finding', async () => {
  const { profile } = await inferred(({ page = '1' }) => (page === '1' ? [200, rows(9)] : [500, ERROR]));
  expect(profile.next).toMatchObject({ page: 'page' });
});

test('a guessed page whose items have no id is no second page, and ends nothing', async () => {
  const { profile } = await inferred(({ page, offset = '0', limit = '10' }) =>
    page === undefined
      ? [200, rows(40).slice(Number(offset), Number(offset) + Number(limit))]
      : [200, [{ title: 'Other' }]],
  );
  expect(profile.next).toMatchObject({ offset: 'offset' });
});

test('a token that fails is a finding, also where errors are 200', async () => {
  const { profile } = await inferred(({ cursor }) =>
    cursor ? [200, ERROR] : [200, { data: rows(9), next_cursor: 'x' }],
  );
  expect(profile.next).toEqual({ token: 'cursor', from: 'next_cursor' });
});

test('a token whose page has items without an id is none', async () => {
  const list: List = ({ cursor }) => [200, { data: cursor ? [{ title: 'Other' }] : rows(9), next_cursor: 'x' }];
  await expect(inferred(list).catch((error: unknown) => said(error))).resolves.toMatch(/^No second page was found/);
});
