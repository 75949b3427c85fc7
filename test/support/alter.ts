/** Alters what is stored behind the back of Rollcall. */
import Database from 'better-sqlite3';
import { JSON_OF_STORED, addChecksumFunction } from '../../server/store/sqlite/checksum.ts';
import { ENGINE } from './engine.ts';
import { address } from './own-database.ts';
import { execute } from './postgres-database.ts';

/**
 * Checksums too: as if it had been loaded like that.
 * @param sql a statement for both engines: tables without the prefix they have on PostgreSQL, and texts as `json`.
 */
export async function alter(sql: string): Promise<void> {
  if (ENGINE === 'postgres') {
    await execute(address, sql.replace(/\b(records|accounts|keys)\b/, 'rollcall_$1'));
    return;
  }
  const db = new Database(address);
  db.pragma('foreign_keys = OFF');
  addChecksumFunction(db);
  db.exec(`UPDATE records SET stored = ${JSON_OF_STORED}`);
  db.exec(sql.replaceAll('json', 'stored'));
  db.exec('UPDATE records SET stored = with_checksum(account, collection, stored)');
  db.close();
}
