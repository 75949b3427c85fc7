/** Faults of cursors of another filter, list or account. */
import { CURSORS, TOKENS, after, failed, fault, noted } from './fault.ts';
import type { Declared, Fault } from './fault.ts';
import { open, filtered } from './filter-faults.ts';
import { cursorOfStyle, rowsOf } from './server.ts';
import type { Call, ListOptions, Row, Style } from './server.ts';

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
  const name = cursorOfStyle(style);
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
    failed('cursor.leak'),
    (style) => bindsFilter(style, true),
    open,
  ),
  ...fault(
    'a cursor of another account shows its items',
    CURSORS,
    failed('cursor.leak'),
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
    failed('cursor.leak', 'items.missing', 'order.unstable'),
    (style) => accounts(style, (_, { query }) => query.has(cursorOfStyle(style))),
    second,
  ),
  ...fault(
    'a cursor of another list leads on in that one',
    ['id', 'token'],
    failed('cursor.leak'),
    () => lists(true),
    otherList,
  ),
  ...fault(
    'a cursor of another account is page one',
    ['id', 'token'],
    noted('cursor.leak'),
    (style) => ({
      ...accounts(style),
      following: (anchor, rows) => (rows.some((it) => it.id === anchor.id) ? after(rows, anchor) : rows),
    }),
    second,
  ),
  ...fault(
    'a cursor of another list is the end',
    ['id', 'token'],
    noted('cursor.leak'),
    () => ({
      ...lists(false),
      following: (anchor, rows) => (rows.some((it) => it.id === anchor.id) ? after(rows, anchor) : []),
    }),
    otherList,
  ),
];
