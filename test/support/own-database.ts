/** A database of the engine for each test of the file that imports this, and a folder whose commands use it. Gone after the test. */
import { tmpdir } from 'node:os';
import { beforeEach } from '@jest/globals';
import type { Collection } from '../../contract/collections.ts';
import { shownAddress } from '../../server/store/address.ts';
import type { Database } from '../../server/store/database.ts';
import { databaseOf } from '../../cli/database.ts';
import { afterTest } from './after-test.ts';
import { contract } from './app.ts';
import { openFolder } from './cli.ts';
import type { Folder, Ran } from './cli.ts';
import { ENGINE, openDatabase } from './engine.ts';
import { PASSWORD } from './postgres.ts';
import { loadInto } from './store.ts';
import type { LoadInto } from './store.ts';

export let folder: Folder;
/** Nothing is in it yet; on SQLite the file is not there. */
export let database: Database;
export let address: string;
/** The address, as messages name it. */
export let shown: string;
/** What a command prints that has created the file of the database. */
export const CREATED = ENGINE === 'sqlite' ? 'Created the database ./rollcall.db.\n' : '';

beforeEach(async () => {
  if (ENGINE === 'sqlite') {
    folder = openFolder();
    [address, shown] = [folder.path('rollcall.db'), './rollcall.db'];
  } else {
    ({ address } = await openDatabase());
    folder = discreet(openFolder(tmpdir(), { ROLLCALL_DB: address }));
    shown = shownAddress(address);
  }
  afterTest(folder.remove);
  database = databaseOf(address);
});

/** @returns a folder of which no command may tell the password. */
const discreet = (of: Folder): Folder => {
  const check = (argv: readonly string[], ran: Ran): Ran => {
    if (`${ran.stdout}${ran.stderr}`.includes(PASSWORD)) throw new Error(`It printed the password: ${argv.join(' ')}`);
    return ran;
  };
  return {
    ...of,
    run: async (argv, options) => check(argv, await of.run(argv, options)),
    call: async (argv, options) => check(argv, await of.call(argv, options)),
  };
};

/** Loads records into the database; into account `acme`, by today's contract. */
export async function load(
  collection: Collection,
  records: readonly object[],
  into: Partial<LoadInto> = {},
): Promise<void> {
  const writer = await database.openWriter();
  await loadInto(writer, collection, records, { contract, account: 'acme', ...into });
  await writer.close();
}

/** @returns what an account holds of a collection, newest first: the texts that are served. */
export async function held(collection: Collection, account = 'acme'): Promise<string[]> {
  const inspector = await database.openInspector();
  const texts: string[] = [];
  for await (const it of (await inspector.texts(account, collection)) ?? []) texts.push(it);
  await inspector.close();
  return texts;
}
