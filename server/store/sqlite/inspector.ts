/** The inspector on SQLite: one read transaction. */
import { COLLECTIONS } from '../../contract/collections.ts';
import type { Fingerprints } from '../../contract/fingerprint.ts';
import type { AccountSummary, CollectionStats, Inspector } from '../inspector.ts';
import type { CheckedRecord, StoredRecord } from '../store.ts';
import { StoreRefused } from '../store.ts';
import { isSqlite } from './faults.ts';
import type { Db } from './busy.ts';
import { demandCurrent, numberOf } from './collections.ts';
import { everyRecord } from './every-record.ts';
import { HAS_NOT_EXPIRED } from './statements.ts';

const LIVE_KEYS = `SELECT count(*) FROM keys WHERE account = ? AND revoked_at IS NULL AND ${HAS_NOT_EXPIRED}`;
const COUNT = 'SELECT count(*) FROM records WHERE account = ? AND collection = ?';
const BYTES = 'SELECT coalesce(sum(octet_length(json)), 0) FROM records WHERE account = ? AND collection = ?';
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

    stats: () =>
      unlessDamaged(db, () =>
        accounts().flatMap(({ id, name }) =>
          COLLECTIONS.map((collection): CollectionStats => {
            const place = [id, numberOf(db, collection)];
            const end = (order: 'ASC' | 'DESC'): string | null =>
              db
                .prepare<unknown[], string>(`${inOrder("json ->> 'created_at'", order)} LIMIT 1`)
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
      const texts = db.prepare<unknown[], string>(inOrder('json', 'DESC')).pluck();
      return eachUnlessDamaged(db, () => texts.iterate(account.id, numberOf(db, collection)));
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

function* filedRecords(db: Db): Generator<StoredRecord & CheckedRecord> {
  for (const { account, collection, row } of everyRecord(db)) {
    const id = row.id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    yield { ...row, account: account.name, collection, id };
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

function outdatedFaults(db: Db, fingerprints: Fingerprints): string[] {
  try {
    demandCurrent(db, fingerprints);
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
