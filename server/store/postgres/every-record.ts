/** Every record of a store, in batches. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import { knownOf, readCollections } from './collections.ts';
import type { Sql } from './sql.ts';

// Bounds the memory.
const BATCH = 500;
const NEXT_ACCOUNTS = `SELECT id, name FROM rollcall_accounts WHERE id > $1 ORDER BY id LIMIT ${String(BATCH)}`;
const NEXT = `SELECT created_us AS "createdUs", id, filter, json FROM rollcall_records
  WHERE account = $1 AND collection = $2 AND (created_us, id) < ($3, $4)
  ORDER BY created_us DESC, id DESC LIMIT ${String(BATCH)}`;
const NEWER_THAN_ALL = { createdUs: String(2n ** 63n - 1n), id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

export interface StoredAccount {
  readonly id: string;
  readonly name: string;
}
export interface StoredRow {
  readonly createdUs: string;
  readonly id: string;
  readonly filter: string | null;
  readonly json: string;
}
export interface Batch {
  readonly account: StoredAccount;
  readonly collection: Collection;
  /** The number of the collection. */
  readonly number: number;
  readonly rows: readonly StoredRow[];
}

/** @yields an account's records of a collection, by its number, in list order; they may be changed meanwhile. */
export async function* batchesOf(sql: Sql, account: string, number: number): AsyncGenerator<readonly StoredRow[]> {
  let last: Pick<StoredRow, 'createdUs' | 'id'> | undefined = NEWER_THAN_ALL;
  while (last !== undefined) {
    const rows: StoredRow[] = await sql<StoredRow>(NEXT, [account, number, last.createdUs, last.id]);
    if (rows.length > 0) yield rows;
    last = rows.length < BATCH ? undefined : rows.at(-1);
  }
}

/** @yields the records of each collection, account by account. */
export async function* everyRecord(sql: Sql): AsyncGenerator<Batch> {
  const known = await readCollections(sql);
  for (const collection of COLLECTIONS) {
    const { number } = knownOf(known, collection);
    for await (const account of everyAccount(sql)) {
      for await (const rows of batchesOf(sql, account.id, number)) yield { account, collection, number, rows };
    }
  }
}

async function* everyAccount(sql: Sql): AsyncGenerator<StoredAccount> {
  let last: string | undefined = '0';
  while (last !== undefined) {
    const accounts: StoredAccount[] = await sql<StoredAccount>(NEXT_ACCOUNTS, [last]);
    yield* accounts;
    last = accounts.length < BATCH ? undefined : accounts.at(-1)?.id;
  }
}
