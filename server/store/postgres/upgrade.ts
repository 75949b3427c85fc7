/** Has every record checked again: in batches, and in one transaction. */
import type { Fingerprints } from '../../contract/fingerprint.ts';
import type { CheckedRecord, Writer } from '../store.ts';
import { putFingerprints, readCollections } from './collections.ts';
import type { Db, Sql } from './sql.ts';
import { everyRecord } from './every-record.ts';
import type { Batch } from './every-record.ts';

const CHANGE = `UPDATE rollcall_records AS record
  SET created_us = now.created_us, filter = now.filter, json = now.json
  FROM unnest($3::uuid[], $4::bigint[], $5::text[], $6::text[]) AS now (id, created_us, filter, json)
  WHERE record.account = $1 AND record.collection = $2 AND record.id = now.id`;

type Recheck = Parameters<Writer['upgrade']>[1];

/** See `Writer.upgrade`. */
export async function upgrade(db: Db, fingerprints: Fingerprints, recheck: Recheck): Promise<boolean> {
  try {
    await db.transaction(async (sql) => {
      await sql('ANALYZE rollcall_records'); // Without statistics of a load before, each batch would read the whole account.
      await readCollections(sql, 'FOR UPDATE'); // Loads wait.
      await recheckAll(sql, recheck);
      await putFingerprints(sql, fingerprints);
    });
    return true;
  } catch (error) {
    if (error instanceof CalledOff) return false;
    throw error;
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
