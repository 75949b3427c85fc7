/** Faults of traversals: items lost or doubled, lists without an end, errors on the way, ids that are confused. */
import {
  ALL,
  CURSORS,
  LATE,
  NUMBERS,
  TOKENS,
  after,
  crash,
  failed,
  fault,
  holds,
  indexOf,
  isBehind,
  isFirst,
  noted,
  tiesReversed,
  without,
} from './fault.ts';
import type { Fault } from './fault.ts';
import { rowsOf, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { Hooks, Id, ListOptions, Reply, Row, Style } from './server.ts';

const FIVE = 5;
/** Each five share an instant. The number of rows is a multiple. */
const IN_FIVES = rowsOf(95, (n) => n).map((row, at, all): Row => ({
  ...row,
  created: all[at - (at % FIVE)]?.created ?? '',
}));

// The ties of the offset style are from 38 to 53.
const TIES_MIDDLE = 45;

/** Changes the list if a page is of such a size. */
const ofSize = (test: (size: number) => boolean, change: (rows: readonly Row[]) => readonly Row[]): Hooks => ({
  order: (rows, { size }) => (test(size) ? change(rows) : rows),
});

/** Changes the response with a row in the middle. */
const inMiddle =
  (edit: (reply: Reply) => unknown) =>
  (style: Style): Hooks => ({
    page: (page, call) => {
      if (holds(page, style, 45)) call.isMarked = true;
    },
    reply: (reply, call) => {
      if (call.isMarked) edit(reply);
    },
  });

const EMPTY_FOR_EVER: Omit<ListOptions, 'style'> = {
  page: (page, call) => {
    page.next ??= call.to(page.rows.at(-1) ?? call.anchor);
  },
};

export const TRAVERSAL_FAULTS: readonly Fault[] = [
  ...fault('a page whose size is asked for has no next page', TOKENS, failed('items.missing'), (style) => ({
    page: (page, { query }) => {
      if (query.has(sizeOfStyle(style))) page.next = undefined;
    },
  })),
  ...fault('a page that begins at the last item, the 101st, is a 400', NUMBERS, failed('items.missing'), (style) => ({
    rows: rowsOfStyle(style, 101),
    reply: (reply, { start }) => {
      if (start === 100) Object.assign(reply, { status: 400, body: { error: 'Bad Request' } });
    },
  })),
  ...fault('the cursor includes the sort value: equal ones come again', TOKENS, failed('end.never', 'items.repeated'), {
    following: ({ created, id }, rows) => rows.filter((it) => it.created <= created && it.id !== id),
  }),
  ...fault('a page begins with the last item of the page before', CURSORS, failed('items.repeated'), {
    following: (anchor, rows, { size }) => rows.slice(indexOf(rows, anchor) + (size > 1 ? 0 : 1)),
  }),
  ...fault('one item is lost where it would begin a page', ['token', 'link'], failed('items.missing'), (style) => ({
    following: (anchor, rows) => {
      const rest = after(rows, anchor);
      return rest[0]?.id === rowsOfStyle(style)[33]?.id ? rest.slice(1) : rest;
    },
  })),
  ...fault('pages overlap by one item', ['page'], failed('items.repeated'), {
    start: (start, _, { size }) => Math.max(0, start - (size > 1 ? start / size : 0)),
  }),
  ...fault('pages are one item apart', ['page'], failed('items.missing'), {
    start: (start, _, { size }) => start + start / size,
  }),
  ...fault('an offset is rounded down to tens', ['offset'], failed('items.repeated', 'end.never'), {
    start: (start) => start - (start % 10),
  }),
  ...fault('an offset behind page three is one too high', ['offset'], failed('items.missing'), {
    start: (start) => start + (start > LATE ? 1 : 0),
  }),
  ...fault(
    'the cursor counts pages of the default size',
    ['token'],
    failed('end.never', 'items.missing', 'items.repeated'),
    {
      following: (anchor, rows, { size }) => rows.slice(Math.ceil((indexOf(rows, anchor) + 1) / size) * 10),
    },
  ),
  ...fault('more is false on the last page but one', CURSORS, failed('items.missing'), {
    page: (page, { size }) => {
      if (page.left <= size) page.next = undefined;
    },
  }),
  ...fault(
    'hidden items count for the page, and a page that is not full is the end',
    TOKENS,
    failed('items.missing'),
    (style) => ({
      page: (page, { size }) => {
        page.rows = page.rows.filter((it) => it.id !== rowsOfStyle(style)[45]?.id);
        if (page.rows.length < size) page.next = undefined;
      },
    }),
  ),
  ...fault('more is always true', ['id'], failed('end.never', 'end.multiple'), {
    body: ({ rows }) => ({ data: rows, has_more: true }),
  }),
  ...fault('empty pages follow the last one for ever', ['url', 'link'], failed('end.never'), EMPTY_FOR_EVER),
  // An empty page with the token that was sent is the end of some lists.
  ...fault(
    'an empty page follows the last one, and returns its own token',
    ['token'],
    noted('end.multiple'),
    EMPTY_FOR_EVER,
  ),
  ...fault('the last page repeats for ever', TOKENS, failed('end.never', 'items.repeated'), {
    following: (anchor, rows, { size }) => {
      const rest = after(rows, anchor);
      return rest.length === 0 ? rows.slice(-size) : rest;
    },
    page: (page, call) => {
      page.next ??= call.to(page.rows.at(-1));
    },
  }),
  ...fault('pages past the end repeat the last one', NUMBERS, failed('end.never', 'end.beyond'), {
    start: (start, { length }, { size }) => Math.min(start, Math.floor((length - 1) / size) * size),
  }),
  ...fault('the last page comes twice', ['token'], failed('items.repeated'), {
    following: (anchor, rows, { size }) => (anchor.id === rows.at(-1)?.id ? rows.slice(-size) : after(rows, anchor)),
    page: (page, call) => {
      if (page.left === 0 && call.anchor?.id !== page.rows.at(-1)?.id) page.next = call.to(page.rows.at(-1));
    },
  }),
  ...fault('a page of one item ignores the cursor', CURSORS, failed('end.never', 'items.repeated'), {
    following: (anchor, rows, { size }) => (size === 1 ? rows : after(rows, anchor)),
  }),
  ...fault(
    'an item is lost with size 1',
    ALL,
    failed('items.missing'),
    ofSize(
      (it) => it === 1,
      (rows) => without(rows, 40),
    ),
  ),
  ...fault(
    'an item is lost with the maximum size',
    ALL,
    failed('items.missing'),
    ofSize(
      (it) => it === 50,
      (rows) => without(rows, 5),
    ),
  ),
  ...fault('an item is lost where no size is sent', ALL, failed('items.missing'), (style) => ({
    order: (rows, { query }) => (query.has(sizeOfStyle(style)) ? rows : without(rows, 45)),
  })),
  ...fault(
    'near the end of a long list, an item is lost where no size is sent',
    ALL,
    failed('items.missing'),
    (style) => ({
      rows: rowsOfStyle(style, 1300),
      order: (rows, { query }) => (query.has(sizeOfStyle(style)) ? rows : without(rows, 1285)),
    }),
  ),
  ...fault('an item comes twice where no size is sent', ['url', 'offset'], failed('items.repeated'), (style) => ({
    page: (page, { query }) => {
      if (!query.has(sizeOfStyle(style)) && isBehind(page, style, LATE))
        page.rows = [...page.rows, ...page.rows.slice(-1)];
    },
  })),
  ...fault('where no size is sent, a later page is an error', ['token', 'page'], failed('page.error'), (style) => ({
    page: (page, call) => {
      if (!call.query.has(sizeOfStyle(style)) && holds(page, style, 45)) call.isMarked = true;
    },
    reply: (reply, call) => {
      if (call.isMarked) crash(reply);
    },
  })),
  ...fault(
    'equal values are in another order where no size is sent',
    ['id', 'link'],
    noted('order.unstable'),
    (style) => ({
      order: (rows, { query }) => (query.has(sizeOfStyle(style)) ? rows : tiesReversed(rows)),
    }),
  ),
  // An audit that takes 5 for the maximum asks for no page of 7.
  ...fault('a size above the maximum means 5, and with size 7 an item is lost', ['token'], failed('items.missing'), {
    size: (asked, max) => (asked > max ? 5 : asked),
    order: (rows, { size }) => (size === 7 ? without(rows, 20) : rows),
  }),
  // An audit that takes 1,000 for the maximum reads two pages, and no part from a later one on.
  ...fault('far down a list without a maximum, an item is lost with size 3', ['token'], failed('items.missing'), {
    rows: rowsOf(1300, (n) => n),
    sizes: { default: 10, max: Infinity },
    order: (rows, { size }) => (size === 3 ? without(rows, 1240) : rows),
  }),
  // An audit that takes the length of the list for the maximum reads one page.
  ...fault('the list has no maximum, and with size 100 an item is lost', ['url'], failed('items.missing'), {
    rows: rowsOf(240, (n) => n),
    sizes: { default: 10, max: Infinity },
    order: (rows, { size }) => (size === 100 ? without(rows, 150) : rows),
  }),
  ...fault('page one holds an item twice', ALL, failed('items.repeated'), {
    page: (page) => {
      if (isFirst(page)) page.rows = [...page.rows.slice(0, 1), ...page.rows];
    },
  }),
  ...fault('a join holds items twice on every page', ['url', 'page'], failed('items.repeated'), {
    page: (page) => {
      page.rows = page.rows.flatMap((it, at) => (at === 1 ? [it, it] : [it]));
    },
  }),
  // Items that change places look new on small pages, also where the parameter is ignored.
  ...fault(
    'equal values are in another order at every request',
    ['offset'],
    failed('items.repeated', 'items.missing'),
    {
      rows: IN_FIVES,
      order: (rows, { number }) =>
        rows.map((_, at) => rows[at - (at % FIVE) + ((at + number) % FIVE)]).filter((it) => it !== undefined),
    },
  ).map((it) => ({ ...it, silent: 'end.never' })),
  // Every traversal has an item twice and another one not at all: as many items as there are, but fewer different ones.
  ...fault(
    'equal values are in another order from the middle on',
    ['offset'],
    failed('items.repeated', 'items.missing'),
    {
      order: (rows, { start }) => (start >= TIES_MIDDLE ? tiesReversed(rows) : rows),
    },
  ).map((it) => ({ ...it, silent: 'end.beyond' })),
  ...fault(
    'the order of equal values depends on the size',
    ALL,
    noted('order.unstable'),
    ofSize((it) => it === 3, tiesReversed),
  ),
  ...fault('the page of one item is an error', ALL, failed('page.error'), inMiddle(crash)),
  ...fault('a page in the middle is HTML', ['token', 'page'], failed('page.error'), (style) => ({
    body: ({ rows, next }) =>
      rows.some((it) => it.id === rowsOfStyle(style)[45]?.id)
        ? '<html>Bad gateway</html>'
        : { items: rows, ...(style === 'token' && { next_cursor: next?.['cursor'] ?? null }) },
  })),
  ...fault(
    'a page in the middle is an error with status 200',
    ['url', 'offset'],
    failed('page.error'),
    inMiddle((reply) => (reply.body = { error: 'timeout' })),
  ),
];

/** Ids that only their text tells apart. Each pair is of neighbours. */
const pairOf = (first: Id, second: Id): readonly Row[] =>
  rowsOf(64, (n) => {
    if (n === 30 || n === 29) return n === 30 ? first : second;
    return first === 'ab' ? `c${String(n)}` : n + 1000;
  });

export const ID_FAULTS: readonly Fault[] = [
  ...fault('1 and "1" are one item on a page', ['token', 'offset'], failed('items.missing'), {
    rows: pairOf(1, '1'),
    page: (page) => {
      page.rows = [...new Map(page.rows.map((it) => [String(it.id), it])).values()];
    },
  }),
  ...fault('two ids above 2^53 are one item on a page', ['page'], failed('items.missing'), {
    rows: pairOf(2n ** 53n + 1n, 2n ** 53n),
    page: (page) => {
      page.rows = [...new Map(page.rows.map((it) => [Number(it.id), it])).values()];
    },
  }),
  ...fault('the cursor ignores case', ['token', 'link'], failed('items.missing'), {
    rows: pairOf('ab', 'AB'),
    // Behind the first of a pair comes what follows the second.
    following: (anchor, rows) => {
      const textOf = ({ id }: Row): string => String(id).toLowerCase();
      return rows.slice(rows.findLastIndex((row) => textOf(row) === textOf(anchor)) + 1);
    },
  }),
];
