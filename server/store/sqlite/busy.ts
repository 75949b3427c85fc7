/** Work on a database that other processes use too. */
import Database from 'better-sqlite3';
import { StoreUnavailable } from '../store.ts';

export type Db = Database.Database;

/** Runs `read` or `write` of a store, and tells "cannot answer for now" from a fault. */
export function unlessBusy<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isSqlite(error, 'SQLITE_BUSY')) {
      throw new StoreUnavailable('Another process is writing to the database. Try again.', { cause: error });
    }
    throw error;
  }
}

/** One transaction that takes the write lock at its start, so that it never fails halfway for want of it. */
export function write<T>(db: Db, work: () => T): T {
  return unlessBusy(() => db.transaction(work).immediate());
}

/** @returns whether an error is SQLite's, with a code that begins like this. */
export function isSqlite(error: unknown, code: string): error is InstanceType<Database.SqliteError> {
  return error instanceof Database.SqliteError && error.code.startsWith(code);
}
