/** Faults of lists whose cursors are the ids of items: only those at the end of a page are right. */
import { after, before, failed, fault, indexOf, noted } from './fault.ts';
import type { Fault } from './fault.ts';
import { CRASH, rowsOfStyle } from './server.ts';
import type { Call, Reply, Row } from './server.ts';

/** Whether an item stands inside of a page, if pages are read from the beginning on. */
const isInside = (rows: readonly Row[], anchor: Row, { size }: Call): boolean =>
  (indexOf(rows, anchor) + 1) % size !== 0;

/** @returns the rows after an item: those of `change` if it stands inside of a page. */
const inside =
  (change: (rows: readonly Row[], anchor: Row, size: number) => readonly Row[]) =>
  (anchor: Row, rows: readonly Row[], call: Call): readonly Row[] =>
    isInside(rows, anchor, call) ? change(rows, anchor, call.size) : after(rows, anchor);

/** Replaces the response to a cursor inside of a page. */
const inPlace =
  (other: Reply) =>
  (reply: Reply, call: Call): void => {
    const { anchor, isBackward } = call;
    if (anchor !== undefined && !isBackward && isInside(rowsOfStyle('id'), anchor, call)) Object.assign(reply, other);
  };

const pageStart = (rows: readonly Row[], anchor: Row, size: number): number =>
  Math.floor(indexOf(rows, anchor) / size) * size;

export const ITEM_FAULTS: readonly Fault[] = [
  ...fault('a cursor inside of a page continues behind that page', ['id'], failed('cursor.inside'), {
    following: inside((rows, anchor, size) => rows.slice(pageStart(rows, anchor, size) + size)),
  }),
  ...fault('a cursor inside of a page continues at the beginning of that page', ['id'], failed('cursor.inside'), {
    following: inside((rows, anchor, size) => rows.slice(pageStart(rows, anchor, size))),
  }),
  ...fault('a cursor inside of a page is a 500', ['id'], failed('cursor.inside'), { reply: inPlace(CRASH) }),
  ...fault('a cursor inside of a page is unknown', ['id'], noted('cursor.inside'), {
    reply: inPlace({ status: 404, headers: {}, body: { error: 'No such page' } }),
  }),
  ...fault('before an item near the head is a whole page', ['id'], failed('cursor.inside', 'back.missing'), {
    preceding: (anchor, rows, { size }) => (indexOf(rows, anchor) < size ? rows.slice(0, size) : before(rows, anchor)),
  }),
  ...fault('before the second item is nothing', ['id'], failed('cursor.inside', 'back.missing'), {
    preceding: (anchor, rows) => (indexOf(rows, anchor) === 1 ? [] : before(rows, anchor)),
  }),
];
