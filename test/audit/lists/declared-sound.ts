/** Sound lists of which something is declared. */
import { ALL, CURSORS, LINKS, NUMBERS, TOKENS, variant } from './fault.ts';
import { accounts, bindsFilter, lists, otherList, second } from './bound-faults.ts';
import type { Sound } from './fault.ts';
import { filtered, open, statused } from './filter-faults.ts';
import { getItem, withItems } from './get-faults.ts';
import { newest, sized } from './order-faults.ts';
import { rowsOf } from './server.ts';

/** @returns another number with every call. */
let called = 0;
const next = (): number => (called += 1);
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
