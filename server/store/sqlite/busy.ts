/** Work on a database that other processes use too. */
import SqliteDatabase from 'better-sqlite3';
import type { Database } from 'better-sqlite3';
import { isSqlite, telling } from './faults.ts';

export type Db = Database;

/** @returns whether another process writes to a file, and goes on for so many milliseconds. Whatever else is wrong is not told here. */
export function isBusy(file: string, ms: number): boolean {
  let db: Db | undefined;
  try {
    db = new SqliteDatabase(file, { timeout: ms, fileMustExist: true });
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return false;
  } catch (error) {
    return isSqlite(error, 'SQLITE_BUSY');
  } finally {
    db?.close();
  }
}

/** One transaction that takes the write lock at its start, so that it never fails halfway for want of it. */
export function write<T>(db: Db, work: () => T): T {
  return telling(db.name, () => db.transaction(work).immediate());
}
