/** Alters what is stored behind the back of Rollcall. */
import Database from 'better-sqlite3';
import { ENGINE } from './engine.ts';
import { address } from './own-database.ts';
import { execute } from './postgres-database.ts';

/** @param sql a statement for both engines: tables without the prefix they have on PostgreSQL. */
export async function alter(sql: string): Promise<void> {
  if (ENGINE === 'postgres') {
    await execute(address, sql.replace(/\b(records|accounts|keys|collections|store)\b/, 'rollcall_$1'));
    return;
  }
  new Database(address).exec(`PRAGMA foreign_keys = OFF; ${sql}`).close();
}
