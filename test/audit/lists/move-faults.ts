/** Faults that only show when the list changes, or when somebody says what is in it: what the user's own commands bring out. */
import { ALL, CURSORS, NUMBERS, TOKENS, after, crash, failed, indexOf, noted } from './fault.ts';
import type { Expected, Fault } from './fault.ts';
import { DEEDS, moving } from './movable.ts';
import type { Deeds, Store } from './movable.ts';
import { rowsOfStyle } from './server.ts';
import type { Call, Hooks, ListOptions, Reply, Row, Style } from './server.ts';

const { add, remove, resize, expectIds } = DEEDS;

/** @returns a fault in each of some styles. */
const moves = (
  name: string,
  styles: readonly Style[],
  expected: Expected,
  deeds: Deeds,
  change?: Parameters<typeof moving>[3],
): readonly Fault[] => moving(name, styles, deeds, change).map((it) => ({ ...it, ...expected }));

/** A cursor is a place in the list, as it was when the cursor was given. */
const byPlace = (): Omit<ListOptions, 'style'> => {
  const places = new Map<Row['id'], number>();
  return {
    page: ({ rows }, { anchor }) => {
      const begin = anchor === undefined ? 0 : (places.get(anchor.id) ?? 0);
      const last = rows.at(-1);
      if (last !== undefined) places.set(last.id, begin + rows.length);
    },
    following: (anchor, rows) => rows.slice(places.get(anchor.id) ?? indexOf(rows, anchor) + 1),
  };
};
/** A list that treats the requests in another way that continue a traversal which began before the last change. */
const ifStale =
  (hooks: (isStale: (call: Call) => boolean) => Hooks) =>
  (store: Store): Omit<ListOptions, 'style'> => {
    let { rows } = store;
    return {
      ...hooks(({ anchor }) => anchor !== undefined && rows !== store.rows),
      page: (_, { anchor }) => {
        if (anchor === undefined) ({ rows } = store);
      },
    };
  };
/** After a change, the rows after a cursor are other ones. */
const staleRows = (change: (following: readonly Row[], rows: readonly Row[]) => readonly Row[]) =>
  ifStale((isStale) => ({
    following: (anchor, rows, call) => (isStale(call) ? change(after(rows, anchor), rows) : after(rows, anchor)),
  }));
/** After a change, responses to cursors are other ones. */
const staleReply = (change: (reply: Reply) => void) =>
  ifStale((isStale) => ({
    reply: (reply, call) => {
      if (isStale(call)) change(reply);
    },
  }));
const isGone = ({ rows }: Store, row: Row | undefined): row is Row => row !== undefined && indexOf(rows, row) < 0;
/** @returns the rows that followed a removed one. */
const followerOf = (style: Style, { rows }: Store, row: Row): readonly Row[] =>
  rows.filter((it) => it.created < row.created || indexOf(rowsOfStyle(style), it) > indexOf(rowsOfStyle(style), row));

const PASSES_OVER = staleRows((following) => following.slice(1));

export const MOVE_FAULTS: readonly Fault[] = [
  ...moves('an added item moves the place of the cursor', CURSORS, failed('change.insert'), { add }, byPlace),
  ...moves('a removed item moves the place of the cursor', CURSORS, failed('change.remove'), { remove }, byPlace),
  ...moves('an added item moves the pages', NUMBERS, noted('change.insert'), { add }),
  ...moves('a removed item moves the pages', NUMBERS, noted('change.remove'), { remove }),
  ...moves('after an addition, a page passes over an item', CURSORS, failed('change.insert'), { add }, PASSES_OVER),
  ...moves('after an addition, every cursor is a 500', CURSORS, failed('change.insert'), { add }, staleReply(crash)),
  ...moves(
    'after an addition, every cursor starts over',
    CURSORS,
    failed('change.insert'),
    { add },
    staleRows((_, rows) => rows),
  ),
  ...moves(
    'after a removal, every cursor is invalid',
    CURSORS,
    noted('change.remove'),
    { remove },
    staleReply((reply) => Object.assign(reply, { status: 400, body: { error: 'The cursor has expired' } })),
  ),
  ...moves('a cursor whose item is removed is a 500', CURSORS, failed('cursor.removed-item'), { remove }, (store) => ({
    reply: (reply, { anchor }) => {
      if (isGone(store, anchor)) crash(reply);
    },
  })),
  ...moves(
    'a cursor whose item is removed passes over one',
    CURSORS,
    failed('cursor.removed-item'),
    { remove },
    (store, style) => ({
      following: (anchor, rows) =>
        isGone(store, anchor) ? followerOf(style, store, anchor).slice(1) : after(rows, anchor),
    }),
  ),
  ...moves('an empty list is a 500', ALL, failed('end.lengths'), { resize }, (store) => ({
    reply: (reply) => {
      if (store.rows.length === 0) crash(reply);
    },
  })),
  ...moves('an empty list is a 404', ['id', 'url', 'page'], noted('end.lengths'), { resize }, (store) => ({
    reply: (reply) => {
      if (store.rows.length === 0) Object.assign(reply, { status: 404, body: { error: 'None' } });
    },
  })),
  ...moves('a list of one item is empty', ALL, failed('end.lengths'), { resize }, (store) => ({
    order: (rows) => (store.rows.length === 1 ? [] : rows),
  })),
  ...moves('an empty list has an item', ['token', 'page'], noted('end.lengths'), { resize }, (store) => ({
    order: (rows) => (rows.length === 0 ? [store.make('2026-01-01T00:00:00.000Z')] : rows),
  })),
  ...moves(
    'a short list loses an item that is alone on its page',
    TOKENS,
    failed('end.lengths'),
    { resize },
    (store) => ({
      page: (page) => {
        if (page.left === 1 && store.rows.length < 10) page.next = undefined;
      },
    }),
  ),
  ...moves(
    'a short list whose length is a multiple never ends',
    ['url', 'link'],
    failed('end.lengths'),
    { resize },
    (store) => ({
      page: (page, call) => {
        if (page.left === 0 && store.rows.length < 10 && store.rows.length % call.size === 0)
          page.next ??= call.to(page.rows.at(-1) ?? call.anchor);
      },
    }),
  ),
  ...moves(
    'a short list whose length is a multiple ends with an empty page',
    TOKENS,
    noted('end.lengths'),
    { resize },
    (store) => ({
      page: (page, call) => {
        if (page.left === 0 && page.rows.length > 0 && store.rows.length < 10 && store.rows.length % call.size === 0)
          page.next ??= call.to(page.rows.at(-1));
      },
    }),
  ),
  ...moves('the second page of a short list is a 500', ALL, failed('end.lengths'), { resize }, (store) => ({
    reply: (reply, { anchor, start }) => {
      if ((anchor !== undefined || start > 0) && store.rows.length > 0 && store.rows.length < 10) crash(reply);
    },
  })),
  ...moves('an item is in the store, but on no page', ALL, failed('expected.missing'), { expectIds }, (_, style) => ({
    order: (rows) => rows.filter((it) => it.id !== rowsOfStyle(style)[33]?.id),
  })),
  ...moves('the list has an item that it should not', ['token', 'offset'], noted('expected.missing'), {
    expectIds: (store) => expectIds(store).replace(/\n.*$/, ''),
  }),
];
