/** Brings a database up to date: its tables, and every record, which is checked again. In batches, and in one transaction. */
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Database, UpgradeOptions } from '../database.ts';
import type { CheckedRecord } from '../store.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import { putFingerprints, readCollections } from './collections.ts';
import { migrate, openForUpgrade } from './database.ts';
import type { Sql } from './sql.ts';
import { everyRecord } from './every-record.ts';
import type { Batch } from './every-record.ts';

const CHANGE = `UPDATE rollcall_records AS record
  SET created_us = now.created_us, filter = now.filter, json = now.json
  FROM unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[]) AS now (id, created_us, filter, json)
  WHERE record.account = $1 AND record.collection = $2 AND record.id = now.id`;

type Recheck = Parameters<Database['upgrade']>[1];

/** See `Database.upgrade`. */
export async function upgrade(
  address: string,
  fingerprints: SchemaHashes,
  recheck: Recheck,
  { wait = A_MINUTE, begin }: UpgradeOptions = {},
): Promise<boolean> {
  const db = await openForUpgrade(address);
  const upgradeAll = async (sql: Sql): Promise<void> => {
    await sql('ANALYZE rollcall_records'); // Without statistics of a load before, each batch would read the whole account.
    await readCollections(sql, 'FOR UPDATE'); // Loads wait. Before the store's row, as they do.
    await migrate(sql);
    begin?.();
    await recheckAll(sql, recheck);
    await putFingerprints(sql, fingerprints);
  };
  try {
    await whenFree(wait, () => db.transaction(upgradeAll));
    return true;
  } catch (error) {
    if (error instanceof CalledOff) return false;
    throw error;
  } finally {
    await db.close();
  }
}

/** Thrown through the transaction to roll it back. */
class CalledOff extends Error {}

async function recheckAll(sql: Sql, recheck: Recheck): Promise<void> {
  let isGood = true;
  for await (const batch of everyRecord(sql)) {
    const records = recheckEach(batch, recheck);
    if (records === undefined) isGood = false;
    else if (isGood && records.length > 0) await change(sql, batch, records);
  }
  if (!isGood) throw new CalledOff();
}

/** @returns the records of a batch that are to be changed; `undefined` if one of it cannot be kept. */
function recheckEach({ account, collection, rows }: Batch, recheck: Recheck): readonly CheckedRecord[] | undefined {
  const results = rows.map((row) => ({
    row,
    record: recheck({ account: account.name, collection, json: row.json }),
  }));
  if (results.some(({ record }) => record === undefined)) return undefined;
  return results.flatMap(({ row, record }) => {
    const isSame =
      record === undefined ||
      (record.json === row.json && String(record.createdUs) === row.createdUs && record.filter === row.filter);
    return isSame ? [] : [record];
  });
}

async function change(sql: Sql, { account, number }: Batch, records: readonly CheckedRecord[]): Promise<void> {
  await sql(CHANGE, [
    account.id,
    number,
    records.map((it) => it.id),
    records.map((it) => String(it.createdUs)),
    records.map((it) => it.filter),
    records.map((it) => it.json),
  ]);
}
