/** All that a database holds, and one of PostgreSQL that holds nothing. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE } from './engine.ts';
import { execute, query } from './postgres-database.ts';

/** Leaves a database of PostgreSQL without tables. */
export const dropTables = (address: string): Promise<void> =>
  execute(address, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');

/**
 * @param folder where the file of the engine is, if it has one.
 * @returns everything that a command could change: each file of the folder, or each row with the transaction that wrote it. Not the
 *   content of a `-shm` file, which has the locks of who reads.
 */
export async function stateOf(address: string, folder: string): Promise<unknown> {
  if (ENGINE === 'sqlite') {
    return readdirSync(folder)
      .sort()
      .map((it) => [it, it.endsWith('-shm') ? '' : readFileSync(join(folder, it), 'base64')]);
  }
  const tables = await query<{ name: string }>(
    address,
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1",
  );
  const rowsOf = ({ name }: { name: string }): Promise<object[]> =>
    query(address, `SELECT xmin, ctid, * FROM ${name} ORDER BY ctid`);
  return Promise.all(tables.map(async (it) => [it.name, await rowsOf(it)]));
}
