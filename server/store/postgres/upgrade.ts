/** Brings a database up to date: migrates its tables and rechecks every record, in batches, in one transaction. */
import type { SchemaHashes } from '../../../contract/schema.ts';
import type { UpgradeOptions } from '../database.ts';
import { NotKept, recheckAll } from '../records.ts';
import type { Recheck, RecordBatch, RecordChange } from '../records.ts';
import { putHashes, readCollections } from '../schema-hashes.ts';
import { query } from '../sql.ts';
import type { Steps } from '../sql.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import { migrate, openForUpgrade } from './database.ts';
import { POSTGRES } from './dialect.ts';
import { run } from './sql.ts';
import type { Sql } from './sql.ts';

const CHANGE = `UPDATE rollcall_records AS record
  SET created_us = now.created_us, filter = now.filter, json = now.json
  FROM unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[]) AS now (id, created_us, filter, json)
  WHERE record.account = $1 AND record.collection = $2 AND record.id = now.id`;

/** See `Database.upgrade`. */
export async function upgrade(
  address: string,
  hashes: SchemaHashes,
  recheck: Recheck,
  { wait = A_MINUTE, begin }: UpgradeOptions = {},
): Promise<boolean> {
  const db = await openForUpgrade(address);
  const upgradeAll = async (sql: Sql): Promise<void> => {
    await sql('ANALYZE rollcall_records'); // Without statistics of earlier loads, each batch would read the whole account.
    await run(sql, readCollections(POSTGRES, 'FOR UPDATE')); // Blocks loads. Locked before the store's row, as in loads.
    await migrate(sql);
    begin?.();
    await run(sql, recheckAll(POSTGRES, recheck, change));
    await run(sql, putHashes(POSTGRES, hashes));
  };
  try {
    await whenFree(wait, () => db.transaction(upgradeAll));
    return true;
  } catch (error) {
    if (error instanceof NotKept) return false;
    throw error;
  } finally {
    await db.close();
  }
}

function* change({ account, number }: RecordBatch, changes: readonly RecordChange[]): Steps<void> {
  const records = changes.map(({ after }) => after);
  yield* query(CHANGE, [
    account.id,
    number,
    records.map(({ id }) => id),
    records.map(({ createdUs }) => String(createdUs)),
    records.map(({ filter }) => filter),
    records.map(({ json }) => json),
  ]);
}
