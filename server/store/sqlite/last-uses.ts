/**
 * When each key was last used, in a small database of its own beside that of the records, where each write would empty what
 * servers remember. It holds ids of keys and times, and may be removed at any time.
 */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import type { Db } from './busy.ts';
import { makePrivate } from './database.ts';
import { StoreRefused } from '../store.ts';
import { isSqlite, told } from './faults.ts';

// A server answers nobody while it waits; it comes again.
const BUSY_MS = 50;
const TABLE = 'CREATE TABLE IF NOT EXISTS last_uses (key TEXT PRIMARY KEY, at TEXT NOT NULL) STRICT, WITHOUT ROWID';
const PUT = 'INSERT INTO last_uses VALUES (?, ?) ON CONFLICT DO UPDATE SET at = max(at, excluded.at)';

const fileOf = (db: string): string => `${db}-last-used`;

/**
 * Files when keys were used, in one transaction. Several processes may do so: the later time stays.
 * @param db the file of the records.
 * @param uses milliseconds since 1970, by the id of the key.
 * @throws StoreRefused, StoreUnavailable, and errors of SQLite.
 */
export function putLastUses(db: string, uses: ReadonlyMap<string, number>): void {
  makePrivate(fileOf(db));
  inFileOf(db, (file) => {
    const put = file.prepare(PUT);
    for (const [key, at] of uses) put.run(key, new Date(at).toISOString());
  });
}

/** @returns when keys were last used: ISO 8601, UTC, by the id of the key. @throws as `putLastUses` does. */
export function lastUses(db: string): ReadonlyMap<string, string> {
  if (!existsSync(fileOf(db))) return new Map();
  return inFileOf(
    db,
    (file) => new Map(file.prepare<[], [string, string]>('SELECT key, at FROM last_uses').raw().all()),
  );
}

/** Forgets keys. @throws as `putLastUses` does. */
export function forgetLastUses(db: string, keys: readonly string[]): void {
  if (!existsSync(fileOf(db))) return;
  inFileOf(db, (file) => {
    const forget = file.prepare('DELETE FROM last_uses WHERE key = ?');
    for (const key of keys) forget.run(key);
  });
}

function inFileOf<T>(db: string, work: (file: Db) => T): T {
  let file: Db | undefined;
  try {
    file = new Database(fileOf(db), { timeout: BUSY_MS, fileMustExist: true });
    file.pragma('synchronous = OFF'); // To wait for the disk would hold up answers. After a power cut it may be damaged.
    return file
      .transaction((it: Db) => {
        it.exec(TABLE);
        return work(it);
      })
      .immediate(file);
  } catch (error) {
    if (['SQLITE_NOTADB', 'SQLITE_CORRUPT'].some((it) => isSqlite(error, it))) {
      const message = `${fileOf(db)} is damaged. Remove it: it holds nothing but when keys were last used.`;
      throw new StoreRefused(message, { cause: error });
    }
    throw told(error, fileOf(db));
  } finally {
    file?.close();
  }
}
