/** Work on a database that other processes use too. */
import type { Database } from 'better-sqlite3';
import { telling } from './faults.ts';

export type Db = Database;

/** One transaction that takes the write lock at its start, so that it never fails halfway for want of it. */
export function write<T>(db: Db, work: () => T): T {
  return telling(db.name, () => db.transaction(work).immediate());
}
