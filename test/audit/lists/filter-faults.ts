/** Faults of filters, of items by their ids, and of cursors of another filter, list or account. */
import {
  ALL,
  CURSORS,
  CURSOR_NAMES,
  LINKS,
  TOKENS,
  after,
  crash,
  failed,
  fault,
  indexOf,
  noted,
  without,
} from './fault.ts';
import type { Declared, Fault } from './fault.ts';
import { rowsOf, rowsOfStyle, sizeOfStyle } from './server.ts';
import type { Call, Hooks, ListOptions, Reply, Row, Style } from './server.ts';

/** The rows of a style; every third one is closed. */
export const statused = (style: Style): readonly Row[] =>
  rowsOfStyle(style).map((row, at): Row => ({ ...row, status: at % 3 === 2 ? 'closed' : 'open' }));
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
  query.has(CURSOR_NAMES[style]) && !['0', '1'].includes(query.get(CURSOR_NAMES[style]) ?? '');
/** The next link loses the filter, if there is a reason to. */
const losesFilter =
  (isLost: (call: Call) => boolean): NonNullable<Hooks['link']> =>
  (link, rel, _, call) => {
    const url = new URL(link);
    if (rel === 'next' && isLost(call)) url.searchParams.delete('status');
    return url.href;
  };
const sizeIs =
  (style: Style, size: string) =>
  ({ query }: Call): boolean =>
    query.get(sizeOfStyle(style)) === size && query.has('status');

export const FILTER_FAULTS: readonly Fault[] = [
  ...fault('the filter is ignored', ALL, failed('filter.exact'), (style) => ({ rows: statused(style) }), open),
  ...fault(
    'an item of another value passes the filter',
    ALL,
    failed('filter.exact'),
    (style) => filtered(style, (_, __, rows) => rows.filter((it, at) => it.status === 'open' || at === 11)),
    open,
  ),
  ...fault(
    'an item of another value passes the filter, near the end',
    ALL,
    failed('filter.exact', 'filter.kept'),
    (style) => filtered(style, (_, __, rows) => rows.filter((it, at) => it.status === 'open' || at === 53)),
    open,
  ),
  ...fault(
    'an item does not pass the filter, though it has the value',
    ALL,
    failed('filter.exact'),
    (style) => filtered(style, (matched) => without(matched, 31)),
    open,
  ),
  ...fault(
    'the filter compares the beginning of the value',
    ['token', 'page'],
    failed('filter.exact'),
    (style) => ({
      rows: statused(style).map((it, at) => (at % 9 === 4 ? { ...it, status: 'opening' } : it)),
      order: (rows, { query }) => rows.filter((it) => it.status?.startsWith(query.get('status') ?? '')),
    }),
    open,
  ),
  ...fault(
    'items without a value pass the filter',
    ['url', 'offset'],
    failed('filter.exact'),
    (style) => ({
      rows: statused(style).map((it, at) => (at % 9 === 4 ? { ...it, status: null } : it)),
      order: (rows, { query }) => rows.filter((it) => !query.has('status') || it.status !== 'closed'),
    }),
    open,
  ),
  ...fault(
    'the filter is the wrong way round',
    ['id', 'link'],
    failed('filter.exact'),
    (style) => filtered(style, (_, __, rows) => rows.filter((it) => it.status !== 'open')),
    open,
  ),
  ...fault(
    'the filter lets nothing pass',
    ['token', 'page'],
    failed('filter.exact'),
    (style) => filtered(style, () => []),
    open,
  ),
  ...fault(
    'the next link loses the filter',
    LINKS,
    failed('filter.kept'),
    (style) => ({ ...filtered(style), link: losesFilter(() => true) }),
    open,
  ),
  ...fault(
    'the next link of the second page loses the filter',
    LINKS,
    failed('filter.kept'),
    (style) => ({ ...filtered(style), link: losesFilter((call) => position(style, call)) }),
    open,
  ),
  ...fault(
    'with a cursor or a position, the filter is ignored',
    ['id', 'token', 'offset', 'page'],
    failed('filter.kept'),
    (style) => filtered(style, (matched, call, rows) => (position(style, call) ? rows : matched)),
    open,
  ),
  ...fault(
    'an item of another value passes the filter on later pages',
    CURSORS,
    failed('filter.kept'),
    (style) =>
      filtered(style, (matched, call, rows) =>
        position(style, call) ? rows.filter((it, at) => it.status === 'open' || at === 23) : matched,
      ),
    open,
  ),
  ...fault(
    'the size counts items that do not pass the filter, and a page that is not full is the last',
    TOKENS,
    failed('filter.exact', 'filter.size'),
    (style) => ({
      rows: statused(style),
      page: (page, call) => {
        page.rows = matching(page.rows, call);
        if (page.rows.length < call.size) page.next = undefined;
      },
    }),
    open,
  ),
  ...fault(
    'the size counts items that do not pass the filter',
    TOKENS,
    noted('filter.size'),
    (style) => ({
      rows: statused(style),
      page: (page, call) => {
        page.rows = matching(page.rows, call);
      },
    }),
    open,
  ),
  ...fault(
    'the size counts items that do not pass the filter, though pages are exact',
    TOKENS,
    failed('filter.size'),
    (style) => ({
      rows: statused(style),
      page: (page, call) => {
        page.rows = matching(page.rows, call);
      },
    }),
    (style) => ({ ...open(), size: { param: sizeOfStyle(style), exact: true } }),
  ),
  ...fault(
    'filtered, an item is lost with size 3',
    ALL,
    failed('filter.size'),
    (style) => filtered(style, (matched, call) => (sizeIs(style, '3')(call) ? without(matched, 20) : matched)),
    open,
  ),
  ...fault(
    'filtered, the cursor compares only the sort value: equal ones are lost',
    CURSORS,
    failed('filter.size'),
    (style) => ({
      ...filtered(style),
      following: (anchor, rows, { query }) =>
        query.has('status') ? rows.filter((it) => it.created < anchor.created) : after(rows, anchor),
    }),
    open,
  ),
  ...fault(
    'filtered, a page begins with the last item of the page before',
    CURSORS,
    failed('filter.size'),
    (style) => ({
      ...filtered(style),
      following: (anchor, rows, { query, size }) =>
        rows.slice(indexOf(rows, anchor) + (query.has('status') && size > 1 ? 0 : 1)),
    }),
    open,
  ),
  ...fault(
    'filtered, a page of one item ignores the cursor',
    TOKENS,
    failed('filter.size'),
    (style) => ({
      ...filtered(style),
      following: (anchor, rows, { query, size }) => (query.has('status') && size === 1 ? rows : after(rows, anchor)),
    }),
    open,
  ),
  ...fault(
    'filtered, pages of 7 are an error of the server',
    ['id', 'url', 'offset'],
    failed('filter.size'),
    (style) => ({
      ...filtered(style),
      reply: (reply, call) => {
        if (sizeIs(style, '7')(call)) crash(reply);
      },
    }),
    open,
  ),
];

/** What a list is ordered by, and its filter. */
const openByCreated = (): Declared => ({ ...open(), order: [{ by: '-created' }] });

export const FILTERED_ORDER_FAULTS: readonly Fault[] = [
  ...fault(
    'filtered, oldest first',
    ALL,
    failed('order.declared'),
    (style) => filtered(style, (matched) => matched.toReversed()),
    openByCreated,
  ),
];

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
/** Items as they are in the list, and in the response of one. */
const items = (inList: (row: Row) => object, alone: (row: Row, at: number) => unknown) => (style: Style) => ({
  ...withItems(statused(style), alone),
  body: (page: { readonly rows: readonly Row[]; readonly next: unknown }) =>
    style === 'id' ? { data: page.rows.map(inList), has_more: page.next !== undefined } : page.rows.map(inList),
});

export const GET_FAULTS: readonly Fault[] = [
  ...fault(
    'no item can be read by its id',
    GETS,
    failed('get.same'),
    (style) => withItems(statused(style), () => undefined),
    getItem,
  ),
  ...fault(
    'the last item cannot be read by its id',
    GETS,
    failed('get.same'),
    (style) => withItems(statused(style), (row, at) => (at === statused(style).length - 1 ? undefined : row)),
    getItem,
  ),
  ...fault(
    'by id, the item has another name',
    GETS,
    failed('get.same'),
    (style) => withItems(statused(style), (row) => ({ ...row, name: row.name.toUpperCase() })),
    getItem,
  ),
  ...fault(
    'by id, closed items are open',
    GETS,
    failed('get.same'),
    (style) => withItems(statused(style), (row) => ({ ...row, status: 'open' })),
    getItem,
  ),
  ...fault(
    'by id, it is the next item',
    GETS,
    failed('get.same'),
    (style) => withItems(statused(style), (_, at) => statused(style)[at + 1]),
    getItem,
  ),
  ...fault(
    'by id, a time is another one',
    ['page', 'url'],
    failed('get.same'),
    (style) => withItems(statused(style), (row) => ({ ...row, created: row.created.replace('.000Z', '+01:00') })),
    getItem,
  ),
  ...fault(
    'by id, a number is text',
    ['token', 'offset'],
    failed('get.same'),
    (style) =>
      withItems(
        statused(style).map((it) => ({ ...it, rank: 5 })),
        (row) => ({ ...row, rank: '5' }),
      ),
    getItem,
  ),
  ...fault(
    'by id, what is null has a value',
    ['url', 'id'],
    failed('get.same'),
    (style) =>
      withItems(
        statused(style).map((it) => ({ ...it, rank: null })),
        (row) => ({ ...row, rank: 0 }),
      ),
    getItem,
  ),
  ...fault(
    'by id, what has a value is null',
    ['url', 'page'],
    failed('get.same'),
    (style) => withItems(statused(style), (row, at) => ({ ...row, status: at % 3 === 2 ? null : row.status })),
    getItem,
  ),
  ...fault(
    'by id, an object inside differs',
    ['id', 'link'],
    failed('get.same'),
    items(owned, (row) => ({ ...owned(row), owner: { id: 1, name: 'Bob' } })),
    getItem,
  ),
  ...fault(
    'by id, an array inside differs',
    ['id', 'link'],
    failed('get.same'),
    items(owned, (row) => ({ ...owned(row), tags: ['a', 'c'] })),
    getItem,
  ),
  ...fault(
    'by id, the item in its envelope has another name',
    ['token', 'url'],
    failed('get.same'),
    (style) => withItems(statused(style), (row) => ({ data: { ...row, name: 'x' } })),
    getItem,
  ),
  ...fault(
    'by id, it is an error of the server',
    ['token', 'offset'],
    failed('get.same'),
    (style) => ({
      ...withItems(statused(style)),
      before: ({ url }) => (url.pathname === '/items' ? undefined : { status: 500, headers: {}, body: {} }),
    }),
    getItem,
  ),
  ...fault(
    'an id that needs percent-encoding cannot be read',
    ['id', 'token'],
    failed('get.same'),
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
    noted('get.same'),
    (style) => withItems(statused(style), ({ id, created, name }) => ({ id, created, name })),
    getItem,
  ),
];

const KEY = 'key-of-the-first-account';
const KEY_2 = 'key-of-the-second-account';
export const second = (): Declared => ({
  headers: { authorization: `Bearer ${KEY}` },
  other: { headers: { authorization: `Bearer ${KEY_2}` } },
});
/** Rows of two accounts, which alternate. @param isShown whether a row of the other account is shown too. */
export const accounts = (
  style: Style,
  isShown: (row: Row, call: Call) => boolean = () => false,
): Omit<ListOptions, 'style'> => {
  const rows = rowsOf(120, (n) => (style === 'token' || style === 'url' ? n : `row-${String(n + 100)}`)).map(
    (row, at): Row => ({ ...row, status: at % 2 === 0 ? KEY : KEY_2 }),
  );
  return {
    rows,
    order: (all, call) =>
      all.filter((it) => `Bearer ${String(it.status)}` === call.req.headers.authorization || isShown(it, call)),
    // The account of a row is no part of it.
    page: (page) => {
      page.rows = page.rows.map(({ status: _, ...row }) => row);
    },
  };
};
/** @returns hooks of a list whose cursors name their filter, which wins or must be the same one. */
export const bindsFilter = (style: Style, wins: boolean): Omit<ListOptions, 'style'> => {
  const name = CURSOR_NAMES[style];
  return {
    ...filtered(style),
    before: ({ query }) => {
      const [cursor, status] = query.get(name)?.split('~') ?? [];
      if (cursor === undefined || status === undefined) return undefined;
      if (!wins && status !== (query.get('status') ?? ''))
        return { status: 400, headers: {}, body: { error: 'The cursor is of another filter' } };
      query.set(name, cursor);
      query.delete('status');
      if (status !== '') query.set('status', status);
      return undefined;
    },
    page: (page, call) => {
      if (page.next !== undefined) page.next = { [name]: `${page.next[name] ?? ''}~${call.query.get('status') ?? ''}` };
    },
  };
};
/** Two lists, of which the other has the path `/others`. @param isMixed whether a cursor of the other one leads on in it. */
export const lists = (isMixed: boolean): Omit<ListOptions, 'style'> => {
  const rows = rowsOf(120, (n) => (n % 2 === 0 ? `row-${String(n + 100)}` : `other-${String(n + 100)}`));
  const isOther = (row: Row | undefined): boolean => String(row?.id).startsWith('other');
  return {
    rows,
    before: (call) => {
      if (call.url.pathname !== '/others') return undefined;
      call.url.pathname = '/items';
      call.isMarked = true;
      return undefined;
    },
    order: (all, call) => all.filter((it) => isOther(it) === call.isMarked),
    following: (anchor, list, call) =>
      isMixed && isOther(anchor) !== call.isMarked
        ? after(rows, anchor).filter(isOther)
        : list.filter((it) => rows.indexOf(it) > rows.indexOf(anchor)),
  };
};
export const otherList = (): Declared => ({ other: { url: '/others' } });

export const BOUND_FAULTS: readonly Fault[] = [
  ...fault(
    'a cursor that was made without a filter wins over the filter',
    TOKENS,
    failed('cursor.bound'),
    (style) => bindsFilter(style, true),
    open,
  ),
  ...fault(
    'a cursor of another account shows its items',
    CURSORS,
    failed('cursor.bound'),
    (style) => {
      const all = accounts(style);
      return {
        ...all,
        following: (anchor, rows) =>
          rows.some((it) => it.id === anchor.id)
            ? after(rows, anchor)
            : after(all.rows ?? [], anchor).filter((it) => it.status === anchor.status),
      };
    },
    second,
  ),
  ...fault(
    'with a cursor, the account is ignored',
    ['link'],
    failed('cursor.bound', 'walk.same', 'walk.order'),
    (style) => accounts(style, (_, { query }) => query.has(CURSOR_NAMES[style])),
    second,
  ),
  ...fault(
    'a cursor of another list leads on in that one',
    ['id', 'token'],
    failed('cursor.bound'),
    () => lists(true),
    otherList,
  ),
  ...fault(
    'a cursor of another account is page one',
    ['id', 'token'],
    noted('cursor.bound'),
    (style) => ({
      ...accounts(style),
      following: (anchor, rows) => (rows.some((it) => it.id === anchor.id) ? after(rows, anchor) : rows),
    }),
    second,
  ),
  ...fault(
    'a cursor of another list is the end',
    ['id', 'token'],
    noted('cursor.bound'),
    () => ({
      ...lists(false),
      following: (anchor, rows) => (rows.some((it) => it.id === anchor.id) ? after(rows, anchor) : []),
    }),
    otherList,
  ),
];
