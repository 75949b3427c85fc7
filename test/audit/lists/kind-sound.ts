/** Sound lists beside the table of kinds: ends, sizes and cursors as public APIs have them, which look like one of its faults. */
import { createHash } from 'node:crypto';
import { ALL, LINKS, NUMBERS, after } from './fault.ts';
import type { Sound } from './fault.ts';
import { LATER, LONG, USUAL, each, errorOf, flagged, hasNext } from './kind-fault.ts';
import type { Change } from './kind-fault.ts';
import { LINK_SOUND, NUMBER_SOUND } from './kind-stated-sound.ts';
import { OWN_SOUND } from './own-sound.ts';
import { beside } from './second-faults.ts';
import { SECOND_SOUND } from './second-sound.ts';
import { cursorOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Page, Reply, Row, Style } from './server.ts';

const toLast = (page: Page, call: Call): Record<string, string> => call.to(page.rows.at(-1) ?? call.anchor);
const END_SOUND: readonly Sound[] = [
  ...each('the end is an empty page that returns its own token', ['token'], () => ({
    page: (page, call) => {
      page.next ??= toLast(page, call);
    },
  })),
  ...each(
    'the end is an empty page, whose token means page one',
    ['token'],
    () => ({
      before: ({ query }) => {
        if (query.get('cursor') === 'nil') query.delete('cursor');
        return undefined;
      },
      body: ({ rows }, call) => ({ items: rows, cursor: rows.length > 0 ? call.to(rows.at(-1))['cursor'] : 'nil' }),
    }),
    { lengths: [USUAL] },
  ),
  ...each('there is a token on the last page, too, and a flag that says that it is the last', ['token'], () => ({
    body: (page, call) => ({ items: page.rows, next_cursor: toLast(page, call)['cursor'], has_more: hasNext(page) }),
  })),
  ...each(
    'a flag is false after the first hundred, a limit, and there is no size',
    ['id', 'token', 'page'],
    (style, rows) => ({
      ...flagged((page) => hasNext(page) && page.rows.every((row) => rows.indexOf(row) < 90))({ style }),
      hasNoTotal: true,
    }),
    { lengths: [LONG] },
  ),
  // What comes in meanwhile has its place at the end.
  ...each(
    'a flag tells the end, and an item is added at every third request',
    ['id', 'token', 'page'],
    (style, rows) => ({
      ...flagged(hasNext)({ style }),
      rows,
      hasNoTotal: true,
      order: (all, { number }) => all.slice(0, 55 + Math.floor(number / 3)),
    }),
    { lengths: [LONG] },
  ),
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
        page.rows = page.rows.filter((row) => rows.indexOf(row) >= 5 && rows.indexOf(row) % 10 < 8);
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
    const plain = new URL(link);
    plain.searchParams.delete('sig');
    return `${plain.href}&sig=${digest(plain.search)}`;
  },
  before: ({ url, query }) => {
    const sig = query.get('sig');
    const has = query.has('cursor') || query.has('after');
    return has && sig !== digest(url.search.replace(/&sig=[^&]*/, '')) ? errorOf(403) : undefined;
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
        `${link.replace(/&made=[^&]*/, '')}&made=${query.get(sizeOfStyle(style)) ?? ''}`,
      before: ({ query }) =>
        query.has(cursorOfStyle(style)) && query.get('made') !== (query.get(sizeOfStyle(style)) ?? '')
          ? errorOf(400)
          : undefined,
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
  ...NUMBERS.flatMap((style) =>
    each(
      'a page that begins behind the first hundred is a 400, and a size above 150 means 50',
      [style],
      () => ({
        size: (asked) => (asked > LONG ? 50 : asked),
        reply: (reply, { start }) => {
          if (start >= 100) Object.assign(reply, errorOf(400));
        },
      }),
      { lengths: [LONG], declared: { size: { param: sizeOfStyle(style), max: LONG } } },
    ),
  ),
];

/** What makes no sense, and what is beyond the end, is a page of one item without an id. */
const withoutId = (style: Style): Change => {
  const names: Readonly<Partial<Record<Style, string>>> = { id: 'data', url: 'results' };
  let isBad = false;
  return {
    bad: () => {
      isBad = true;
      return 'empty';
    },
    reply: (reply, { anchor, isBackward }) => {
      const name = names[style] ?? 'items';
      const body = reply.body as Readonly<Record<string, readonly Row[] | undefined>>; // The body of the style.
      const isBeyond = style === 'id' && anchor !== undefined && !isBackward && body[name]?.length === 0;
      const items = [{ message: 'There is nothing here.' }];
      if (isBad || isBeyond) reply.body = style === 'link' ? items : { ...body, [name]: items };
      isBad = false;
    },
  };
};
const PROBE_SOUND: readonly Sound[] = [
  ...each('a bad cursor or number, or what is beyond the end, is a page of an item without an id', ALL, withoutId),
  ...each(
    'beside a stated way, later pages by number have an item without an id',
    ['token', ...LINKS],
    (style, rows) => {
      const change = beside(rows);
      return {
        ...change,
        reply: (reply, { query }) => {
          if (Number(query.get('page') ?? 0) < 4) return;
          const items = [{ message: 'Use the cursor.' }];
          reply.body = style === 'link' ? items : { [style === 'url' ? 'results' : 'items']: items };
        },
      };
    },
  ),
];

export const KIND_SOUND: readonly Sound[] = [
  ...END_SOUND,
  ...SIZE_SOUND,
  ...CURSOR_SOUND,
  ...LINK_SOUND,
  ...NUMBER_SOUND,
  ...OWN_SOUND,
  ...SECOND_SOUND,
  ...PROBE_SOUND,
];
