/** Another process that writes to the database of a test, and goes on until it is stopped. */
import Database from 'better-sqlite3';
import { connectTo } from '../store/postgres/rows.ts';
import { afterTest } from './after-test.ts';
import { ENGINE } from './engine.ts';

// Reads go on, as beside an import.
const LOCK = `BEGIN; LOCK TABLE rollcall_accounts, rollcall_keys, rollcall_records, rollcall_collections
  IN SHARE ROW EXCLUSIVE MODE`;

/** @returns what ends the other process, without a change. */
export async function holdWrites(address: string): Promise<() => Promise<void>> {
  if (ENGINE === 'postgres') {
    const client = await connectTo(address);
    await client.query(LOCK);
    return async () => {
      await client.query('ROLLBACK');
    };
  }
  const db = new Database(address);
  afterTest(() => db.close());
  db.exec('BEGIN IMMEDIATE');
  return () => {
    db.exec('ROLLBACK');
    return Promise.resolve();
  };
}
