/** Databases of every store version, from `test/fixtures`; the README there says what they hold. */
import { chmodSync, copyFileSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE } from './engine.ts';
import { execute, query } from './postgres-database.ts';
import { ROOT } from './project.ts';

/** The key of account `acme` in each of them. */
export const FIXTURE_KEY = `rollcall_${'0'.repeat(40)}`;

const ENDS = { sqlite: 'db', postgres: 'sql' } as const;
const folderOf = (engine: keyof typeof ENDS): string => join(ROOT, 'test/fixtures', engine);

/** @returns the fixture of a store version. */
export const fixtureFile = (engine: keyof typeof ENDS, version: number): string =>
  join(folderOf(engine), `version-${String(version)}.${ENDS[engine]}`);

/** Of the engine, from the oldest on. */
export const FIXTURE_VERSIONS: readonly number[] = readdirSync(folderOf(ENGINE))
  .map((it) => Number(/^version-(\d+)\.\w+$/.exec(it)?.[1]))
  .sort((a, b) => a - b);

/** Puts a database of a store version at an address of the engine, in the place of what is there. */
export async function placeFixture(version: number, address: string): Promise<void> {
  if (ENGINE === 'sqlite') {
    copyFileSync(fixtureFile(ENGINE, version), address);
    chmodSync(address, 0o600); // As Rollcall made it.
  } else {
    await dropTables(address);
    await execute(address, readFileSync(fixtureFile(ENGINE, version), 'utf8'));
  }
}

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
