/** Opens SQLite databases by their file. */
import { realpathSync, statSync } from 'node:fs';
import type { SchemaHashes } from '../../../contract/schema.ts';
import { damaged } from '../store-errors.ts';
import { createInspector } from '../inspector.ts';
import type { Inspector } from '../inspector.ts';
import { assertServable } from '../schema-hashes.ts';
import { query } from '../sql.ts';
import type { Steps } from '../sql.ts';
import { StoreError } from '../store.ts';
import type { Store, Writer } from '../store.ts';
import type { Database } from '../database.ts';
import { measure } from '../usage.ts';
import type { Usage } from '../usage.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { backUp } from './backup.ts';
import { checkpointWal, openForReading, openForWriting, removeEmptyWal } from './database.ts';
import { isSqlite, translatingErrors } from './sqlite-errors.ts';
import { requireOneName, secondName } from './names.ts';
import { createSqliteStore } from './reader.ts';
import { SQLITE, run, stream } from './sql.ts';
import type { Db } from './sql.ts';
import { upgrade } from './upgrade.ts';
import { createSqliteWriter } from './writer.ts';

/**
 * @param warn called before the file is only read, if it has a second name. For serving and writing, it is rejected.
 * @returns the database of a file.
 */
export const sqliteDatabase = (file: string, warn: (line: string) => void = () => undefined): Database => ({
  openStore: (hashes) => whenFree(A_MINUTE, () => openStore(file, hashes)),
  openWriter: (mustExist, wait = A_MINUTE) => whenFree(wait, () => openWriter(file, mustExist, wait)),
  openInspector: () => {
    warnOfSecondName(file, warn);
    return openInspector(file);
  },
  upgrade: (hashes, recheck, options) => upgrade(file, hashes, recheck, options),
  backUp: (to) => {
    warnOfSecondName(file, warn);
    return backUp(file, to);
  },
  usage: () => usage(file),
});

function warnOfSecondName(file: string, warn: (line: string) => void): void {
  const fault = secondName(file);
  if (fault !== undefined) warn(fault);
}

/**
 * Opens a store for serving. Its connection is read-only.
 * @param hashes the schemas that the records must have been checked against (see `schemaHashes`).
 * @throws StoreError, also if the database must be upgraded first, or if the file is damaged. The file is then
 *   unchanged.
 */
export function openStore(file: string, hashes: SchemaHashes): Store {
  requireOneName(file);
  const store = translatingErrors(file, () => {
    const db = openForReading(file);
    try {
      run(db, assertServable(SQLITE, db.name, hashes));
      assertSound(db);
      return createSqliteStore(db, hashes);
    } catch (error) {
      db.close();
      removeEmptyWal(file);
      throw error;
    }
  });
  return withAfterClose(store, () => {
    checkpointWal(file);
  });
}

// The largest file that is checked as a whole. The check reads every page, which takes a tenth of a second for this
// size. In a larger file, only the small tables are checked.
const FULL_CHECK_MAX_BYTES = 64 * 1024 * 1024;
const SMALL_TABLES = ['accounts', 'keys', 'collections', 'last_imports'];

/**
 * Checks a file for damage before it is served, as far as that takes negligible time.
 * @throws StoreError if the structure of the file is damaged. In a large file, only the small tables are checked.
 */
function assertSound(db: Db): void {
  const number = (pragma: string): number => Number(db.pragma(pragma, { simple: true }));
  const isSmall = number('page_count') * number('page_size') <= FULL_CHECK_MAX_BYTES;
  for (const argument of isSmall ? ['1'] : SMALL_TABLES) {
    const found = String(db.pragma(`quick_check(${argument})`, { simple: true }));
    if (found !== 'ok') throw damaged(db.name, found);
  }
  db.pragma('shrink_memory'); // Requests fill the cache with what they need.
}

/**
 * Opens a store of this version for inspecting all of it. Changes nothing.
 * @throws StoreError
 */
export const openInspector = (file: string): Inspector =>
  withAfterClose(inspectorOver(openForReading(file)), () => {
    removeEmptyWal(file);
  });

/** See `Database.usage`. */
function usage(file: string): Usage {
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const db = openForReading(file);
  try {
    const measured = translatingErrors(file, () => run(db, measure(SQLITE)));
    return { bytes: sizeOf(file) + sizeOf(`${realpathSync(file)}-wal`), ...measured };
  } finally {
    db.close(); // Leaves the WAL to the server that monitors the database: its own connection uses it.
  }
}

/** @param db a read-only connection. Closing the inspector closes it. */
function inspectorOver(db: Db): Inspector {
  db.exec('BEGIN');
  return createInspector({
    name: db.name,
    dialect: SQLITE,
    run: (steps) => {
      try {
        return run(db, steps);
      } catch (error) {
        throw orDamaged(db, error);
      }
    },
    stream: function* (steps) {
      try {
        yield* stream(db, steps);
      } catch (error) {
        throw orDamaged(db, error);
      }
    },
    integrityFaults,
    isFault: (error): error is Error => error instanceof StoreError || isSqlite(error, 'SQLITE_CORRUPT'),
    close: () => {
      db.close();
    },
  });
}

function* integrityFaults(): Steps<readonly string[]> {
  try {
    const found = yield* query<{ integrity_check: string }>('PRAGMA integrity_check');
    const lost = yield* query<{ table: string; parent: string }>('PRAGMA foreign_key_check');
    const strays = new Set(lost.map(({ table, parent }) => `some ${table} refer to missing ${parent}`));
    return [...found.map((row) => row.integrity_check).filter((fault) => fault !== 'ok'), ...strays];
  } catch (error) {
    if (isSqlite(error, 'SQLITE_CORRUPT')) return [error.message];
    throw error;
  }
}

const orDamaged = (db: Db, error: unknown): unknown =>
  isSqlite(error, 'SQLITE_CORRUPT')
    ? new StoreError(`${db.name} is damaged: ${error.message}. Restore a backup.`, { cause: error })
    : error;

/** @returns the reader, with a `close` that calls `afterClose` at the end. */
const withAfterClose = <R extends { close(): unknown }>(reader: R, afterClose: () => void): R => ({
  ...reader,
  close: () => {
    reader.close();
    afterClose();
  },
});

/** @returns the store and the writer of a database in memory. They share one connection, which the store closes. */
export function openInMemory(hashes: SchemaHashes): { readonly store: Store; readonly writer: Writer } {
  const db = openForWriting(':memory:');
  return { store: createSqliteStore(db, hashes), writer: createSqliteWriter(db) };
}

/**
 * Opens a store of this version for writing. Creates a new one, unless it must exist.
 * @param mustExist reject a file that does not exist.
 * @param wait how long each write waits while another process writes.
 * @throws StoreError, StoreBusy
 */
export function openWriter(file: string, mustExist = false, wait?: Wait): Writer {
  return createSqliteWriter(openForWriting(file, mustExist), wait);
}
