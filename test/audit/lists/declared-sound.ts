/** Sound lists of which something is declared. */
import { ALL, CURSORS, LINKS, NUMBERS, TOKENS, variant } from './fault.ts';
import { accounts, bindsFilter, lists, otherList, second } from './bound-faults.ts';
import type { Declared, Sound } from './fault.ts';
import { filtered, open, statused } from './filter-faults.ts';
import { getItem, withItems } from './get-faults.ts';
import { at, many, newest, ranked, sized } from './order-faults.ts';
import { rowsOf } from './server.ts';

type Key = NonNullable<Declared['order']>[number];
/** @returns another number with every call. */
let called = 0;
const next = (): number => (called += 1);
/** Half of them have one sort value. */
const halves = (of: (n: number) => unknown): readonly unknown[] => many((n) => of(n - (n % 2)));

const ORDERS: readonly (readonly [what: string, ranks: readonly unknown[], ...keys: readonly Key[]])[] = [
  ['numbers', many((n) => n - 30), { by: 'rank' }, { by: 'id' }],
  ['numbers, descending', many((n) => 60.5 - n), { by: '-rank' }],
  ['numbers that are text, by number', many((n) => String(n + 1)), { by: 'rank' }],
  ['numbers that are text, by number, as declared', many((n) => String(n + 1)), { by: 'rank', type: 'number' }],
  ['numbers that are text, as text', many((n) => String(n + 1)).toSorted(), { by: 'rank', type: 'text' }],
  ['amounts with a unit', many((n) => (n < 30 ? `${String(n + 1)} KB` : `${String(n - 28)} MB`)), { by: 'rank' }],
  ['falses before trues', many((n) => n >= 30), { by: 'rank' }],
  ['names by code points', ['Ant', 'Bee', 'Zoo', 'ant', 'bee', 'zoo'], { by: 'rank', type: 'bytes' }],
  ['names by code points, as text', ['Ant', 'Bee', 'Zoo', 'ant', 'bee', 'zoo'], { by: 'rank', type: 'text' }],
  ['names of mixed case', ['ant', 'Ant', 'Bee', 'bee', 'cat', 'Dog', 'zoo'], { by: 'rank', type: 'text' }],
  ['names without a declaration', ['ant', 'Ant', 'Bee', 'bee', 'cat', 'Dog', 'zoo'], { by: 'rank' }],
  ['names with accents', ['eclair', 'éclair', 'etude', 'étude', 'zebra', 'äther'], { by: 'rank', type: 'text' }],
  [
    'names with accents at their letters',
    ['apple', 'äther', 'bee', 'eclair', 'éclair', 'zebra'],
    { by: 'rank', type: 'text' },
  ],
  [
    'names where punctuation is ignored',
    ['co-op', 'coop', 'co op', 'cop', 'de luge', 'deluge'],
    { by: 'rank', type: 'text' },
  ],
  ['numbered names by number', many((n) => `row ${String(n + 1)}`), { by: 'rank', type: 'text' }],
  ['numbered names as text', many((n) => `row ${String(n + 1)}`).toSorted(), { by: 'rank', type: 'text' }],
  ['Danish names', ['Bo', 'Ib', 'Zoe', 'Aage', 'Aase'], { by: 'rank', type: 'text' }],
  ['Czech names', ['Cyril', 'Hana', 'Chrudim', 'Ivan'], { by: 'rank', type: 'text' }],
  ['Hungarian names', ['Cukor', 'Csaba', 'Dora'], { by: 'rank', type: 'text' }],
  ['Lithuanian names', ['Ignas', 'Yla', 'Jonas'], { by: 'rank', type: 'text' }],
  ['Estonian names', ['Sirje', 'Zoja', 'Toomas'], { by: 'rank', type: 'text' }],
  [
    'values of an enum, in the order of its declaration',
    many((n) => ['low', 'high', 'critical'][Math.floor(n / 20)]),
    { by: 'rank' },
  ],
  [
    'UUIDs as SQL Server orders them',
    many((n) => `${String(99 - n)}bacada-0000-4000-8000-0000000000${String(n + 10)}`),
    { by: 'rank' },
  ],
  [
    'dates as people write them',
    ['Fri, 02 Jan 2026', 'Sat, 03 Jan 2026', 'Sun, 04 Jan 2026', 'Mon, 05 Jan 2026'],
    { by: 'rank' },
  ],
  ['dates as Americans write them', ['12/30/2025', '12/31/2025', '01/01/2026', '01/02/2026'], { by: 'rank' }],
  ['times of several zones', many((n) => (n % 2 ? at(n + 120, '+02:00') : at(n, 'Z'))), { by: 'rank' }],
  ['times with and without fractions', many((n) => (n % 2 ? at(n, '.5Z') : at(n, 'Z'))), { by: 'rank' }],
  ['times with a space and a short zone', many((n) => at(n, '.123456+00').replace('T', ' ')), { by: 'rank' }],
  [
    'times without a zone, when clocks go back',
    [...many((n) => at(60 + n, '')), ...many((n) => at(60 + n, '')), ...many((n) => at(120 + n, ''))],
    { by: 'rank' },
  ],
  ['days', many((n) => at(n * 1440).slice(0, 10)), { by: 'rank' }],
  [
    'the same instants in other notations',
    halves((n) => n).map((n, index) => at(Number(n) + (index % 2) * 60, index % 2 ? '+01:00' : '.000000Z')),
    { by: 'rank' },
    { by: 'id' },
  ],
  ['equal numbers, and then the id', halves((n) => n), { by: 'rank' }, { by: 'id' }],
  [
    'equal words of other case, and then the id',
    many((n) => (n % 2 ? 'Ant' : 'ant')),
    { by: 'rank', type: 'text' },
    { by: 'id' },
  ],
  ['nulls first', [null, null, ...many((n) => n)], { by: 'rank' }, { by: 'id' }],
  ['nulls last', [...many((n) => n), null, null], { by: 'rank' }, { by: 'id' }],
  ['nulls last, as declared', [...many((n) => n), null, null], { by: 'rank', nulls: 'last' }],
  ['descending, nulls first, as declared', [null, null, ...many((n) => 60 - n)], { by: '-rank', nulls: 'first' }],
  ['numbers above 2^53', many((n) => 2n ** 53n + BigInt(n)), { by: 'rank' }, { by: 'id' }],
  [
    'numbers above 2^53, two of which are the same in double precision',
    [2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n],
    { by: 'rank' },
    { by: '-id' },
  ],
];
/** Seconds that hide a fraction, by which the list is ordered. */
const HIDDEN = ranked(halves((n) => at(n, 'Z')));
const EPOCHS = ranked(halves((n) => 1_767_225_600 + n));

export const DECLARED_SOUND: readonly Sound[] = [
  ...ALL.map((style) =>
    variant(
      `${style}: all is as declared`,
      { ...filtered(style), style, ...(style === 'token' && { isSalted: true }) },
      {
        ...newest(style),
        ...sized({ max: 50, default: 10, above: 'clamp', exact: true })(style),
        ...open(),
      },
    ),
  ),
  ...ALL.map((style) =>
    variant(
      `${style}: sizes are rejected, as declared`,
      { style, sizes: { default: 10, max: 50, rejects: true } },
      sized({ max: 50, default: 10, above: 'reject', invalid: 'reject' })(style),
    ),
  ),
  ...ALL.map((style) =>
    variant(
      `${style}: sizes are clamped, as declared`,
      { style, bad: (part) => (part === 'size' ? 'ignore' : undefined) },
      sized({ max: 50, default: 10, above: 'clamp', invalid: 'default' })(style),
    ),
  ),
  ...(['token', 'page'] as const).map((style) =>
    variant(
      `${style}: the list is shorter than the default size`,
      { style, rows: rowsOf(7, (n) => n) },
      sized({ default: 10, max: 50, above: 'clamp' })(style),
    ),
  ),
  ...ORDERS.map(([what, ranks, ...keys], index) => {
    const style = ALL[index % 6] ?? 'id';
    return variant(`${style}: ordered by ${what}`, { style, rows: ranked(ranks) }, { order: keys });
  }),
  variant(
    'token: equal seconds hide what the list is ordered by',
    { style: 'token', rows: HIDDEN },
    { order: [{ by: 'rank' }, { by: '-id' }] },
  ),
  variant(
    'offset: equal seconds since 1970 hide what the list is ordered by',
    { style: 'offset', rows: EPOCHS },
    { order: [{ by: 'rank' }, { by: '-id' }] },
  ),
  variant(
    'url: a property that some items lack',
    { style: 'url', rows: ranked([...many((n) => n), undefined, undefined]) },
    { order: [{ by: 'rank' }] },
  ),
  ...ALL.map((style) => variant(`${style}: the filter is exact`, { style, ...filtered(style) }, open())),
  variant(
    'token: few items pass the filter',
    {
      style: 'token',
      ...filtered(
        'token',
        undefined,
        statused('token').map((it, index) => ({ ...it, status: index % 40 === 0 ? 'open' : 'closed' })),
      ),
    },
    open(),
  ),
  variant(
    'url: the filter ignores case, and values have one',
    {
      style: 'url',
      ...filtered(
        'url',
        (_, { query }, rows) => rows.filter((it) => it.status?.toLowerCase() === query.get('status')),
        statused('url').map((it, index) => (index % 6 === 0 ? { ...it, status: 'Open' } : it)),
      ),
    },
    open(),
  ),
  variant(
    'offset: the filter is by a property that items do not show',
    {
      style: 'offset',
      order: (rows, { query }) => (query.has('status') ? rows.filter((_, index) => index % 3 > 0) : rows),
    },
    open(),
  ),
  ...(['token', 'url'] as const).map((style) =>
    variant(
      `${style}: every item passes the filter`,
      {
        style,
        ...filtered(
          style,
          undefined,
          statused(style).map((it) => ({ ...it, status: 'open' })),
        ),
      },
      open(),
    ),
  ),
  ...NUMBERS.map((style) =>
    variant(`${style}: nothing passes the filter`, { style, ...filtered(style) }, { filter: { status: 'lost' } }),
  ),
  ...(['id', 'token', 'link', 'page', 'offset'] as const).map((style) =>
    variant(`${style}: items by id are the same`, { style, ...withItems(statused(style)) }, getItem()),
  ),
  variant(
    'url: items by id have more',
    { style: 'url', ...withItems(statused('url'), (row) => ({ ...row, lines: [1, 2], owner: { id: 1 } })) },
    getItem(),
  ),
  variant(
    'token: items by id are in an envelope',
    { style: 'token', ...withItems(statused('token'), (row) => ({ data: row, meta: { id: 'x' } })) },
    getItem(),
  ),
  variant(
    'id: times of items by id have another notation',
    {
      style: 'id',
      ...withItems(statused('id'), (row) => ({ ...row, created: row.created.replace('.000Z', '+00:00') })),
    },
    getItem(),
  ),
  variant(
    'link: ids need percent-encoding',
    { style: 'link', ...withItems(rowsOf(60, (n) => `a b/ü&${String(n)}+#%41`)) },
    getItem(),
  ),
  variant(
    'an id that is a step up the path is not asked for',
    { style: 'link', ...withItems(rowsOf(60, (n) => (n === 1 ? '..' : `i${String(n)}`))) },
    getItem(),
  ),
  variant(
    'token: a value changes with every request',
    {
      style: 'token',
      ...withItems(statused('token'), (row) => ({ ...row, rank: next() })),
      page: (page) => {
        page.rows = page.rows.map((row) => ({ ...row, rank: next() }));
      },
    },
    getItem(),
  ),
  ...CURSORS.map((style) =>
    variant(`${style}: a cursor of another account is a place`, { style, ...accounts(style) }, second()),
  ),
  ...(['id', 'token'] as const).map((style) =>
    variant(
      `${style}: a cursor of another account is rejected`,
      {
        style,
        ...accounts(style),
        reply: (reply, { anchor, req }) => {
          if (anchor !== undefined && `Bearer ${String(anchor.status)}` !== req.headers.authorization)
            Object.assign(reply, { status: 404, body: { error: 'No such cursor' } });
        },
      },
      second(),
    ),
  ),
  variant('url: both accounts are one', { style: 'url' }, second()),
  ...(['id', 'token'] as const).map((style) =>
    variant(`${style}: a cursor of another list is a place`, { style, ...lists(false) }, otherList()),
  ),
  variant(
    'token: two lists have the same ids',
    {
      style: 'token',
      before: ({ url }) => {
        if (url.pathname === '/others') url.pathname = '/items';
        return undefined;
      },
    },
    otherList(),
  ),
  ...TOKENS.map((style) =>
    variant(`${style}: a cursor of another filter is rejected`, { style, ...bindsFilter(style, false) }, open()),
  ),
  ...LINKS.map((style) => variant(`${style}: the other list is not there`, { style }, otherList())),
];
