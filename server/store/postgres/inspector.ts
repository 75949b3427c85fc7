/** The inspector on PostgreSQL: one read transaction. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import type { AccountSummary, CollectionStats, FiledRecord, Inspector } from '../inspector.ts';
import { StoreRefused } from '../store.ts';
import { assertServable, knownOf, readCollections } from './collections.ts';
import type { Db, Sql } from './sql.ts';
import { batchesOf, everyRecord } from './every-record.ts';
import { everyHashedKey } from './keys.ts';
import type { StoredAccount } from './every-record.ts';

const LIVE_KEYS = `SELECT account, count(*) AS count FROM rollcall_keys
  WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1) GROUP BY account`;
const RECORDS = 'SELECT account, collection, count(*) AS count FROM rollcall_records GROUP BY account, collection';
const BYTES = `SELECT count(*) AS records, coalesce(sum(octet_length(json)), 0) AS bytes FROM rollcall_records
  WHERE account = $1 AND collection = $2`;
const END = (order: 'ASC' | 'DESC'): string => `SELECT json FROM rollcall_records
  WHERE account = $1 AND collection = $2 ORDER BY created_us ${order}, id ${order} LIMIT 1`;
const STRAYS = (table: string, column: string, of: string): string => `SELECT 1 FROM rollcall_${table} AS stray
  WHERE NOT EXISTS (SELECT 1 FROM rollcall_${of} AS it WHERE it.id = stray.${column}) LIMIT 1`;

/**
 * @param db an up-to-date database.
 * @param sql a connection of it, in a transaction that reads one state.
 * @param close ends both.
 */
export function createPostgresInspector(db: Db, sql: Sql, close: () => Promise<void>): Inspector {
  const accounts = (): Promise<StoredAccount[]> =>
    sql<StoredAccount>('SELECT id, name FROM rollcall_accounts ORDER BY name');
  return {
    accounts: async () => {
      const known = await readCollections(sql);
      const keys = await sql<{ account: string; count: string }>(LIVE_KEYS, [new Date().toISOString()]);
      const records = await sql<{ account: string; collection: number; count: string }>(RECORDS);
      const keysOf = new Map(keys.map((it) => [it.account, Number(it.count)]));
      const recordsOf = new Map(records.map((it) => [`${it.account} ${String(it.collection)}`, Number(it.count)]));
      return (await accounts()).map(({ id, name }): AccountSummary => {
        const of = (it: Collection): number => recordsOf.get(`${id} ${String(knownOf(known, it).number)}`) ?? 0;
        return {
          name,
          keys: keysOf.get(id) ?? 0,
          records: Object.fromEntries(COLLECTIONS.map((it) => [it, of(it)])) as AccountSummary['records'], // One for each.
        };
      });
    },

    keys: () => everyHashedKey(sql),

    stats: async () => {
      const known = await readCollections(sql);
      const all: CollectionStats[] = [];
      for (const { id, name } of await accounts()) {
        for (const collection of COLLECTIONS) {
          all.push(await statsOf(sql, name, collection, [id, knownOf(known, collection).number]));
        }
      }
      return all;
    },

    texts: async (name, collection) => {
      const [account] = await sql<StoredAccount>('SELECT id, name FROM rollcall_accounts WHERE name = $1', [name]);
      if (account === undefined) return undefined;
      return texts(sql, account.id, knownOf(await readCollections(sql), collection).number);
    },

    records: () => filedRecords(sql),

    faults: async (fingerprints) => [...(await strayFaults(sql)), ...(await outdatedFaults(db, sql, fingerprints))],

    close,
  };
}

async function statsOf(
  sql: Sql,
  account: string,
  collection: Collection,
  at: readonly unknown[],
): Promise<CollectionStats> {
  const [sums] = await sql<{ records: string; bytes: string }>(BYTES, at);
  const end = async (order: 'ASC' | 'DESC'): Promise<string | null> => {
    const [found] = await sql<{ json: string }>(END(order), at);
    if (found === undefined) return null;
    return (JSON.parse(found.json) as { created_at: string }).created_at; // Every record has it.
  };
  const [records, bytes] = [Number(sums?.records), Number(sums?.bytes)];
  return { account, collection, records, bytes, newest: await end('DESC'), oldest: await end('ASC') };
}

async function* texts(sql: Sql, account: string, number: number): AsyncGenerator<string> {
  for await (const rows of batchesOf(sql, account, number)) for (const { json } of rows) yield json;
}

async function* filedRecords(sql: Sql): AsyncGenerator<FiledRecord> {
  for await (const { account, collection, rows } of everyRecord(sql)) {
    for (const { id, createdUs, filter, json } of rows) {
      // The server has checksums of its own.
      yield { account: account.name, collection, id, createdUs: BigInt(createdUs), filter, json, isIntact: true };
    }
  }
}

async function strayFaults(sql: Sql): Promise<string[]> {
  const faults: string[] = [];
  for (const [table, column, of] of [
    ['records', 'account', 'accounts'],
    ['records', 'collection', 'collections'],
    ['keys', 'account', 'accounts'],
  ] as const) {
    const found = await sql(STRAYS(table, column, of));
    if (found.length > 0) faults.push(`there are ${table} without their ${of}`);
  }
  return faults;
}

async function outdatedFaults(db: Db, sql: Sql, fingerprints: SchemaHashes): Promise<string[]> {
  try {
    await assertServable(db, sql, fingerprints);
    return [];
  } catch (error) {
    if (error instanceof StoreRefused) return [error.message];
    throw error;
  }
}
