/**
 * The write-ahead log that SQLite keeps next to a file, so that readers continue while a writer works. The file of a
 * backup says that it has none, so that it can be read where nothing can be written. It gets one when it is first
 * written: not before that is certain, because a file with a log cannot be read there any more.
 */
import { randomUUID } from 'node:crypto';
import { realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { isSqlite, isWritable, noFileNextTo, notWritable, translatingErrors } from './sqlite-errors.ts';

const PRIVATE = 0o600;
// What SQLite needs at least next to a file that has a log.
const LOG_BYTES = 64 * 1024;

/** @returns whether SQLite keeps a log of a database, or needs none, as in memory. */
export const hasLog = (db: Database): boolean => db.memory || db.pragma('journal_mode', { simple: true }) === 'wal';

/**
 * @param db a connection for writing to a file without a log. SQLite opens a file that it cannot write for reading.
 * @throws StoreError if the file cannot be written, or if no log can be kept next to it. The file is unchanged.
 */
export function requireLogFiles({ name: file }: Database): void {
  if (!isWritable(file)) throw notWritable(file, 'attempt to write a readonly database');
  const trial = join(dirname(realpathSync(file)), `${randomUUID()}.partial`);
  try {
    writeFileSync(trial, Buffer.alloc(LOG_BYTES), { flag: 'wx', mode: PRIVATE });
  } catch (error) {
    throw noFileNextTo(file, error);
  } finally {
    rmSync(trial, { force: true });
  }
}

/** Starts the log of a file that has none. @throws StoreError if none can be kept; StoreBusy. The file is unchanged. */
export function startLog(db: Database): void {
  requireLogFiles(db);
  // Only the first 100 bytes of the file change, in one write, so no journal is kept: if the process were killed, a
  // journal would make the file look like one whose creation was interrupted.
  db.pragma('journal_mode = MEMORY');
  db.pragma('journal_mode = WAL');
}

/**
 * Runs work in a transaction, as long as the work changes nothing.
 * @returns what the work returns; `undefined` if it would have changed something.
 */
export function unlessItChanges<T>(db: Database, work: () => T): { readonly result: T } | undefined {
  db.pragma('query_only = ON');
  try {
    return { result: db.transaction(work)() };
  } catch (error) {
    if (isSqlite(error, 'SQLITE_READONLY')) return undefined;
    throw error;
  } finally {
    db.pragma('query_only = OFF');
  }
}

/** Runs work in a transaction on a file without a log, and undoes it. What it changes stays in memory. */
export function undone(db: Database, work: () => void): void {
  db.pragma('journal_mode = MEMORY');
  db.pragma('cache_spill = OFF');
  try {
    translatingErrors(db.name, () => {
      db.exec('BEGIN IMMEDIATE');
      work();
    });
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK');
    db.pragma('cache_spill = ON');
  }
}
