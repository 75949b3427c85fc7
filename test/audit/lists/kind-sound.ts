/**
 * Sound lists beside the table of kinds: ends, cursors, links and totals as public APIs have them, which look like one of its faults. They are in
 * the order in which the kinds are.
 */
import { createHash } from 'node:crypto';
import { ALL, LINKS, NUMBERS, after, variant } from './fault.ts';
import type { Declared, Sound } from './fault.ts';
import { LONG, LONGEST, SHORT, USUAL, errorOf, hasNext, stating } from './kind-fault.ts';
import type { Change } from './kind-fault.ts';
import { OWN_SOUND } from './own-sound.ts';
import { cursorOfStyle, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Page, Reply, Row, Style } from './server.ts';

type Make = (style: Style, rows: readonly Row[]) => Change;
const LENGTHS = [SHORT, USUAL, LONG, LONGEST];

/** @returns a sound list in each of some styles, with the next of the lengths for each, and without a total in every second one. */
const each = (
  name: string,
  styles: readonly Style[],
  change: Make,
  { lengths = LENGTHS, declared }: { readonly lengths?: readonly number[]; readonly declared?: Declared } = {},
): readonly Sound[] =>
  styles.map((style, at) => {
    const length = lengths[(at + name.length) % lengths.length] ?? USUAL;
    const rows = rowsOfStyle(style, length);
    const options = { style, rows, hasNoTotal: at % 2 === 1, ...change(style, rows) };
    return variant(`${style}: ${name} (${String(length)} items)`, options, declared);
  });

const LATER = [USUAL, LONG, LONGEST];
const toLast = (page: Page, call: Call): Record<string, string> => call.to(page.rows.at(-1) ?? call.anchor);
/** The next link has another path, at which this server has the list, too. */
const atPath = (path: string): Change => ({
  before: ({ url }) => {
    if (url.pathname === path) url.pathname = '/items';
    return undefined;
  },
});
/** Responds with the error once to each URL that has a cursor or a position. */
const onceTo = (status: number): Make => {
  const seen = new Set<string>();
  return (style) => ({
    before: ({ url, query }) =>
      query.has(cursorOfStyle(style)) && seen.size < seen.add(url.search).size
        ? { ...errorOf(status), headers: { 'retry-after': '0' } }
        : undefined,
  });
};

const END_SOUND: readonly Sound[] = [
  ...each('the end is an empty page that returns its own token', ['token', ...LINKS].slice(0, 1) as Style[], () => ({
    page: (page, call) => {
      page.next ??= toLast(page, call);
    },
  })),
  ...each('there is a token on the last page, too, and a flag that says that it is the last', ['token'], () => ({
    body: (page, call) => ({ items: page.rows, next_cursor: toLast(page, call)['cursor'], has_more: hasNext(page) }),
  })),
  ...each('there is a Link on the last page, too, and a flag that says that it is the last', ['link'], () => ({
    body: (page) => ({ items: page.rows, has_more: hasNext(page) }),
    page: (page, call) => {
      page.next ??= toLast(page, call);
    },
  })),
  ...each('a page past the end is a 204', NUMBERS, () => ({
    reply: (reply, { start }) => {
      const { items } = reply.body as { readonly items?: readonly Row[] }; // The body of the style.
      if (start > 0 && items?.length === 0) Object.assign(reply, { status: 204, body: null });
    },
  })),
  ...each(
    'what a filter leaves out is left out after the page was cut, from the first page on',
    ['token', 'url', 'link'],
    (_, rows) => ({
      page: (page) => {
        page.rows = page.rows.filter((row) => rows.indexOf(row) >= 25 && rows.indexOf(row) % 10 < 3);
      },
    }),
    { lengths: LATER },
  ),
  ...each('a byte order mark begins the body', ALL, () => ({
    reply: (reply) => {
      reply.headers['content-type'] = 'application/json';
      if (reply.status === 200) reply.body = `\uFEFF${JSON.stringify(reply.body)}`;
    },
  })),
];

const SIZE_SOUND: readonly Sound[] = [
  ...each(
    'sizes below 5 are rejected',
    ALL,
    (style) => ({ before: ({ query }) => rejected(query, style, (it) => it >= 5) }),
    {
      lengths: LATER,
    },
  ),
  ...each('sizes below 5 mean 5', ALL, () => ({ size: (asked, max) => Math.max(5, Math.min(asked, max)) }), {
    lengths: LATER,
  }),
  ...each(
    'sizes other than 10, 25 and 50 are rejected',
    ALL,
    (style) => ({ before: ({ query }) => rejected(query, style, (it) => [10, 25, 50].includes(it)) }),
    { lengths: LATER },
  ),
  ...each('no size can be asked for', ALL, () => ({ size: () => 10 }), { lengths: LATER }),
];
function rejected(query: URLSearchParams, style: Style, isRight: (size: number) => boolean): Reply | undefined {
  const size = query.get(sizeOfStyle(style));
  return size === null || isRight(Number(size)) ? undefined : errorOf(400);
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
/** A link whose query may not change. */
const SIGNED: Change = {
  link: (link) => {
    const unsigned = link.replace(/&sig=[^&]*/, '');
    return `${unsigned}&sig=${digest(new URL(unsigned).search)}`;
  },
  before: ({ url, query }) => {
    const sig = query.get('sig');
    const has = query.has('cursor') || query.has('after');
    return has && sig !== digest(url.search.replace(/&sig=.*$/, '')) ? errorOf(403) : undefined;
  },
};
/** @returns the number of the request that made the cursor of another one. */
function madeAt(cursor: string | null): number | undefined {
  try {
    const [, , number] = JSON.parse(Buffer.from(cursor?.split('.')[0] ?? '', 'base64url').toString()) as unknown[]; // Made here, or rejected.
    return typeof number === 'number' ? number : undefined;
  } catch {
    return undefined;
  }
}

const CURSOR_SOUND: readonly Sound[] = [
  ...each('a link is signed', LINKS, () => SIGNED),
  ...each(
    'a link belongs to its size',
    LINKS,
    (style) => ({
      link: (link, _, __, { query }) =>
        `${link.replace(/&made=[^&]*/, '')}&made=${query.get(sizeOfStyle(style)) ?? '10'}`,
      before: ({ query }) => {
        const made = query.get('made');
        return query.has(cursorOfStyle(style)) && made !== query.get(sizeOfStyle(style)) && made !== '10'
          ? errorOf(400)
          : undefined;
      },
    }),
    { lengths: LATER },
  ),
  ...each('a way to a page works once, and a fresh page has another one', ['token', ...LINKS], (style) => {
    const used = new Set<string>();
    return {
      isSalted: true,
      before: ({ query }) => {
        const cursor = query.get(cursorOfStyle(style));
        return cursor !== null && used.size === used.add(cursor).size ? errorOf(410) : undefined;
      },
    };
  }),
  ...each('a way to a page expires after ten requests', ['token', ...LINKS], (style) => ({
    isSalted: true,
    before: ({ query, number }) =>
      number - (madeAt(query.get(cursorOfStyle(style))) ?? number) > 10 ? errorOf(410) : undefined,
  })),
  ...each('nulls are last, and the cursor compares them', ['id', 'token', ...LINKS], (_, rows) => ({
    rows: [...rows.map((row, at): Row => ({ ...row, rank: at % 6 === 5 ? null : 1000 - at }))].sort(
      (a, b) => Number(a.rank === null) - Number(b.rank === null),
    ),
    sizes: { default: 10, max: 500 },
    following: (anchor, all) => after(all, anchor),
  })),
  ...each(
    'a page that begins behind the first hundred is a 400',
    NUMBERS,
    () => ({
      sizes: { default: 10, max: 500 },
      reply: (reply, { start }) => {
        if (start >= 100) Object.assign(reply, errorOf(400));
      },
    }),
    { lengths: [LONG] },
  ),
  ...each(
    'a page that begins behind the first hundred is a 400, and pages have 50 items at most',
    NUMBERS,
    () => ({
      reply: (reply, { start }) => {
        if (start >= 100) Object.assign(reply, errorOf(400));
      },
    }),
    { lengths: [LONG] },
  ),
];

const isFiltered = ({ query }: Call, style: Style): boolean =>
  query.get('status') === 'open' || query.has(cursorOfStyle(style));
const statused = (rows: readonly Row[]): readonly Row[] =>
  rows.map((row, at): Row => ({ ...row, status: at % 3 === 2 ? 'closed' : 'open' }));
const nextOf = (page: Page, call: Call): string | null => call.link(page.next) ?? null;
const subject = (style: Style, rows: readonly Row[]): Parameters<ReturnType<typeof stating>>[0] => ({
  style,
  rows,
  total: ({ total }) => ({ total }),
});
const stated =
  (members: (page: Page, call: Call) => object): Make =>
  (style, rows) =>
    stating(members)(subject(style, rows));

const LINK_SOUND: readonly Sound[] = [
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
      rows: statused(rows),
      order: (all, call) => (isFiltered(call, style) ? all.filter(({ status }) => status === 'open') : all),
      link: (link) => link.replace(/[?&]status=open/, (it) => (it.startsWith('?') ? '?' : '')),
    }),
    { lengths: LATER, declared: { params: { status: 'open' } } },
  ),
  ...[429, 503].flatMap((status) =>
    each(`each page is a ${String(status)} once`, ALL, onceTo(status), { lengths: [SHORT, USUAL] }),
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
  ['`last_page`, counted from 0', ({ total }, { size }) => ({ last_page: Math.ceil(total / size) - 1 })],
];
const header =
  (name: string, value: (length: number, call: Call) => string): Make =>
  (_, rows) => ({
    hasNoTotal: true,
    reply: (reply, call) => {
      if (reply.status === 200) reply.headers[name] = value(rows.length, call);
    },
  });

const NUMBER_SOUND: readonly Sound[] = [
  ...NUMBERS_STATED.flatMap(([what, members]) =>
    each(what, ['page'], (style, rows) => stating(members)({ ...subject(style, rows), total: () => ({}) })),
  ),
  ...each('a total that is right, and exact', ['token', 'url', ...NUMBERS], () => ({ hasNoTotal: false }), {
    declared: { total: 'exact' },
  }),
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

export const KIND_SOUND: readonly Sound[] = [
  ...END_SOUND,
  ...SIZE_SOUND,
  ...CURSOR_SOUND,
  ...LINK_SOUND,
  ...NUMBER_SOUND,
  ...OWN_SOUND,
];
