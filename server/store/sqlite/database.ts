/** Opens database files: checks that they are ours, brings them up to date, sets what SQLite does not by default. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { newerStore } from '../refusals.ts';
import { StoreRefused, StoreUnavailable } from '../store.ts';
import { write } from './busy.ts';
import type { Db } from './busy.ts';
import { addChecksumFunction } from './checksum.ts';
import { addCollections } from './collections.ts';
import { hasNoRoom, isSqlite, told } from './faults.ts';
import { MIGRATIONS } from './schema.ts';

// "Roll", in the header of every file of ours: tells a Rollcall store from anybody else's database.
const APPLICATION_ID = 0x526f6c6c;
// Waiting blocks the event loop, so a server gives up early; a command may take its turn behind a large import.
const READER_BUSY_MS = 250;
export const WRITER_BUSY_MS = 60_000;
// What is kept of the write-ahead log once it has been folded into the file, for the next to write over.
const LOG_KEPT_BYTES = 8 * 1024 * 1024;
const WRITER_CACHE_KIB = 8 * 1024;
const READER_CACHE_KIB = 4 * 1024;
// For its owner alone, whatever the umask. SQLite gives the files beside it the same mode.
const PRIVATE = 0o600;

/**
 * Opens a store for writing. A file that does not exist is made, unless it must exist; one of an older version is
 * migrated.
 * @param file a path, or `:memory:` for a store that lives as long as the connection.
 * @throws StoreRefused, with a message for people.
 */
export function openForWriting(file: string, mustExist = false): Db {
  return guarded(file, () => {
    if (!mustExist && file !== ':memory:' && !existsSync(file)) makePrivate(file);
    const db = new Database(file, { timeout: WRITER_BUSY_MS, fileMustExist: mustExist });
    return ready(db, () => {
      checkIdentity(db, file);
      db.pragma('journal_mode = WAL'); // Readers go on while a writer works.
      db.pragma(`journal_size_limit = ${String(LOG_KEPT_BYTES)}`);
      db.pragma('foreign_keys = ON');
      db.pragma(`cache_size = -${String(WRITER_CACHE_KIB)}`); // Bounds the memory of an import.
      addChecksumFunction(db);
      migrate(db);
      addCollections(db);
    });
  });
}

/**
 * Opens an up-to-date store for reading only.
 * @throws StoreRefused, with a message for people.
 */
export function openForReading(file: string): Db {
  return guarded(file, () => {
    const db = new Database(file, { readonly: true, fileMustExist: true, timeout: READER_BUSY_MS });
    return ready(db, () => {
      // The file is in the system's memory already: four times as much makes no page faster.
      db.pragma(`cache_size = -${String(READER_CACHE_KIB)}`);
      checkIdentity(db, file);
    });
  });
}

/**
 * Folds the write-ahead log into the file, which connections that only read leave behind. Only an attempt: others may use
 * it, and the file may have been removed or replaced meanwhile. Nothing is made, and nothing else is changed.
 */
export function foldLog(file: string): void {
  try {
    guarded(file, () => {
      const db = new Database(file, { fileMustExist: true, timeout: READER_BUSY_MS });
      return ready(db, () => {
        checkIdentity(db, file);
      });
    }).close(); // The last connection that may write does it when it is closed.
  } catch (error) {
    if (!(error instanceof StoreRefused || error instanceof StoreUnavailable)) throw error;
  }
}

/** Makes an empty file, which SQLite takes for a new database, unless somebody else has just made one. */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', PRIVATE));
  } catch {
    // SQLite says why it cannot be made.
  }
}

function ready(db: Db, prepare: () => void): Db {
  try {
    prepare();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function guarded(file: string, open: () => Db): Db {
  try {
    return open();
  } catch (error) {
    if (isSqlite(error, 'SQLITE_NOTADB')) {
      throw new StoreRefused(`${file} is not a database. Name another file.`, { cause: error });
    }
    const fault = told(error, file);
    if (fault !== error) throw fault;
    // better-sqlite3 throws a TypeError where the folder is missing, and for misuse.
    if (isSqlite(error, 'SQLITE_') || (error instanceof TypeError && !existsSync(dirname(file)))) {
      const hint = existsSync(file) ? 'Check its permissions and those of its folder' : 'Check its name and its folder';
      throw new StoreRefused(`${file} cannot be opened: ${error.message}. ${hint}.`, { cause: error });
    }
    throw error;
  }
}

const number = (db: Db, sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;

function checkIdentity(db: Db, file: string): void {
  const isOurs = number(db, 'PRAGMA application_id') === APPLICATION_ID;
  const isEmpty = number(db, 'SELECT count(*) FROM sqlite_schema') === 0;
  if (!isOurs && !(isEmpty && !db.readonly)) {
    throw new StoreRefused(`${file} is a database of another program, not of Rollcall. Name another file.`);
  }
  const version = number(db, 'PRAGMA user_version');
  if (version > MIGRATIONS.length) {
    throw newerStore(file, version, MIGRATIONS.length);
  }
}

/** @returns whether the tables are those that this version of Rollcall reads. */
export const isUpToDate = (db: Db): boolean => number(db, 'PRAGMA user_version') === MIGRATIONS.length;

function migrate(db: Db): void {
  if (isUpToDate(db)) return;
  write(db, () => {
    // Asked again under the lock: another process may have migrated meanwhile.
    for (const migration of MIGRATIONS.slice(number(db, 'PRAGMA user_version'))) db.exec(migration);
    db.pragma(`application_id = ${String(APPLICATION_ID)}`);
    db.pragma(`user_version = ${String(MIGRATIONS.length)}`);
  });
  giveBackRoom(db);
}

/** Of old tables. Only an attempt: it needs room itself, and what is not given back is used by what comes. */
function giveBackRoom(db: Db): void {
  try {
    if (number(db, 'PRAGMA freelist_count') > 0) db.exec('VACUUM');
  } catch (error) {
    if (!hasNoRoom(error)) throw error;
  }
}
