/** Faults of what a profile declares: the default size, sizes out of range, the order of the list. */
import { ALL, CURSORS, LINKS, TOKENS, before, crash, failed, fault, noted, tiesReversed } from './fault.ts';
import type { Declared, Expected, Fault } from './fault.ts';
import { cursorOfStyle, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { Hooks, Row, Style } from './server.ts';

/** @returns the size of a style, with what else is declared of it. */
export const sized =
  (size: Omit<NonNullable<Declared['size']>, 'param'>) =>
  (style: Style): Declared => ({ size: { param: sizeOfStyle(style), ...size } });
/** @returns a fault, in each of some styles, of what is declared. */
const against =
  (declared: (style: Style) => Declared, expected: Expected) =>
  (name: string, styles: readonly Style[], change: Parameters<typeof fault>[3]): readonly Fault[] =>
    fault(name, styles, expected, change, declared);
const notTen = against(sized({ default: 10 }), failed('size.default'));

export const DEFAULT_FAULTS: readonly Fault[] = [
  ...notTen('the default size is 20, not 10', ALL, { sizes: { default: 20, max: 50 } }),
  ...notTen('with a cursor, the default size is another one', CURSORS, (style) => ({
    order: (rows, call) => {
      if (call.query.has(cursorOfStyle(style)) && !call.query.has(sizeOfStyle(style))) call.size = 50;
      return rows;
    },
  })),
  ...notTen('backward, the default size is another one', ['id', ...LINKS], (style) => ({
    preceding: (anchor, rows, { query }) => before(rows, anchor).slice(query.has(sizeOfStyle(style)) ? 0 : -5),
  })),
  ...fault(
    'pages have one item fewer than asked, though they are exact',
    ['token', 'url'],
    failed('size.wrong'),
    { size: (asked, max) => Math.max(1, Math.min(asked, max) - 1) },
    sized({ exact: true }),
  ),
  ...fault(
    'pages have one item more than asked, though they are exact',
    ['id', 'link'],
    failed('size.wrong'),
    { size: (asked, max) => Math.min(asked, max) + 1 },
    sized({ exact: true }),
  ),
];

const rejectsNot = against(sized({ max: 50, above: 'reject', invalid: 'reject' }), failed('size.not-rejected'));
const clampsNot = against(sized({ max: 50, above: 'clamp', invalid: 'default' }), failed('size.not-clamped'));
const REJECTS = { default: 10, max: 50, rejects: true };
/** 0, -1 and text mean the default size, but for one of them. */
const allButOne = (value: string, treatment: number | 'reject'): Hooks => ({
  bad: (part, it) => (part === 'size' ? (it === value ? treatment : 'ignore') : undefined),
});

export const OUTSIDE_FAULTS: readonly Fault[] = [
  ...rejectsNot('a size above the maximum is clamped, not rejected', ALL, {}),
  ...rejectsNot('a size that is text is the default, not rejected', LINKS, {
    sizes: REJECTS,
    bad: (part, it) => (part === 'size' && /^[a-z]+$/i.test(it) ? 'ignore' : undefined),
  }),
  ...rejectsNot('a size above the maximum is rejected on page one alone', CURSORS, (style) => ({
    reply: (reply, { query }) => {
      if (Number(query.get(sizeOfStyle(style))) > 50 && !query.has(cursorOfStyle(style))) reply.status = 400;
    },
  })),
  ...rejectsNot('one above the maximum is not rejected', ['token', 'page'], (style) => ({
    reply: (reply, { query }) => {
      if (Number(query.get(sizeOfStyle(style))) > 51) reply.status = 400;
    },
  })),
  ...rejectsNot('one above the maximum is an error of the server', ['url'], {
    sizes: REJECTS,
    reply: (reply, { query }) => {
      if (Number(query.get('limit')) === 51) crash(reply);
    },
  }),
  ...clampsNot('a size above the maximum is rejected, not clamped', ALL, {
    sizes: REJECTS,
    bad: (part) => (part === 'size' ? 'ignore' : undefined),
  }),
  ...clampsNot('a size above the maximum means the default, not the maximum', ['id', 'url', 'page'], {
    size: (asked, max) => (asked > max ? 10 : asked),
    ...allButOne('', 'reject'),
  }),
  ...clampsNot('a size of -1 is 1, not the default', ['token', 'page'], allButOne('-1', 1)),
  ...clampsNot('a size of 0 is an empty page, not the default', LINKS, allButOne('0', 0)),
];

const isText = (style: Style): boolean => typeof rowsOfStyle(style)[0]?.id === 'string';
/** Newest first, and then by the id. */
export const newest = (style: Style): Declared => ({
  order: [{ by: '-created' }, isText(style) ? { by: '-id', type: 'bytes' } : { by: '-id' }],
});
const disordered = against(newest, failed('order.wrong'));
const byRank =
  (...more: NonNullable<Declared['order']>) =>
  (): Declared => ({ order: more });

/** @returns rows with these ranks, in the order of the list. Ids ascend. */
export const ranked = (ranks: readonly unknown[]): readonly Row[] =>
  ranks.map((rank, at) => ({ id: at + 1, created: '2026-01-01T00:00:00.000Z', name: `Row ${String(at + 1)}`, rank }));
const LENGTH = 60;
const many = <T>(of: (at: number) => T): readonly T[] => Array.from({ length: LENGTH }, (_, at) => of(at));
const swapped = <T>(values: readonly T[], at: number): readonly T[] => [
  ...values.slice(0, at),
  ...values.slice(at, at + 2).reverse(),
  ...values.slice(at + 2),
];
const wholeSecond = (minute: number): string =>
  new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().replace('.000Z', 'Z');

export const ORDER_FAULTS: readonly Fault[] = [
  ...disordered('oldest first', ALL, { order: (rows) => rows.toReversed() }),
  ...disordered(
    'two items on both sides of a border are the wrong way round',
    ['token', 'link', 'offset'],
    (style) => ({ rows: swapped(rowsOfStyle(style), 9) }),
  ),
  ...disordered('pages after the first are in ascending order', TOKENS, {
    page: (page, { anchor, isBackward }) => {
      if (anchor !== undefined && !isBackward) page.rows = page.rows.toReversed();
    },
  }),
  ...disordered('pages of 3 have another order', ['token', 'offset'], {
    order: (rows, { size }) => (size === 3 ? swapped(rows, 80) : rows),
  }),
  // `order.test.ts` has the values of other types.
  ...fault(
    'numbers are ordered as text',
    ['id'],
    failed('order.wrong'),
    { rows: ranked(many((n) => 60 - n).toSorted((a, b) => (String(a) < String(b) ? 1 : -1))) },
    byRank({ by: '-rank' }),
  ),
  ...fault(
    'words in no order, though nobody has said that they are text',
    ['token'],
    noted('order.wrong'),
    { rows: ranked('newt mole lark kite jay ibis hen gnu fox eel dog cat bee ant'.split(' ')) },
    byRank({ by: 'rank' }),
  ),
];

export const TIE_FAULTS: readonly Fault[] = [
  ...fault(
    'equal values are in ascending order of the id',
    ALL,
    failed('order.ties'),
    (style) => ({ rows: tiesReversed(rowsOfStyle(style)) }),
    newest,
  ),
  ...fault(
    'equal whole seconds, which may hide a fraction',
    ['url', 'token'],
    noted('order.ties'),
    { rows: ranked(many((n) => wholeSecond(Math.floor(n / 2)))) },
    byRank({ by: 'rank' }, { by: '-id' }),
  ),
];
