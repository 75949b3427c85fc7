/** Faults that only show when the list changes, or when somebody says what is in it: what the user's own commands bring out. */
import { ALL, CURSORS, NUMBERS, TOKENS, after, crash, failed, indexOf, noted } from './fault.ts';
import type { Expected, Fault } from './fault.ts';
import { DEEDS, movable } from './movable.ts';
import type { Deeds, Store } from './movable.ts';
import { rowsOfStyle } from './server.ts';
import type { Call, Hooks, ListOptions, Row, Style } from './server.ts';

const { add, remove, setup, truth } = DEEDS;

/** @returns a fault in each of some styles, with a store of its own. */
const moving = (
  name: string,
  styles: readonly Style[],
  expected: Expected,
  deeds: Deeds,
  change: (store: Store, style: Style) => Omit<ListOptions, 'style'>,
): readonly Fault[] =>
  styles.map((style) => {
    const { options, commands } = movable(style, deeds, (store) => change(store, style));
    return { name: `${style}: ${name}`, ...expected, options, commands };
  });

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
/** Tells whether a request continues a traversal that began before the last change; `page` is a hook of the list. */
const staleIn = (
  store: Store,
): { readonly isStale: (call: Call) => boolean; readonly page: NonNullable<Hooks['page']> } => {
  let { rows } = store;
  return {
    isStale: ({ anchor }) => anchor !== undefined && rows !== store.rows,
    page: (_, { anchor }) => {
      if (anchor === undefined) ({ rows } = store);
    },
  };
};
const isGone = ({ rows }: Store, row: Row | undefined): row is Row => row !== undefined && indexOf(rows, row) < 0;
/** @returns the rows that followed a removed one. */
const followerOf = (style: Style, { rows }: Store, row: Row): readonly Row[] =>
  rows.filter((it) => it.created < row.created || indexOf(rowsOfStyle(style), it) > indexOf(rowsOfStyle(style), row));

export const MOVE_FAULTS: readonly Fault[] = [
  ...moving('an added item moves the place of the cursor', CURSORS, failed('move.insert'), { add }, byPlace),
  ...moving('a removed item moves the place of the cursor', CURSORS, failed('move.remove'), { remove }, byPlace),
  ...moving('an added item moves the pages', NUMBERS, noted('move.insert'), { add }, () => ({})),
  ...moving('a removed item moves the pages', NUMBERS, noted('move.remove'), { remove }, () => ({})),
  ...moving('after an addition, a page passes over an item', CURSORS, failed('move.insert'), { add }, (store) => {
    const { isStale, page } = staleIn(store);
    return {
      page,
      following: (anchor, rows, call) => after(rows, anchor).slice(isStale(call) ? 1 : 0),
    };
  }),
  ...moving('after a removal, a page passes over an item', CURSORS, failed('move.remove'), { remove }, (store) => {
    const { isStale, page } = staleIn(store);
    return {
      page,
      following: (anchor, rows, call) => after(rows, anchor).slice(isStale(call) ? 1 : 0),
    };
  }),
  ...moving('after an addition, every cursor is a 500', CURSORS, failed('move.insert'), { add }, (store) => {
    const { isStale, page } = staleIn(store);
    return {
      page,
      reply: (reply, call) => {
        if (isStale(call)) crash(reply);
      },
    };
  }),
  ...moving('after an addition, every cursor starts over', CURSORS, failed('move.insert'), { add }, (store) => {
    const { isStale, page } = staleIn(store);
    return {
      page,
      following: (anchor, rows, call) => (isStale(call) ? rows : after(rows, anchor)),
    };
  }),
  ...moving('after a removal, every cursor is the end', CURSORS, failed('move.remove'), { remove }, (store) => {
    const { isStale, page } = staleIn(store);
    return {
      page,
      following: (anchor, rows, call) => (isStale(call) ? [] : after(rows, anchor)),
    };
  }),
  ...moving('after a removal, every cursor is invalid', CURSORS, noted('move.remove'), { remove }, (store) => {
    const { isStale, page } = staleIn(store);
    return {
      page,
      reply: (reply, call) => {
        if (isStale(call)) Object.assign(reply, { status: 400, body: { error: 'The cursor has expired' } });
      },
    };
  }),
  ...moving('a cursor whose item is removed is a 500', CURSORS, failed('cursor.gone'), { remove }, (store) => ({
    reply: (reply, { anchor }) => {
      if (isGone(store, anchor)) crash(reply);
    },
  })),
  ...moving('a cursor whose item is removed starts over', CURSORS, failed('cursor.gone'), { remove }, (store) => ({
    following: (anchor, rows) => (isGone(store, anchor) ? rows : after(rows, anchor)),
  })),
  ...moving('a cursor whose item is removed is the end', CURSORS, failed('cursor.gone'), { remove }, (store) => ({
    following: (anchor, rows) => (isGone(store, anchor) ? [] : after(rows, anchor)),
  })),
  ...moving(
    'a cursor whose item is removed passes over one',
    CURSORS,
    failed('cursor.gone'),
    { remove },
    (store, style) => ({
      following: (anchor, rows) =>
        isGone(store, anchor) ? followerOf(style, store, anchor).slice(1) : after(rows, anchor),
    }),
  ),
  ...moving('an empty list is a 500', ALL, failed('end.lengths'), { setup }, (store) => ({
    reply: (reply) => {
      if (store.rows.length === 0) crash(reply);
    },
  })),
  ...moving('an empty list is a 404', ['id', 'url', 'page'], noted('end.lengths'), { setup }, (store) => ({
    reply: (reply) => {
      if (store.rows.length === 0) Object.assign(reply, { status: 404, body: { error: 'None' } });
    },
  })),
  ...moving('a list of one item is empty', ALL, failed('end.lengths'), { setup }, (store) => ({
    order: (rows) => (store.rows.length === 1 ? [] : rows),
  })),
  ...moving('an empty list has an item', ['token', 'page'], noted('end.lengths'), { setup }, (store) => ({
    order: (rows) => (rows.length === 0 ? [store.make('2026-01-01T00:00:00.000Z')] : rows),
  })),
  ...moving(
    'a short list loses an item that is alone on its page',
    TOKENS,
    failed('end.lengths'),
    { setup },
    (store) => ({
      page: (page) => {
        if (page.left === 1 && store.rows.length < 10) page.next = undefined;
      },
    }),
  ),
  ...moving(
    'a short list whose length is a multiple never ends',
    TOKENS,
    failed('end.lengths'),
    { setup },
    (store) => ({
      page: (page, call) => {
        if (page.left === 0 && store.rows.length < 10 && store.rows.length % call.size === 0)
          page.next ??= call.to(page.rows.at(-1) ?? call.anchor);
      },
    }),
  ),
  ...moving(
    'a short list whose length is a multiple ends with an empty page',
    TOKENS,
    noted('end.lengths'),
    { setup },
    (store) => ({
      page: (page, call) => {
        if (page.left === 0 && page.rows.length > 0 && store.rows.length < 10 && store.rows.length % call.size === 0)
          page.next ??= call.to(page.rows.at(-1));
      },
    }),
  ),
  ...moving('the second page of a short list is a 500', ALL, failed('end.lengths'), { setup }, (store) => ({
    reply: (reply, { anchor, start }) => {
      if ((anchor !== undefined || start > 0) && store.rows.length > 0 && store.rows.length < 10) crash(reply);
    },
  })),
  ...moving('an item is in the store, but on no page', ALL, failed('truth.same'), { truth }, (_, style) => ({
    order: (rows) => rows.filter((it) => it.id !== rowsOfStyle(style)[33]?.id),
  })),
  ...moving('a join loses the items without a name', ['token', 'page'], failed('truth.same'), { truth }, () => ({
    order: (rows) => rows.filter((_, at) => at % 5 !== 3),
  })),
  ...moving('the newest item is on no page', ['id', 'link'], failed('truth.same'), { truth }, () => ({
    order: (rows) => rows.slice(1),
  })),
  ...moving(
    'the list has an item that it should not',
    ['token', 'offset'],
    noted('truth.same'),
    { truth: (store) => truth(store).replace(/\n.*$/, '') },
    () => ({}),
  ),
];
