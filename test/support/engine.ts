/** The engine that tests run on: `jest.config.js` names it. */
import process from 'node:process';
import { databaseOf } from '../../cli/database.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Database } from '../../server/store/database.ts';
import { openInMemory } from '../../server/store/sqlite/open.ts';
import type { Store, Writer } from '../../server/store/store.ts';
import { afterFile, afterTest } from './after-test.ts';
import type { After } from './after-test.ts';
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
export const openDatabase = (): Promise<OwnDatabase> => freshDatabase(afterTest);

export interface Sides {
  readonly store: Store;
  readonly writer: Writer;
}

/** @returns both sides of a store of a test's own; closed and gone when the test has ended. */
export async function openSides(hashes: SchemaHashes): Promise<Sides> {
  return ENGINE === 'sqlite' ? openInMemory(hashes) : openBoth(hashes, afterTest);
}

// To make a database and to connect to it takes longer than most tests.
const emptied: Sides[] = [];

/**
 * For tests that do not look into a store: on PostgreSQL it is one that tests before have used, without their accounts.
 * @param hashes the same throughout a file.
 * @param after when it is emptied.
 * @returns both sides of a store that is empty.
 */
export async function takeSides(hashes: SchemaHashes, after = afterTest): Promise<Sides> {
  if (ENGINE === 'sqlite') return openInMemory(hashes);
  const sides = emptied.pop() ?? (await openBoth(hashes, afterFile));
  const { store, writer } = sides;
  const accounts = new Set<string>();
  after(async () => {
    for (const name of accounts) await writer.removeAccount(name);
    emptied.push(sides);
  });
  return {
    store,
    writer: {
      ...writer,
      load: (account, ...rest) => {
        accounts.add(account);
        return writer.load(account, ...rest);
      },
      createKey: (key, hash) => {
        accounts.add(key.account);
        return writer.createKey(key, hash);
      },
    },
  };
}

async function openBoth(hashes: SchemaHashes, after: After): Promise<Sides> {
  const { database } = await freshDatabase(after);
  const writer = await database.openWriter();
  after(() => writer.close());
  const store = await database.openStore(hashes);
  after(() => store.close());
  return { store, writer };
}

async function freshDatabase(after: After): Promise<OwnDatabase> {
  const address = await (ENGINE === 'sqlite' ? freshFile(after) : freshPostgres(after));
  return { address, database: databaseOf(address) };
}

function freshFile(after: After): string {
  const folder = openFolder();
  after(folder.remove);
  return folder.path('rollcall.db');
}

async function freshPostgres(after: After): Promise<string> {
  const { address, drop } = await createDatabase(process.env[SERVER] ?? '', TEMPLATE);
  after(drop);
  return address;
}
