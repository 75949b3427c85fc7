/** The inspector on SQLite: one read transaction. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import type { AccountSummary, CollectionStats, FiledRecord, Inspector } from '../inspector.ts';
import { StoreRefused } from '../store.ts';
import { isSqlite } from './faults.ts';
import type { Db } from './busy.ts';
import { JSON_OF_STORED, verified } from './checksum.ts';
import { assertServable, numberOf } from './collections.ts';
import { everyRecord } from './every-record.ts';
import { everyKey } from './keys.ts';
import { HAS_NOT_EXPIRED } from './statements.ts';

const LIVE_KEYS = `SELECT count(*) FROM keys WHERE account = ? AND revoked_at IS NULL AND ${HAS_NOT_EXPIRED}`;
const COUNT = 'SELECT count(*) FROM records WHERE account = ? AND collection = ?';
const BYTES = `SELECT coalesce(sum(octet_length(${JSON_OF_STORED})), 0) FROM records WHERE account = ? AND collection = ?`;
const inOrder = (what: string, order: 'ASC' | 'DESC'): string =>
  `SELECT ${what} FROM records WHERE account = ? AND collection = ? ORDER BY created_us ${order}, id ${order}`;

/**
 * @param db a connection of an up-to-date store that only reads; closed with the inspector.
 * @returns the inspector of the state that the store is in now.
 */
export function createSqliteInspector(db: Db): Inspector {
  db.exec('BEGIN');
  const accounts = (): Account[] => db.prepare<[], Account>('SELECT id, name FROM accounts ORDER BY name').all();
  const count = (sql: string, ...parameters: unknown[]): number =>
    db
      .prepare<unknown[], number>(sql)
      .pluck()
      .get(...parameters) ?? 0;
  return {
    accounts: () =>
      unlessDamaged(db, () =>
        accounts().map(({ id, name }): AccountSummary => {
          const records = COLLECTIONS.map((it) => [it, count(COUNT, id, numberOf(db, it))] as const);
          return {
            name,
            keys: count(LIVE_KEYS, id, new Date().toISOString()),
            records: Object.fromEntries(records) as AccountSummary['records'], // One for each collection.
          };
        }),
      ),

    keys: () => unlessDamaged(db, () => everyKey(db)),

    stats: () =>
      unlessDamaged(db, () =>
        accounts().flatMap(({ id, name }) =>
          COLLECTIONS.map((collection): CollectionStats => {
            const place = [id, numberOf(db, collection)];
            const end = (order: 'ASC' | 'DESC'): string | null =>
              db
                .prepare<unknown[], string>(`${inOrder(`${JSON_OF_STORED} ->> 'created_at'`, order)} LIMIT 1`)
                .pluck()
                .get(...place) ?? null;
            return {
              account: name,
              collection,
              records: count(COUNT, ...place),
              bytes: count(BYTES, ...place),
              newest: end('DESC'),
              oldest: end('ASC'),
            };
          }),
        ),
      ),

    texts: (name, collection) => {
      const account = accounts().find((it) => it.name === name);
      if (account === undefined) return undefined;
      return eachUnlessDamaged(db, () => verifiedTexts(db, account.id, collection));
    },

    records: () => eachUnlessDamaged(db, () => filedRecords(db)),

    faults: (fingerprints) => [...integrityFaults(db), ...outdatedFaults(db, fingerprints)],

    close: () => {
      db.close();
    },
  };
}

interface Account {
  readonly id: number;
  readonly name: string;
}

function* verifiedTexts(db: Db, account: number, collection: Collection): Generator<string> {
  const number = numberOf(db, collection);
  const records = db.prepare(inOrder('stored', 'DESC')).pluck();
  for (const stored of records.iterate(account, number)) yield* verified(db, [stored], { account, collection, number });
}

function* filedRecords(db: Db): Generator<FiledRecord> {
  for (const { account, collection, row, json, isIntact } of everyRecord(db)) {
    const id = row.id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    const { createdUs, filter } = row;
    yield { account: account.name, collection, id, createdUs, filter, json, isIntact };
  }
}

function integrityFaults(db: Db): string[] {
  try {
    const found = db.prepare<[], string>('PRAGMA integrity_check').pluck().all();
    const lost = db.prepare<[], { table: string; parent: string }>('PRAGMA foreign_key_check').all();
    const strays = new Set(lost.map(({ table, parent }) => `there are ${table} without their ${parent}`));
    return [...found.filter((it) => it !== 'ok'), ...strays];
  } catch (error) {
    if (isSqlite(error, 'SQLITE_CORRUPT')) return [error.message];
    throw error;
  }
}

function outdatedFaults(db: Db, fingerprints: SchemaHashes): string[] {
  try {
    assertServable(db, fingerprints);
    return [];
  } catch (error) {
    if (error instanceof StoreRefused || isSqlite(error, 'SQLITE_CORRUPT')) return [error.message];
    throw error;
  }
}

function unlessDamaged<T>(db: Db, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw orDamaged(db, error);
  }
}

function* eachUnlessDamaged<T>(db: Db, read: () => Iterable<T>): Generator<T> {
  try {
    yield* read();
  } catch (error) {
    throw orDamaged(db, error);
  }
}

const orDamaged = (db: Db, error: unknown): unknown =>
  isSqlite(error, 'SQLITE_CORRUPT')
    ? new StoreRefused(`${db.name} is damaged: ${error.message}. Restore a backup.`, { cause: error })
    : error;
