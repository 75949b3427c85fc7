/** Sound lists beside the table of kinds: links and totals as public APIs have them. */
import { ALL, LINKS, NUMBERS, withStatus } from './fault.ts';
import type { Sound } from './fault.ts';
import { LATER, SHORT, USUAL, each, errorOf, hasNext, stating } from './kind-fault.ts';
import type { Change, Make, Subject } from './kind-fault.ts';
import { cursorOfStyle } from './server.ts';
import type { Call, Page, Row, Style } from './server.ts';

/** The next link has another path, at which this server has the list, too. */
const atPath = (path: string): Change => ({
  before: ({ url }) => {
    if (url.pathname === path) url.pathname = '/items';
    return undefined;
  },
});
/** The first requests of later pages are an error once, each. */
const onceTo =
  (status: number): Make =>
  (style) => {
    const seen = new Set<string>();
    return {
      before: ({ url, query }) =>
        query.has(cursorOfStyle(style)) && seen.size < MAX_ERRORS && seen.size < seen.add(url.search).size
          ? { ...errorOf(status), headers: { 'retry-after': '0' } }
          : undefined,
    };
  };
// The audit waits after each.
const MAX_ERRORS = 3;

const isFiltered = ({ query }: Call, style: Style): boolean =>
  query.get('status') === 'open' || query.has(cursorOfStyle(style));
const nextOf = (page: Page, call: Call): string | null => call.link(page.next) ?? null;
const subject = (style: Style, rows: readonly Row[]): Subject => ({
  style,
  rows,
  total: ({ total }) => ({ total }),
});
const stated =
  (members: (page: Page, call: Call) => object): Make =>
  (style, rows) =>
    stating(members)(subject(style, rows));

export const LINK_SOUND: readonly Sound[] = [
  ...each('the next link has another path', LINKS, () => ({
    ...atPath('/v2/things'),
    link: (link) => link.replace('/items', '/v2/things'),
  })),
  ...each('the stated next link has another path', ['id', ...NUMBERS], (style, rows) => ({
    ...atPath('/v2/things'),
    ...stated((page, call) => ({ next: nextOf(page, call)?.replace('/items', '/v2/things') ?? null }))(style, rows),
  })),
  ...each(
    'the stated next link leads to another origin, and to no list here',
    NUMBERS,
    stated((page, call) => ({
      next: nextOf(page, call)?.replace(/^http:..[^/]+/, 'http://api.example/v2') ?? null,
    })),
  ),
  ...each(
    'the stated next link is a query alone',
    NUMBERS,
    stated((page, call) => ({
      links: { next: nextOf(page, call)?.replace(/^[^?]+/, '') ?? null },
    })),
  ),
  ...each(
    'the number of the next page is stated',
    ['page'],
    stated((page) => ({ next_page: hasNext(page) ? Number(page.next?.['page']) : null })),
  ),
  ...each(
    'the next offset is stated',
    ['offset'],
    stated((page) => ({ next_offset: hasNext(page) ? Number(page.next?.['offset']) : null })),
  ),
  ...each(
    'the filter is in the cursor, and not in the link',
    ['token', ...LINKS],
    (style, rows) => ({
      rows: withStatus(rows),
      order: (all, call) => (isFiltered(call, style) ? all.filter(({ status }) => status === 'open') : all),
      link: (link) => link.replace(/[?&]status=open/, (it) => (it.startsWith('?') ? '?' : '')),
    }),
    { lengths: LATER, declared: { params: { status: 'open' } } },
  ),
  ...[429, 503].flatMap((status) =>
    each(`the first later pages are a ${String(status)} once`, ALL, onceTo(status), { lengths: [SHORT, USUAL] }),
  ),
];

/** Of a list with page numbers: what is stated of its length. */
const NUMBERS_STATED: readonly (readonly [what: string, members: (page: Page, call: Call) => object])[] = [
  ['a total that is rounded', ({ total }) => ({ total: Math.ceil((total + 1) / 100) * 100 })],
  ['a total of -1', () => ({ total: -1 })],
  ['a total that is capped', ({ total }) => ({ total: Math.min(total, 50) })],
  ['a total that is at least 50', () => ({ total: { value: 50, relation: 'gte' } })],
  ['a total of hits that is at least 50', () => ({ hits: { total: { value: 50, relation: 'gte' } } })],
  ['a total that is text', ({ total }) => ({ total: String(total) })],
  ['a total of the items of the page beside a flag', ({ rows, left }) => ({ total: rows.length, is_last: left <= 0 })],
  ['a count of the items of the page', ({ rows }) => ({ count: rows.length })],
  ['`@odata.count`', ({ total }) => ({ '@odata.count': total })],
  [
    '`result_info`',
    ({ total, rows }, { size, start }) => ({
      result_info: {
        page: start / size + 1,
        per_page: size,
        count: rows.length,
        total_count: total,
        total_pages: Math.ceil(total / size),
      },
    }),
  ],
  ['one page more than there are', ({ total }, { size }) => ({ total_pages: Math.ceil(total / size) + 1 })],
  ['the pages of the default size', ({ total }) => ({ total_pages: Math.ceil(total / 10) })],
  ['the number of this page under `pages`', (_, { start, size }) => ({ pages: start / size + 1 })],
  [
    'pages of which 5 are shown at most',
    ({ total }, { size }) => ({ pages: [1, 2, 3, 4, 5].slice(0, Math.ceil(total / size)) }),
  ],
  [
    '`last_page`, which is 1 for an empty list',
    ({ total }, { size }) => ({ last_page: Math.max(1, Math.ceil(total / size)) }),
  ],
];
const header =
  (name: string, value: (length: number, call: Call) => string): Make =>
  (_, rows) => ({
    hasNoTotal: true,
    reply: (reply, call) => {
      if (reply.status === 200) reply.headers[name] = value(rows.length, call);
    },
  });

export const NUMBER_SOUND: readonly Sound[] = [
  ...NUMBERS_STATED.flatMap(([what, members]) =>
    each(what, ['page'], (style, rows) => stating(members)({ ...subject(style, rows), total: () => ({}) })),
  ),
  ...each('a total that is right, and exact', ['token', 'url', ...NUMBERS], () => ({ hasNoTotal: false }), {
    declared: { total: 'exact' },
  }),
  ...(
    [
      [
        'the number of items of a page stands beside the total, which is exact',
        ({ total }) => ({ total_count: total }),
      ],
      ['the number of items of a page is stated, and no total', () => ({})],
    ] as const satisfies readonly (readonly [string, (page: Page) => object])[]
  ).flatMap(([what, members]) =>
    each(
      what,
      ['token', ...NUMBERS],
      (style, rows) =>
        stating((page) => ({
          ...(style === 'token' && { next_cursor: page.next?.['cursor'] ?? null }),
          result_info: { count: page.rows.length, ...members(page) },
        }))({ ...subject(style, rows), total: () => ({}) }),
      { lengths: LATER, declared: { total: 'exact' } },
    ),
  ),
  ...each('the total is estimated', ['token', 'url', ...NUMBERS], () => ({
    page: (page) => {
      page.total = Math.ceil((page.total + 1) / 100) * 100;
    },
  })),
  ...each(
    '`Content-Range` without a total',
    ['link', ...NUMBERS],
    header('content-range', (_, { start, size }) => `items ${String(start)}-${String(start + size - 1)}/*`),
  ),
  ...each(
    '`Content-Range` with the total',
    ['link', ...NUMBERS],
    header(
      'content-range',
      (length, { start, size }) => `items ${String(start)}-${String(start + size - 1)}/${String(length)}`,
    ),
  ),
  ...each(
    '`X-WP-TotalPages`',
    ['page'],
    header('x-wp-totalpages', (length, { size }) => String(Math.ceil(length / size))),
  ),
];
