/** Faults of items by their ids. */
import { failed, fault, noted } from './fault.ts';
import type { Declared, Fault } from './fault.ts';
import { statused } from './filter-faults.ts';
import { rowsOf } from './server.ts';
import type { ListOptions, Reply, Row, Style } from './server.ts';

/** A list whose items can be read by their ids. @param change makes the response of an item. */
export const withItems = (
  rows: readonly Row[],
  change: (row: Row, at: number) => unknown = (row) => row,
): Omit<ListOptions, 'style'> => ({
  rows,
  before: ({ url }): Reply | undefined => {
    const [, id] = /^\/items\/(.+)$/.exec(url.pathname) ?? [];
    if (id === undefined) return undefined;
    const at = rows.findIndex((it) => String(it.id) === decodeURIComponent(id));
    const row = rows[at];
    const body = row === undefined ? undefined : change(row, at);
    return body === undefined
      ? { status: 404, headers: {}, body: { error: 'Not found' } }
      : { status: 200, headers: {}, body };
  },
});
export const getItem = (): Declared => ({ get: '/items/{id}' });
const GETS: readonly Style[] = ['id', 'token', 'link', 'page'];
const owned = (row: Row): object => ({ ...row, owner: { id: 1, name: 'Ann' }, tags: ['a', 'b'] });
/** A fault of the response of an item. @param inList what the list has of each row. */
const gets = (
  name: string,
  styles: readonly Style[],
  change: (row: Row, at: number, rows: readonly Row[]) => unknown,
  inList: (row: Row) => Row = (row) => row,
): readonly Fault[] =>
  fault(
    name,
    styles,
    failed('get.different'),
    (style) => {
      const rows = statused(style).map(inList);
      return withItems(rows, (row, at) => change(row, at, rows));
    },
    getItem,
  );
/** Items as they are in the list, and in the response of one. */
const items = (inList: (row: Row) => object, alone: (row: Row, at: number) => unknown) => (style: Style) => ({
  ...withItems(statused(style), alone),
  body: (page: { readonly rows: readonly Row[]; readonly next: unknown }) =>
    style === 'id' ? { data: page.rows.map(inList), has_more: page.next !== undefined } : page.rows.map(inList),
});

export const GET_FAULTS: readonly Fault[] = [
  ...gets('no item can be read by its id', GETS, () => undefined),
  ...gets('the last item cannot be read by its id', GETS, (row, at, { length }) =>
    at === length - 1 ? undefined : row,
  ),
  ...gets('by id, the item has another name', GETS, (row) => ({ ...row, name: row.name.toUpperCase() })),
  ...gets('by id, closed items are open', GETS, (row) => ({ ...row, status: 'open' })),
  ...gets('by id, it is the next item', GETS, (_, at, rows) => rows[at + 1]),
  ...gets('by id, a time is another one', ['page', 'url'], (row) => ({
    ...row,
    created: row.created.replace('.000Z', '+01:00'),
  })),
  ...gets('by id, what has a value is null', ['url', 'page'], (row, at) => ({
    ...row,
    status: at % 3 === 2 ? null : row.status,
  })),
  ...fault(
    'by id, an object inside differs',
    ['id', 'link'],
    failed('get.different'),
    items(owned, (row) => ({ ...owned(row), owner: { id: 1, name: 'Bob' } })),
    getItem,
  ),
  ...fault(
    'by id, an array inside differs',
    ['id', 'link'],
    failed('get.different'),
    items(owned, (row) => ({ ...owned(row), tags: ['a', 'c'] })),
    getItem,
  ),
  ...gets('by id, the item in its envelope has another name', ['token', 'url'], (row) => ({
    data: { ...row, name: 'x' },
  })),
  ...fault(
    'by id, it is an error of the server',
    ['token', 'offset'],
    failed('get.different'),
    (style) => ({
      ...withItems(statused(style)),
      before: ({ url }) => (url.pathname === '/items' ? undefined : { status: 500, headers: {}, body: {} }),
    }),
    getItem,
  ),
  ...fault(
    'an id that needs percent-encoding cannot be read',
    ['id', 'token'],
    failed('get.different'),
    (style) =>
      withItems(
        rowsOf(style === 'id' ? 60 : 90, (n) => `a/b ${String(n)}`),
        (row) => (String(row.id).includes('/') ? undefined : row),
      ),
    getItem,
  ),
  ...fault(
    'by id, the item lacks its status',
    ['url', 'page'],
    noted('get.different'),
    (style) => withItems(statused(style), ({ id, created, name }) => ({ id, created, name })),
    getItem,
  ),
];
