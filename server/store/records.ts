/** Statements on the table of records for administration: read or change all records in batches, remove some by id. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import { collectionIn, readCollections } from './schema-hashes.ts';
import { query } from './sql.ts';
import type { Dialect, Int, Statement, Steps, Stream } from './sql.ts';
import type { CheckedRecord, StoredRecord } from './store.ts';

const BATCH = 500; // Bounds the memory.

export interface AccountRow {
  readonly id: Int;
  readonly name: string;
}
/** Records of one collection of one account. */
export interface RecordBatch {
  readonly account: AccountRow;
  /** The number of the collection. */
  readonly number: number;
  readonly records: readonly StoredRecord[];
}
type Visit<Emitted> = (batch: RecordBatch) => Generator<Statement | Emitted, void, readonly unknown[]>;

interface Row {
  readonly createdUs: Int;
  readonly id: unknown;
  readonly filter: string | null;
  readonly json: string;
}
const NEWER_THAN_ALL = { createdUs: 2n ** 63n - 1n, id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/**
 * Visits an account's records of a collection in list order, in batches. A visit may change the records of its batch.
 */
function* eachBatch<Emitted = never>(
  dialect: Dialect,
  account: AccountRow,
  collection: Collection,
  number: number,
  visit: Visit<Emitted>,
): ReturnType<Visit<Emitted>> {
  const { prefix, id } = dialect;
  // In the order of the table, so that each page of the table is read and written once.
  const next = `SELECT created_us AS "createdUs", id, filter, json FROM ${prefix}records
    WHERE account = $1 AND collection = $2 AND (created_us, id) < ($3, ${id('$4')})
    ORDER BY created_us DESC, id DESC LIMIT ${String(BATCH)}`;
  let last: Pick<StoredRecord, 'createdUs' | 'id'> | undefined = NEWER_THAN_ALL;
  while (last !== undefined) {
    const rows: readonly Row[] = yield* query<Row>(next, [account.id, number, last.createdUs, last.id]);
    const records = rows.map((row): StoredRecord => ({
      account: account.name,
      collection,
      id: dialect.idOf(row.id),
      createdUs: BigInt(row.createdUs),
      filter: row.filter,
      json: row.json,
    }));
    if (records.length > 0) yield* visit({ account, number, records });
    last = records.length < BATCH ? undefined : records.at(-1);
  }
}

/** Visits the records of each collection, account by account. */
function* eachBatchOfAll<Emitted = never>(dialect: Dialect, visit: Visit<Emitted>): ReturnType<Visit<Emitted>> {
  const stored = yield* readCollections(dialect);
  const nextAccounts = `SELECT id, name FROM ${dialect.prefix}accounts WHERE id > $1 ORDER BY id LIMIT ${String(BATCH)}`;
  for (const collection of COLLECTIONS) {
    const { number } = collectionIn(stored, collection);
    let last: Int | undefined = 0;
    while (last !== undefined) {
      const accounts: readonly AccountRow[] = yield* query<AccountRow>(nextAccounts, [last]);
      for (const account of accounts) yield* eachBatch(dialect, account, collection, number, visit);
      last = accounts.length < BATCH ? undefined : accounts.at(-1)?.id;
    }
  }
}

/** Emits every record of a store. */
export const everyRecord = (dialect: Dialect): Stream<StoredRecord> =>
  eachBatchOfAll(dialect, function* ({ records }) {
    for (const item of records) yield { item };
  });

/** Emits the texts of an account's records in list order. */
export const textsOf = (
  dialect: Dialect,
  account: AccountRow,
  collection: Collection,
  number: number,
): Stream<string> =>
  eachBatch(dialect, account, collection, number, function* ({ records }) {
    for (const { json } of records) yield { item: json };
  });

/** Thrown in a transaction to roll it back, because a record cannot be kept. */
export class NotKept extends Error {}

export type Recheck = (stored: StoredRecord) => CheckedRecord | undefined;

/** A record, and the record to store instead. */
export interface RecordChange {
  readonly before: StoredRecord;
  readonly after: CheckedRecord;
}

/**
 * Rechecks every record, and stores the records that the check returns. Must run in a transaction.
 * @param change updates records of one collection of one account.
 * @throws NotKept after all records have been checked, if one cannot be kept.
 */
export function* recheckAll(
  dialect: Dialect,
  recheck: Recheck,
  change: (batch: RecordBatch, changes: readonly RecordChange[]) => Steps<void>,
): Steps<void> {
  let bad = 0;
  yield* eachBatchOfAll(dialect, function* (batch) {
    const changes: RecordChange[] = [];
    for (const before of batch.records) {
      const after = recheck(before);
      if (after === undefined) bad += 1;
      else if (!isSame(before, after)) changes.push({ before, after });
    }
    if (bad === 0 && changes.length > 0) yield* change(batch, changes);
  });
  if (bad > 0) throw new NotKept();
}

const isSame = (before: CheckedRecord, after: CheckedRecord): boolean =>
  before.json === after.json && before.createdUs === after.createdUs && before.filter === after.filter;

/**
 * Removes the records with these ids from an account. Must run in a transaction.
 * @returns the ids that the account does not have.
 */
export function* removeRecords(
  dialect: Dialect,
  account: string,
  collection: Collection,
  ids: readonly string[],
): Steps<readonly string[]> {
  const { prefix } = dialect;
  const { number } = collectionIn(yield* readCollections(dialect), collection);
  const removed = yield* query<{ id: unknown }>(
    `DELETE FROM ${dialect.recordsById}
      WHERE account = (SELECT id FROM ${prefix}accounts WHERE name = $1 ${dialect.lock('FOR KEY SHARE')}) AND collection = $2
      AND ${dialect.idIn('$3')} RETURNING id`,
    [account, number, dialect.list(ids)],
  );
  const found = new Set(removed.map(({ id }) => dialect.idOf(id)));
  return ids.filter((id) => !found.has(id));
}
