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
  ...notTen('the default size is 9, not 10', ['id', 'page'], { sizes: { default: 9, max: 50 } }),
  ...notTen('without a size, pages have the maximum', LINKS, { sizes: { default: 50, max: 50 } }),
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
/** A size that makes no sense, and means the default. */
const defaultFor = (value: string): Hooks => ({
  bad: (part, it) => (part === 'size' && it === value ? 'ignore' : undefined),
});
/** 0, -1 and text mean the default size, but for one of them. */
const allButOne = (value: string, treatment: number | 'reject'): Hooks => ({
  bad: (part, it) => (part === 'size' ? (it === value ? treatment : 'ignore') : undefined),
});

export const OUTSIDE_FAULTS: readonly Fault[] = [
  ...rejectsNot('a size above the maximum is clamped, not rejected', ALL, {}),
  ...rejectsNot('a size of 0 is the default, not rejected', ['id', 'page'], { sizes: REJECTS, ...defaultFor('0') }),
  ...rejectsNot('a size of -1 is the default, not rejected', ['token', 'offset'], {
    sizes: REJECTS,
    ...defaultFor('-1'),
  }),
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
  ...clampsNot('a size above the maximum is taken as it is', ['token', 'link', 'offset'], {
    size: (asked) => asked,
    ...allButOne('', 'reject'),
  }),
  ...clampsNot('a size of 0 is rejected, not the default', ['id', 'offset'], allButOne('0', 'reject')),
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
export const many = <T>(of: (at: number) => T, length = 60): readonly T[] => Array.from({ length }, (_, at) => of(at));
const swapped = <T>(values: readonly T[], at: number): readonly T[] => [
  ...values.slice(0, at),
  ...values.slice(at, at + 2).reverse(),
  ...values.slice(at + 2),
];
export const at = (minute: number, rest = '.000Z'): string =>
  new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().replace('.000Z', rest);
const WORDS =
  'ant bee cat dog eel fox gnu hen ibis jay kite lark mole newt owl pug ram swan toad urial vole wolf'.split(' ');

export const ORDER_FAULTS: readonly Fault[] = [
  ...disordered('oldest first', ALL, { order: (rows) => rows.toReversed() }),
  ...disordered('two late items are the wrong way round', ALL, (style) => ({
    rows: swapped(rowsOfStyle(style), rowsOfStyle(style).length - 5),
  })),
  ...disordered('the newest item is the last one', ['id', 'url', 'page'], {
    order: (rows) => [...rows.slice(1), ...rows.slice(0, 1)],
  }),
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
  ...(
    [
      [
        'numbers are ordered as text',
        many((n) => 60 - n).toSorted((a, b) => (String(a) < String(b) ? 1 : -1)),
        { by: '-rank' },
      ],
      [
        'one number is out of place',
        swapped(
          many((n) => n * 1.5),
          40,
        ),
        { by: 'rank' },
      ],
      ['true is before false', many((n) => n < 30), { by: 'rank' }],
      ['numbers that are text are ordered as text', many((n) => String(n)).toSorted(), { by: 'rank', type: 'number' }],
      [
        'times of other zones are ordered as text',
        many((n) => (n % 2 ? at(n + 120, '+02:00') : at(n, 'Z'))).toSorted(),
        { by: 'rank' },
      ],
      [
        'microseconds are out of order',
        swapped(
          many((n) => at(0, `.000${String(100 + n)}Z`)),
          44,
        ),
        { by: 'rank' },
      ],
      [
        'seconds since 1970 are out of order',
        swapped(
          many((n) => 1_767_225_600 + n),
          50,
        ),
        { by: 'rank' },
      ],
      [
        'days are out of order',
        swapped(
          many((n) => at(n * 1440).slice(0, 10)),
          20,
        ),
        { by: 'rank' },
      ],
      ['times without a zone are out of order', many((n) => at(n * 90, '')).toReversed(), { by: 'rank' }],
      ['two words are the wrong way round', swapped(WORDS, 15), { by: 'rank', type: 'text' }],
      [
        'names of one case are out of order',
        swapped(
          many((n) => `Row ${String(n + 100)}`),
          33,
        ),
        { by: 'rank', type: 'text' },
      ],
      [
        'capitals are not before small letters',
        many((n) => `${n % 2 ? 'a' : 'A'}${String(n + 10)}`).toSorted((a, b) =>
          a.toLowerCase() < b.toLowerCase() ? -1 : 1,
        ),
        { by: 'rank', type: 'bytes' },
      ],
      ['nulls are first, not last', [...many(() => null, 5), ...many((n) => n)], { by: 'rank', nulls: 'last' }],
      ['nulls are last, not first', [...many((n) => n), ...many(() => null, 5)], { by: 'rank', nulls: 'first' }],
      ['a null is in the middle', many((n) => (n === 41 ? null : n)), { by: 'rank' }],
      ['times without a zone ascend, and must descend', many((n) => at(n * 90, '')), { by: '-rank' }],
    ] satisfies readonly (readonly [string, readonly unknown[], NonNullable<Declared['order']>[number]])[]
  ).flatMap(([what, ranks, key], index) =>
    fault(what, [ALL[index % 6] ?? 'id'], failed('order.wrong'), { rows: ranked(ranks) }, byRank(key)),
  ),
  ...fault(
    'words in no order, though nobody has said that they are text',
    ['token'],
    noted('order.wrong'),
    { rows: ranked(WORDS.toReversed()) },
    byRank({ by: 'rank' }),
  ),
];

const half = (of: (n: number) => unknown): readonly unknown[] => many((n) => of(Math.floor(n / 2)));

export const TIE_FAULTS: readonly Fault[] = [
  ...fault(
    'equal values are in ascending order of the id',
    ALL,
    failed('order.ties'),
    (style) => ({ rows: tiesReversed(rowsOfStyle(style)) }),
    newest,
  ),
  ...fault(
    'two equal values are the wrong way round',
    ALL,
    failed('order.ties'),
    (style) => ({ rows: swapped(rowsOfStyle(style), Math.floor(rowsOfStyle(style).length * 0.4) + 4) }),
    newest,
  ),
  ...(
    [
      ['equal numbers', half((n) => n), { by: 'rank' }],
      ['equal words', half((n) => WORDS[n % 22] ?? '').toSorted(), { by: 'rank', type: 'text' }],
      [
        'the same instant in other zones',
        many((n) => at(n - (n % 2) + (n % 2) * 60, n % 2 ? '.000+01:00' : '.000Z')),
        { by: 'rank' },
      ],
      [
        'the same instant with other digits',
        many((n) => at(n - (n % 2), n % 2 ? '.000000Z' : '.000Z')),
        { by: 'rank' },
      ],
      ['two nulls', [...many((n) => n), null, null, null], { by: 'rank' }],
      ['equal seconds, which are declared to be all', half((n) => at(n, 'Z')), { by: 'rank', type: 'time' }],
    ] satisfies readonly (readonly [string, readonly unknown[], NonNullable<Declared['order']>[number]])[]
  ).flatMap(([what, ranks, key], index) =>
    fault(
      `the second property is ignored: ${what}`,
      [ALL[index % 6] ?? 'id'],
      failed('order.ties'),
      { rows: ranked(ranks) },
      byRank(key, { by: '-id' }),
    ),
  ),
  ...fault(
    'equal whole seconds, which may hide a fraction',
    ['url', 'token'],
    noted('order.ties'),
    { rows: ranked(half((n) => at(n, 'Z'))) },
    byRank({ by: 'rank' }, { by: '-id' }),
  ),
];
