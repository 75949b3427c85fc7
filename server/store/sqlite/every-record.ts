/** Every record of a store, in batches. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Db } from './busy.ts';
import { areIntact, placeOf, withoutChecksum } from './checksum.ts';
import { numberOf } from './collections.ts';

const BATCH = 200; // Bounds the memory.
// In the order of the table, so that each of its pages is read and written once.
const NEXT = `SELECT created_us AS createdUs, id, filter, stored FROM records
  WHERE account = ? AND collection = ? AND (created_us, id) < (?, ?)
  ORDER BY created_us DESC, id DESC LIMIT ${String(BATCH)}`;
const NEWER_THAN_ALL = { createdUs: 2n ** 63n - 1n, id: Buffer.of() };

interface Row {
  readonly createdUs: bigint;
  readonly id: Buffer;
  readonly filter: string | null;
  readonly stored: unknown; // A text, unless a disk has made it something else.
}
interface Found {
  readonly account: { readonly id: number; readonly name: string };
  readonly collection: Collection;
  /** The number of the collection. */
  readonly number: number;
  readonly row: Row;
  /** The text that is served. */
  readonly json: string;
  /** Whether it is what was written. */
  readonly isIntact: boolean;
}

/** @yields the records of each collection, account by account; they may be changed meanwhile. */
export function* everyRecord(db: Db): Generator<Found> {
  const accounts = db.prepare<[], Found['account']>('SELECT id, name FROM accounts').all();
  const next = db.prepare<[number, number, bigint, Buffer], Row>(NEXT).safeIntegers();
  for (const collection of COLLECTIONS) {
    const number = numberOf(db, collection);
    for (const account of accounts) {
      const place = placeOf(account.id, number);
      let last: Pick<Row, 'createdUs' | 'id'> | undefined = NEWER_THAN_ALL;
      while (last !== undefined) {
        const rows: Row[] = next.all(account.id, number, last.createdUs, last.id);
        for (const row of rows) {
          const isIntact = areIntact([row.stored], place);
          yield { account, collection, number, row, json: withoutChecksum(String(row.stored)), isIntact };
        }
        last = rows.at(-1);
      }
    }
  }
}
