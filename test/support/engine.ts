/** The engine that tests run on: `jest.config.js` names it. */
import process from 'node:process';
import { databaseOf } from '../../server/commands/database.ts';
import type { Fingerprints } from '../../server/contract/fingerprint.ts';
import type { Database } from '../../server/store/database.ts';
import { openInMemory } from '../../server/store/sqlite/open.ts';
import type { Store, Writer } from '../../server/store/store.ts';
import { afterTest } from './after-test.ts';
import { openFolder } from './cli.ts';
import { SERVER, TEMPLATE, createDatabase } from './postgres-database.ts';

/** Outside of Jest it is SQLite. */
export const ENGINE = (globalThis as { ENGINE?: 'sqlite' | 'postgres' }).ENGINE ?? 'sqlite';

export interface OwnDatabase {
  /** What `--db` takes. */
  readonly address: string;
  readonly database: Database;
}

/** @returns a database of a test's own, without anything; gone when the test has ended. */
export async function openDatabase(): Promise<OwnDatabase> {
  const address = await (ENGINE === 'sqlite' ? freshFile() : freshPostgres());
  return { address, database: databaseOf(address) };
}

/** @returns both sides of a store of a test's own; closed and gone when the test has ended. */
export async function openSides(fingerprints: Fingerprints): Promise<{ store: Store; writer: Writer }> {
  if (ENGINE === 'sqlite') return openInMemory(fingerprints);
  const { database } = await openDatabase();
  const writer = await database.openWriter();
  afterTest(() => writer.close());
  const store = await database.openStore(fingerprints);
  afterTest(() => store.close());
  return { store, writer };
}

function freshFile(): string {
  const folder = openFolder();
  afterTest(folder.remove);
  return folder.path('rollcall.db');
}

async function freshPostgres(): Promise<string> {
  const { address, drop } = await createDatabase(process.env[SERVER] ?? '', TEMPLATE);
  afterTest(drop);
  return address;
}
