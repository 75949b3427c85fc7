/** Faults of filters: items that do not match, matches that are lost, pages that are cut before they are filtered. */
import { ALL, LINKS, TOKENS, crash, failed, fault, noted, withStatus, without } from './fault.ts';
import type { Declared, Expected, Fault } from './fault.ts';
import { cursorOfStyle, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Hooks, ListOptions, Row, Style } from './server.ts';

export const statused = (style: Style): readonly Row[] => withStatus(rowsOfStyle(style));
export const open = (): Declared => ({ filter: { status: 'open' } });
const matching = (rows: readonly Row[], { query }: Call): readonly Row[] => {
  const status = query.get('status');
  return status === null ? rows : rows.filter((it) => it.status === status);
};
/** A list that can be filtered. @param change changes what the filter lets pass. */
export const filtered = (
  style: Style,
  change: (matched: readonly Row[], call: Call, rows: readonly Row[]) => readonly Row[] = (matched) => matched,
  rows = statused(style),
): Omit<ListOptions, 'style'> => ({
  rows,
  order: (all, call) => (call.query.has('status') ? change(matching(all, call), call, all) : all),
});
const position = (style: Style, { query }: Call): boolean =>
  query.has(cursorOfStyle(style)) && !['0', '1'].includes(query.get(cursorOfStyle(style)) ?? '');
const losesFilter: NonNullable<Hooks['link']> = (link, rel) => {
  const url = new URL(link);
  if (rel === 'next') url.searchParams.delete('status');
  return url.href;
};
const sizeIs =
  (style: Style, size: string) =>
  ({ query }: Call): boolean =>
    query.get(sizeOfStyle(style)) === size && query.has('status');

/** A list that filters its pages, once they are cut. */
const filtersPages = (style: Style): Omit<ListOptions, 'style'> => ({
  rows: statused(style),
  page: (page, call) => {
    page.rows = matching(page.rows, call);
  },
});
/** @returns a fault in each of some styles, of which a filter is declared. */
const filters = (
  name: string,
  styles: readonly Style[],
  expected: Expected,
  change: (style: Style) => Omit<ListOptions, 'style'>,
  declared: (style: Style) => Declared = open,
): readonly Fault[] => fault(name, styles, expected, change, declared);

export const FILTER_FAULTS: readonly Fault[] = [
  ...filters('the filter is ignored', ALL, failed('filter.wrong'), (style) => ({ rows: statused(style) })),
  ...filters('an item of another value passes the filter', ALL, failed('filter.wrong'), (style) =>
    filtered(style, (_, __, rows) => rows.filter((it, at) => it.status === 'open' || at === 11)),
  ),
  ...filters('an item does not pass the filter, though it has the value', ALL, failed('filter.wrong'), (style) =>
    filtered(style, (matched) => without(matched, 31)),
  ),
  ...filters('items without a value pass the filter', ['url', 'offset'], failed('filter.wrong'), (style) => ({
    rows: statused(style).map((it, at) => (at % 9 === 4 ? { ...it, status: null } : it)),
    order: (rows, { query }) => rows.filter((it) => !query.has('status') || it.status !== 'closed'),
  })),
  ...filters('the filter lets nothing pass', ['token', 'page'], failed('filter.wrong'), (style) =>
    filtered(style, () => []),
  ),
  ...filters('the next link loses the filter', LINKS, failed('filter.dropped'), (style) => ({
    ...filtered(style),
    link: losesFilter,
  })),
  ...filters(
    'with a cursor or a position, the filter is ignored',
    ['id', 'token', 'offset', 'page'],
    failed('filter.dropped'),
    (style) => filtered(style, (matched, call, rows) => (position(style, call) ? rows : matched)),
  ),
  ...filters(
    'the size counts items that do not pass the filter, and a page that is not full is the last',
    TOKENS,
    failed('filter.wrong', 'filter.missing'),
    (style) => ({
      rows: statused(style),
      page: (page, call) => {
        page.rows = matching(page.rows, call);
        if (page.rows.length < call.size) page.next = undefined;
      },
    }),
  ),
  ...filters('the size counts items that do not pass the filter', TOKENS, noted('filter.missing'), filtersPages),
  ...filters(
    'the size counts items that do not pass the filter, though pages are exact',
    TOKENS,
    failed('filter.missing'),
    filtersPages,
    (style) => ({ ...open(), size: { param: sizeOfStyle(style), exact: true } }),
  ),
  // The rules of readings hold it to the same as the whole list.
  ...filters('filtered, an item is lost with size 3', ALL, failed('filter.missing'), (style) =>
    filtered(style, (matched, call) => (sizeIs(style, '3')(call) ? without(matched, 20) : matched)),
  ),
  ...filters(
    'filtered, pages of 7 are an error of the server',
    ['id', 'url', 'offset'],
    failed('filter.missing'),
    (style) => ({
      ...filtered(style),
      reply: (reply, call) => {
        if (sizeIs(style, '7')(call)) crash(reply);
      },
    }),
  ),
];

/** What a list is ordered by, and its filter. */
const openByCreated = (): Declared => ({ ...open(), order: [{ by: '-created' }] });

export const FILTERED_ORDER_FAULTS: readonly Fault[] = [
  ...fault(
    'filtered, oldest first',
    ALL,
    failed('order.wrong'),
    (style) => filtered(style, (matched) => matched.toReversed()),
    openByCreated,
  ),
];
