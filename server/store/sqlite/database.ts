/**
 * Opens database files. Determines the state of a file before it changes anything, and applies settings that are not
 * the defaults of SQLite. For writing, only `openForUpgrade` admits a database of an older version.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { newerStore, noStore, olderStore } from '../store-errors.ts';
import { addCollections, isComplete, readCollections } from '../schema-hashes.ts';
import { StoreError, StoreUnavailable } from '../store.ts';
import { TRY_MS } from '../wait.ts';
import { isReadOnly, isReadable, isSqlite, translateError } from './sqlite-errors.ts';
import { hasLog, requireLogFiles } from './write-ahead-log.ts';
import { requireOneName, requireShortPath, statOf } from './names.ts';
import { SCHEMA } from './schema.ts';
import { SQLITE, run, write } from './sql.ts';
import type { Db } from './sql.ts';

// "Roll", in the header of every file: distinguishes a Rollcall store from other databases.
const APPLICATION_ID = 0x526f6c6c;
const VERSION = SCHEMA.length;
// The maximum size of the WAL after a checkpoint. The next writer overwrites this part.
const WAL_LIMIT_BYTES = 8 * 1024 * 1024;
const WRITER_CACHE_KIB = 8 * 1024;
const READER_CACHE_KIB = 4 * 1024;
// Only the owner has access, whatever the umask. SQLite gives its sidecar files the same mode.
const PRIVATE = 0o600;

/**
 * `new`: the database does not exist yet, or the process that was creating it was killed. `older`: only an upgrade may
 * write to it.
 */
type State = 'new' | 'older' | 'current';

/**
 * Opens a database for writing. Creates a new one, unless it must exist.
 * @param file a path, or `:memory:` for a database that exists as long as the connection.
 * @throws StoreError, with a message for people; StoreBusy. The file is then unchanged.
 */
export function openForWriting(file: string, mustExist = false): Db {
  return openWritable(file, mustExist ? ['current'] : ['current', 'new']);
}

/**
 * Opens a database for an upgrade. The caller must call `migrate`.
 * @throws StoreError, with a message for people; StoreBusy. The file is then unchanged.
 */
export function openForUpgrade(file: string): Db {
  return openWritable(file, ['current', 'older']);
}

function openWritable(file: string, allowed: readonly State[]): Db {
  const mayCreate = allowed.includes('new');
  requireOneName(file);
  // Checked with a read-only connection, because SQLite changes the file when the last writable connection is closed.
  if (file !== ':memory:') requireState(file, allowed);
  return guarded(file, () => {
    if (mayCreate && file !== ':memory:' && !existsSync(file)) {
      requireShortPath(file);
      makePrivate(file);
    }
    const db = new Database(file, { timeout: TRY_MS, fileMustExist: !mayCreate });
    return ready(db, () => {
      const state = stateOf(db); // Another process may have changed the file in the meantime.
      assertAllowed(state, allowed, file);
      if (state === 'new') db.pragma('journal_mode = WAL');
      else if (!hasLog(db)) requireLogFiles(db); // The first write may follow a long import.
      db.pragma(`journal_size_limit = ${String(WAL_LIMIT_BYTES)}`);
      db.pragma(`cache_size = -${String(WRITER_CACHE_KIB)}`); // Bounds the memory of an import.
      if (state === 'new') create(db);
    });
  });
}

/**
 * Opens a database of this version for reading only.
 * @throws StoreError, with a message for people. The file is then unchanged.
 */
export function openForReading(file: string): Db {
  return openReadable(file, ['current']);
}

/** Opens a database of this version or an older one for reading only. */
export function openForBackup(file: string): Db {
  return openReadable(file, ['current', 'older']);
}

function openReadable(file: string, allowed: readonly State[]): Db {
  const stats = statOf(file);
  if (stats?.isFile() === false) {
    // SQLite would wait for a pipe, and reports a folder as a disk failure.
    throw new StoreError(`${file} is ${stats.isDirectory() ? 'a directory' : 'not a regular file'}. Choose a file.`);
  }
  try {
    return guarded(file, () => {
      const db = new Database(file, { readonly: true, fileMustExist: true, timeout: TRY_MS });
      return ready(db, () => {
        // The operating system already caches the file: four times this cache size makes no page faster.
        db.pragma(`cache_size = -${String(READER_CACHE_KIB)}`);
        assertAllowed(stateOf(db), allowed, file);
      });
    });
  } catch (error) {
    removeEmptyWal(file);
    const cause = error instanceof StoreError ? error.cause : undefined;
    if (needsLog(file, cause)) {
      const why = isReadOnly(file) ? 'its file system is read-only' : 'this user cannot write to its folder';
      throw new StoreError(
        `${file} cannot be opened: ${why}, and SQLite needs files next to any database that is not a backup. ` +
          'Make the folder writable, or use a copy by rollcall db backup, which can be read there.',
        { cause },
      );
    }
    throw isUnfinished(cause) || (cause !== undefined && statOf(file) === undefined) ? noStore(file, { cause }) : error;
  }
}

/** @returns whether an error means that SQLite cannot keep the log of a file in its folder. */
function needsLog(file: string, error: unknown): boolean {
  if (isSqlite(error, 'SQLITE_READONLY_DIRECTORY')) return true;
  return isSqlite(error, 'SQLITE_CANTOPEN') && isReadOnly(file) && isReadable(file);
}

/** Requires one of the allowed states, or a file that may be created. @throws StoreError, StoreUnavailable */
function requireState(file: string, allowed: readonly State[]): void {
  const mayCreate = allowed.includes('new');
  if (mayCreate && statOf(file) === undefined) return;
  try {
    openReadable(file, allowed).close();
  } catch (error) {
    if (!(mayCreate && error instanceof StoreError && isUnfinished(error.cause))) throw error;
  }
}

/**
 * @returns whether an error means that a process was killed while it created the file: a read-only connection cannot
 *   roll back an unfinished transaction.
 */
const isUnfinished = (error: unknown): boolean => isSqlite(error, 'SQLITE_READONLY_ROLLBACK');

/**
 * Tries to checkpoint the WAL, which read-only connections leave behind. Failures are ignored: other processes may use
 * the file, or it may have been removed or replaced. Creates nothing, and changes nothing else.
 */
export function checkpointWal(file: string): void {
  try {
    guarded(file, () => {
      const db = new Database(file, { fileMustExist: true, timeout: TRY_MS });
      return ready(db, () => {
        stateOf(db);
      });
    }).close(); // SQLite checkpoints the WAL when the last writable connection is closed.
  } catch (error) {
    if (!(error instanceof StoreError || error instanceof StoreUnavailable)) throw error;
  }
}

/** Closes a connection opened for writing. */
export function closeWritable(db: Db): void {
  // Frees the disk space of the WAL after a large load. Until the checkpoint succeeds, committed changes stay in the
  // WAL.
  attempt(() => db.pragma('wal_checkpoint(TRUNCATE)'));
  db.close();
}

/**
 * Tries work that another process can do later. Ignores errors of the store and of SQLite: a reader or another writer
 * may block the work, or the disk may be full.
 */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    const isOfStore = error instanceof StoreUnavailable || error instanceof StoreError;
    if (!isOfStore && !isSqlite(error, 'SQLITE_')) throw error;
  }
}

/**
 * Creates an empty file, which SQLite treats as a new database. Does nothing if another process has just created it.
 */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'a', PRIVATE));
  } catch {
    // SQLite reports why the file cannot be created.
  }
}

/**
 * Removes the empty WAL that a read-only connection leaves next to a file. Leaves a WAL with content alone: it may
 * belong to a database that this version must not change.
 */
export function removeEmptyWal(file: string): void {
  if (statOf(`${file}-wal`)?.size === 0) checkpointWal(file);
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
      throw new StoreError(`${file} is not a database. Choose another file.`, { cause: error });
    }
    const fault = translateError(error, file);
    if (fault !== error) throw fault;
    // better-sqlite3 throws a TypeError if the folder is missing, and for misuse.
    if (isSqlite(error, 'SQLITE_') || (error instanceof TypeError && !existsSync(dirname(file)))) {
      const [path, check] = existsSync(file)
        ? [file, 'Check its permissions and those of its folder']
        : [dirname(file), 'Check the path'];
      const hint = isReadOnly(path) ? 'Its file system is read-only' : check;
      throw new StoreError(`${file} cannot be opened: ${error.message}. ${hint}.`, { cause: error });
    }
    throw error;
  }
}

const number = (db: Db, sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;

/** @throws StoreError for a database of another program, or of a newer version. */
function stateOf(db: Db): State {
  // In one snapshot: another process may be creating the database.
  const { id, version, isEmpty } = db.transaction(() => ({
    id: number(db, 'PRAGMA application_id'),
    version: number(db, 'PRAGMA user_version'),
    isEmpty: number(db, 'SELECT count(*) FROM sqlite_schema') === 0,
  }))();
  if (isEmpty && version === 0 && (id === 0 || id === APPLICATION_ID)) return 'new';
  if (id !== APPLICATION_ID) {
    throw new StoreError(`${db.name} is the database of another program. Choose another file.`);
  }
  if (version > VERSION) throw newerStore(db.name, version, VERSION);
  return isUpToDate(db) && isComplete(run(db, readCollections(SQLITE))) ? 'current' : 'older';
}

function assertAllowed(state: State, allowed: readonly State[], file: string): void {
  if (allowed.includes(state)) return;
  throw state === 'new' ? noStore(file) : olderStore(file);
}

/** @returns whether the tables are those that this version of Rollcall reads. */
export const isUpToDate = (db: Db): boolean => number(db, 'PRAGMA user_version') === VERSION;

function create(db: Db): void {
  write(db, () => {
    const state = stateOf(db); // Checked again under the write lock: another process may have created the database.
    if (state === 'new') migrate(db);
    else assertAllowed(state, ['current'], db.name);
  });
}

/** Brings the tables up to date. Must run in a transaction that writes. */
export function migrate(db: Db): void {
  for (const script of SCHEMA.slice(number(db, 'PRAGMA user_version'))) db.exec(script);
  db.pragma(`application_id = ${String(APPLICATION_ID)}`);
  db.pragma(`user_version = ${String(VERSION)}`);
  run(db, addCollections(SQLITE));
}
