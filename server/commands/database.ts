/** The database that an address names. */
import type { Database } from '../store/database.ts';
import { sqliteDatabase } from '../store/sqlite/open.ts';

/** @param address a path. @returns its database, which is opened when it is used. */
export function databaseOf(address: string): Database {
  return sqliteDatabase(address);
}
