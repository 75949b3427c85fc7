/** Has every record checked again: in batches, and in one transaction. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Fingerprints } from '../../contract/fingerprint.ts';
import type { Writer } from '../store.ts';
import { write } from './busy.ts';
import type { Db } from './busy.ts';
import { numberOf, putFingerprints } from './collections.ts';

const BATCH = 200; // Bounds the memory.
// In the order of the table, so that each of its pages is read and written once.
const NEXT = `SELECT created_us AS createdUs, id, filter, json FROM records
  WHERE account = ? AND collection = ? AND (created_us, id) < (?, ?)
  ORDER BY created_us DESC, id DESC LIMIT ${String(BATCH)}`;
const AT = 'WHERE account = ? AND collection = ? AND created_us = ? AND id = ?';
// Apart, because SQLite writes an index anew for every column that is named.
const REWRITE = `UPDATE records SET json = ? ${AT}`;
const REFILE = `UPDATE records SET json = ?, created_us = ?, filter = ? ${AT}`;
const NEWER_THAN_ALL = { createdUs: 2n ** 63n - 1n, id: Buffer.of() };

type Recheck = Parameters<Writer['upgrade']>[1];

/** See `Writer.upgrade`. */
export function upgrade(db: Db, fingerprints: Fingerprints, recheck: Recheck): boolean {
  try {
    write(db, () => {
      recheckAll(db, recheck);
      putFingerprints(db, fingerprints);
    });
    return true;
  } catch (error) {
    if (error instanceof CalledOff) return false;
    throw error;
  }
}

/** Thrown through the transaction to roll it back. */
class CalledOff extends Error {}

function recheckAll(db: Db, recheck: Recheck): void {
  const [rewrite, refile] = [db.prepare(REWRITE), db.prepare(REFILE)];
  let isGood = true;
  for (const { account, collection, number, row } of everyRecord(db)) {
    const record = recheck({ account: account.name, collection, json: row.json });
    const at = [account.id, number, row.createdUs, row.id];
    if (record === undefined) {
      isGood = false;
    } else if (record.createdUs !== row.createdUs || record.filter !== row.filter) {
      refile.run(record.json, record.createdUs, record.filter, ...at);
    } else if (record.json !== row.json) {
      rewrite.run(record.json, ...at);
    }
  }
  if (!isGood) throw new CalledOff();
}

interface Row {
  readonly createdUs: bigint;
  readonly id: Buffer;
  readonly filter: string | null;
  readonly json: string;
}
interface Found {
  readonly account: { readonly id: number; readonly name: string };
  readonly collection: Collection;
  /** The number of the collection. */
  readonly number: number;
  readonly row: Row;
}

function* everyRecord(db: Db): Generator<Found> {
  const accounts = db.prepare<[], Found['account']>('SELECT id, name FROM accounts').all();
  const next = db.prepare<[number, number, bigint, Buffer], Row>(NEXT).safeIntegers();
  for (const collection of COLLECTIONS) {
    const number = numberOf(db, collection);
    for (const account of accounts) {
      let last: Pick<Row, 'createdUs' | 'id'> | undefined = NEWER_THAN_ALL;
      while (last !== undefined) {
        const rows: Row[] = next.all(account.id, number, last.createdUs, last.id);
        for (const row of rows) yield { account, collection, number, row };
        last = rows.at(-1);
      }
    }
  }
}
