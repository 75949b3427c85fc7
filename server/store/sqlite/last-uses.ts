/**
 * Stores when each key was last used, in a sidecar file, because each write to the database would empty the caches of
 * servers. Nothing else depends on these times. Like the sidecar files of SQLite, the file is named after the real path
 * of the database, and has its owner and mode.
 */
import { closeSync, existsSync, fchmodSync, fchownSync, lstatSync, openSync, realpathSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import Database from 'better-sqlite3';
import { StoreError, StoreUnavailable } from '../store.ts';
import type { Db } from './sql.ts';
import { isSqlite, translateError } from './errors.ts';

const SUFFIX = '-last-used';
const TABLE = 'CREATE TABLE IF NOT EXISTS last_uses (key TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID';
const PUT = 'INSERT INTO last_uses VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)';
const FORGET = 'DELETE FROM last_uses WHERE key = ?';
const ALL = 'SELECT key, at FROM last_uses';
// A server handles no requests while it waits for the lock. It retries later.
const BUSY_MS = 50;
const PERMISSIONS = 0o777;

/**
 * Stores when keys were last used, in one transaction. Several processes may do so: the later time wins.
 * @param db the file of the database; here and below.
 * @param uses milliseconds since 1970, by key id.
 * @throws StoreError, StoreUnavailable, and errors of SQLite and of the file system; here and below.
 */
export function putLastUses(db: string, uses: ReadonlyMap<string, number>): void {
  if (!existsSync(db)) throw new StoreUnavailable(`${db} does not exist.`);
  const name = nameOf(db);
  if (statsOf(name) === undefined) create(name, statSync(db));
  write(name, (file) => {
    const put = file.prepare(PUT);
    for (const [key, at] of uses) put.run(key, new Date(at).toISOString());
  });
}

/** @returns when keys were last used: ISO 8601, UTC, by key id. */
export const lastUses = (db: string): ReadonlyMap<string, string> => new Map(read(nameOf(db), allIn));

/** Deletes the times when these keys were last used. */
export function forgetLastUses(db: string, keys: readonly string[]): void {
  const name = nameOf(db);
  if (statsOf(name) === undefined) return;
  write(name, (file) => {
    const forget = file.prepare(FORGET);
    for (const key of keys) forget.run(key);
  });
}

/** @returns the faults of the sidecar file, one line each. */
export function lastUsesFaults(db: string): readonly string[] {
  const name = nameOf(db);
  try {
    const stats = statsOf(name);
    if (stats === undefined) return [];
    if (!isForOwnerOf(statSync(db), stats)) throw unusable(name, 'cannot be written by the owner of the database');
    read(name, (file) => {
      const found = String(file.pragma('integrity_check(1)', { simple: true }));
      if (found !== 'ok') throw unusable(name, `is damaged (${found})`);
      return allIn(file);
    });
    return [];
  } catch (error) {
    if (error instanceof StoreUnavailable) return []; // Another process is writing to it.
    return [error instanceof Error ? error.message : String(error)];
  }
}

const nameOf = (db: string): string => (existsSync(db) ? realpathSync(db) : db) + SUFFIX;

/**
 * @returns the stats of a file; `undefined` if it does not exist.
 * @throws StoreError if it is not a regular file: opening a FIFO, for example, would block.
 */
function statsOf(name: string): Stats | undefined {
  const stats = lstatSync(name, { throwIfNoEntry: false });
  if (stats?.isFile() === false) throw unusable(name, 'is not a regular file');
  return stats;
}

/** Creates an empty file, unless another process has just created it. */
function create(name: string, { uid, gid, mode }: Stats): void {
  let fd: number | undefined;
  try {
    fd = openSync(name, 'wx', mode & PERMISSIONS);
    fchmodSync(fd, mode & PERMISSIONS); // `openSync` applies the umask.
    fchownSync(fd, uid, gid);
  } catch {
    // If the file cannot be created, SQLite reports why. Only root can change the owner; otherwise this user owns the
    // file.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

const OWNER_READS_AND_WRITES = 0o600;
const GROUP_READS_AND_WRITES = 0o060;

function isForOwnerOf(db: Stats, { uid, gid, mode }: Stats): boolean {
  const needed = uid === db.uid ? OWNER_READS_AND_WRITES : GROUP_READS_AND_WRITES;
  return (uid === db.uid || gid === db.gid) && (mode & needed) === needed;
}

function allIn(file: Db): [string, string][] {
  const isEmpty = file.prepare('SELECT 1 FROM sqlite_schema').get() === undefined;
  return isEmpty ? [] : file.prepare<[], [string, string]>(ALL).raw().all();
}

function read<T>(name: string, work: (file: Db) => T[]): T[] {
  return statsOf(name) === undefined ? [] : using(name, true, work);
}

function write(name: string, work: (file: Db) => void): void {
  statsOf(name);
  using(name, false, (file) => {
    file.pragma('synchronous = OFF'); // Waiting for the disk would delay requests. A power cut may damage the file.
    file
      .transaction(() => {
        file.exec(TABLE);
        work(file);
      })
      .immediate();
  });
}

function using<T>(name: string, readonly: boolean, work: (file: Db) => T): T {
  let file: Db | undefined;
  try {
    file = new Database(name, { timeout: BUSY_MS, fileMustExist: true, readonly });
    return work(file);
  } catch (error) {
    if (!isSqlite(error, 'SQLITE_')) throw error;
    const fault = translateError(error, name);
    const isDamaged =
      ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(error.code) || error.message.startsWith('no such table');
    if (isDamaged) throw unusable(name, `is damaged (${error.message})`, { cause: error });
    if (fault === error) throw unusable(name, `cannot be opened (${error.message})`, { cause: error });
    throw fault;
  } finally {
    file?.close();
  }
}

const unusable = (name: string, why: string, options?: ErrorOptions): StoreError =>
  new StoreError(`${name} ${why}. Delete it: it contains only the last-used times of keys.`, options);
