/** Faults of the end, links, totals, backward pages, and of the key. */
import {
  ALL,
  LATE,
  LINKS,
  NUMBERS,
  TOKENS,
  after,
  before,
  crash,
  failed,
  fault,
  indexOf,
  isBehind,
  named,
  noted,
} from './fault.ts';
import type { Fault } from './fault.ts';
import { cursorOfStyle, rowsOfStyle } from './server.ts';

const KEY = 'key-of-the-list-5d41402abc4b2a76';
export const END_FAULTS: readonly Fault[] = [
  ...fault('a full page is never the last: an empty one follows', TOKENS, noted('end.multiple'), {
    page: (page, call) => {
      if (page.rows.length === call.size) page.next ??= call.to(page.rows.at(-1));
    },
  }),
  ...fault('a full page has a flag that more follow: an empty one does', NUMBERS, noted('end.multiple'), {
    body: ({ rows }, { size }) => ({ items: rows, has_more: rows.length === size }),
  }),
  ...fault('a full last page is not the last stated one', ['page'], noted('end.multiple'), {
    body: ({ rows, total }, { size }) => ({ items: rows, total_pages: Math.floor(total / size) + 1 }),
  }),
  ...fault('past the end is an error of the server', NUMBERS, failed('end.beyond', 'page.error'), (style) => ({
    reply: (reply, { start }) => {
      if (start > rowsOfStyle(style).length) crash(reply);
    },
  })),
  ...fault('after the last item is an error of the server', ['id'], failed('end.beyond'), {
    reply: (reply, { anchor, isBackward }) => {
      if (!isBackward && anchor?.id === rowsOfStyle('id').at(-1)?.id) crash(reply);
    },
  }),
  ...fault('after the last item is page one', ['id'], failed('end.beyond'), {
    following: (anchor, rows) => (anchor.id === rows.at(-1)?.id ? rows : after(rows, anchor)),
  }),
];

const otherHost = (link: string): string => Object.assign(new URL(link), { host: 'internal.example:8080' }).href;

export const LINK_FAULTS: readonly Fault[] = [
  ...fault('the next link leads to another host', LINKS, noted('link.origin'), {
    link: (link, rel) => (rel === 'next' ? otherHost(link) : link),
  }),
  ...fault('the link to the page before leads to another host', LINKS, noted('link.origin'), {
    link: (link, rel) => (rel === 'prev' ? otherHost(link) : link),
  }),
  ...fault('the next link holds the key', LINKS, failed('link.origin'), {
    key: KEY,
    link: (link) => `${link}&api_key=${KEY}`,
  }),
  ...fault('the next link of later pages holds the key', ['url'], failed('link.origin'), {
    key: KEY,
    link: (link, _, page) =>
      isBehind(page, 'url', LATE) ? `${link}&token=${encodeURIComponent(`Bearer ${KEY}`)}` : link,
  }),
];

export const TOTAL_FAULTS: readonly Fault[] = [
  ...fault('the total is one too high', ['token', 'url', 'page', 'offset'], noted('total.wrong'), {
    page: (page) => {
      page.total += 1;
    },
  }),
  ...(
    [
      [TOKENS.slice(0, 1), noted('total.wrong')],
      [NUMBERS, failed('total.wrong')],
    ] as const
  ).flatMap(([styles, expected]) =>
    fault('the total is that of the page', styles, expected, {
      page: (page) => {
        page.total = page.rows.length;
      },
    }),
  ),
];

export const BACKWARD_FAULTS: readonly Fault[] = [
  ...fault('the item of the cursor comes again backward', ['id', 'url', 'link'], failed('back.missing'), {
    preceding: (anchor, rows) => rows.slice(0, indexOf(rows, anchor) + 1),
  }),
  ...fault('backward pages are one item apart', ['id', 'url', 'link'], failed('back.missing'), {
    preceding: (anchor, rows) => before(rows, anchor).slice(0, -1),
  }),
  ...fault('with `after` and `before`, before a cursor are the first items', ['id'], failed('back.missing'), {
    before: named({ starting_after: 'after', ending_before: 'before' }),
    preceding: (anchor, rows, { size }) => before(rows, anchor).slice(0, size),
  }),
  ...fault('every page before is page one', ['id', ...LINKS], failed('back.missing'), {
    preceding: (_, rows, { size }) => rows.slice(0, size),
  }),
  ...fault('backward pages are in ascending order', ['id', 'url', 'link'], noted('back.missing'), {
    page: (page, { isBackward }) => {
      if (isBackward) page.rows = page.rows.toReversed();
    },
  }),
  ...fault('a backward page is an error of the server', ['id', 'link'], failed('back.missing', 'page.error'), {
    reply: (reply, { isBackward, anchor }) => {
      if (isBackward && anchor !== undefined) crash(reply);
    },
  }),
];

export const KEY_FAULTS: readonly Fault[] = [
  ...fault('only page one needs the key', ALL, failed('key.unchecked'), (style) => ({
    key: KEY,
    isOpen: ({ query }) => query.has(cursorOfStyle(style)),
  })),
  ...fault('pages after the second do not need the key', ['page'], failed('key.unchecked'), {
    key: KEY,
    isOpen: ({ query }) => Number(query.get('page')) > 2,
  }),
];
