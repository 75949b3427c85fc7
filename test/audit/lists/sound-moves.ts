/** Lists without a fault that the user's own commands change, and commands that are not what they should be. */
import { ALL, CURSORS, TOKENS, after, indexOf } from './fault.ts';
import { DEEDS, moving } from './movable.ts';
import type { Store } from './movable.ts';
import { rowsOfStyle } from './server.ts';
import type { Row } from './server.ts';
import type { Sound } from './fault.ts';

const { add, remove, resize, expectIds } = DEEDS;

const fail = (): never => {
  throw new Error('no connection');
};
const oldest = (store: Store): void => {
  store.add('2020-01-01T00:00:00.000Z');
};
const middle = (store: Store): void => {
  store.add(store.rows[Math.floor(store.rows.length / 2)]?.created);
};

export const SOUND_MOVES: readonly Sound[] = [
  ...moving('items are added and removed, and all else stays', ALL, DEEDS),
  ...moving('items are added at the tail', ALL, { add: oldest, remove }),
  ...moving('items are added in the middle', ALL, { add: middle, remove }),
  ...moving('the list is set up', ALL, { resize }),
  ...moving('a cursor whose item is removed is a 410', CURSORS, { remove }, (store) => ({
    reply: (reply, { anchor }) => {
      if (anchor !== undefined && indexOf(store.rows, anchor) < 0)
        Object.assign(reply, { status: 410, body: { error: 'Gone' } });
    },
  })),
  ...moving('a traversal reads the list as it was when it began', TOKENS, { add, remove, expectIds }, (store) => {
    const snapshots = new Map<Row['id'], readonly Row[]>();
    const of = (anchor: Row | undefined): readonly Row[] => snapshots.get(anchor?.id ?? '') ?? store.rows;
    return {
      following: (anchor) => after(of(anchor), anchor),
      page: (page, { anchor }) => {
        const last = page.rows.at(-1);
        if (last !== undefined) snapshots.set(last.id, of(anchor));
      },
    };
  }),
  ...moving('an added item appears after a while', ['id', 'token', 'url'], { add }, (store) => {
    let [seen, shown] = [store.rows, store.rows];
    return {
      order: (rows, { anchor }) => {
        if (anchor === undefined) [shown, seen] = [seen, rows]; // With the next traversal but one.
        return shown;
      },
    };
  }),
  ...moving('the commands do nothing', ALL, {
    add: () => undefined,
    remove: () => undefined,
    resize: () => undefined,
    expectIds: () => '',
  }),
  ...moving('the commands fail', ALL, { add: fail, remove: fail, resize: fail, expectIds: fail }),
  ...moving('the set-up adds, and removes nothing', ['id', 'token', 'page'], {
    resize: (store, count) => {
      for (let at = 0; at < count; at += 1) store.add();
    },
  }),
  ...moving('the set-up makes one item more', ['id', 'token', 'page'], {
    resize: (store, count) => {
      store.setUp(count + 1);
    },
  }),
  ...moving('the set-up makes at least one item', ['url', 'offset'], {
    resize: (store, count) => {
      store.setUp(Math.max(1, count));
    },
  }),
  ...moving('an empty list has null for its items', ['token'], { resize }, (store) => ({
    reply: (reply) => {
      if (store.rows.length === 0) reply.body = { items: null };
    },
  })),
  ...moving('the truth is an array of JSON', ALL, {
    expectIds: ({ rows }) =>
      JSON.stringify(
        rows.map(({ id }) => id),
        null,
        2,
      ),
  }),
  ...moving('the truth is in another order, with empty lines and spaces', ALL, {
    expectIds: ({ rows }) =>
      rows
        .map(({ id }) => `  ${String(id)}\r\n\n`)
        .reverse()
        .join(''),
  }),
  ...moving('the truth names a part of the items', ['id', 'page'], {
    expectIds: ({ rows }) =>
      rows
        .filter((_, at) => at % 3 === 0)
        .map(({ id }) => String(id))
        .join('\n'),
  }),
  ...moving('the list grows while the truth is told', ['token', 'link'], {
    expectIds: (store) => {
      store.add();
      return expectIds(store);
    },
  }),
  ...moving('an item is removed while the list is read', ['token', 'link'], { expectIds }, (store, style) => ({
    order: (rows, { number }) => {
      const late = rowsOfStyle(style).at(-3);
      if (number === 60 && late !== undefined) store.remove(String(late.id));
      return number >= 60 ? store.rows : rows;
    },
  })),
];
