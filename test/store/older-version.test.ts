/**
 * Tables of an older version: `upgrade` alone accepts them. There is one version so far, so that today's is the older one here: of a next
 * version, which is made up.
 */
import { beforeEach, expect, jest, test } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { shellWord, shownAddress } from '../../server/store/address.ts';
import type { Database } from '../../server/store/database.ts';
import { keyHash } from '../../server/store/keys.ts';
import { STORE, schemaWith } from '../../server/store/postgres/schema.ts';
import { SCHEMA } from '../../server/store/sqlite/schema.ts';
import { afterTest } from '../support/after-test.ts';
import { ENGINE, openDatabase } from '../support/engine.ts';
import { query } from '../support/postgres-database.ts';
import { dropTables } from '../support/state.ts';
import { HASHES, load, numbersIn, recordOf } from './contents.ts';

/** @returns the version that comes after a schema, which has one more table. */
const after = (schema: readonly string[], table: string): readonly string[] => [
  ...schema,
  `CREATE TABLE ${table} (text text); INSERT INTO ${table} VALUES ('made by the script')`,
];

/** @returns a database as the next version opens it. Afterwards, no other version opens a database in this test. */
async function asNextVersion(address: string): Promise<Database> {
  jest.unstable_mockModule('../../server/store/sqlite/schema.ts', () => ({ SCHEMA: after(SCHEMA, 'notes') }));
  jest.unstable_mockModule('../../server/store/postgres/schema.ts', () => ({
    STORE,
    schemaWith: (collation: string) => after(schemaWith(collation), 'rollcall_notes'),
  }));
  jest.resetModules();
  return (await import('../../cli/database.ts')).databaseOf(address);
}

let address: string;
let today: Database;
beforeEach(async () => {
  ({ address, database: today } = await openDatabase());
});

/** What the script of the next version has made. */
async function notes(): Promise<unknown> {
  if (ENGINE === 'postgres') return query(address, 'SELECT text FROM rollcall_notes');
  const db = new Sqlite(address, { readonly: true });
  afterTest(() => db.close());
  return db.prepare('SELECT text FROM notes').all();
}
const MADE = [{ text: 'made by the script' }];

test('they are rejected until they are upgraded, which changes all or nothing', async () => {
  const records = [1, 2, 3].map((it) => recordOf(it));
  const writer = await today.openWriter();
  await load(writer, {}, records);
  await writer.createKey({ id: 'a', account: 'main', label: '', createdAt: '' }, keyHash('key'));
  await writer.close();
  const next = await asNextVersion(address);
  const shown = shownAddress(address);
  const message = `${shown} was written by an older version of Rollcall. Back it up, then run: rollcall db upgrade --db ${shellWord(shown)}`;
  const expectRejected = async (): Promise<void> => {
    for (const open of [
      () => next.openStore(HASHES),
      () => next.openWriter(),
      () => next.openWriter(true),
      () => next.openInspector(),
      () => next.usage(),
    ]) {
      await expect(Promise.resolve().then<unknown>(open)).rejects.toThrow(message);
    }
  };
  await expectRejected();
  expect(await next.upgrade(HASHES, () => undefined)).toBe(false);
  await expectRejected();
  expect(await next.upgrade(HASHES, ({ json }) => records.find((it) => it.json === json))).toBe(true);
  expect(await notes()).toEqual(MADE);
  const store = await next.openStore(HASHES);
  afterTest(() => store.close());
  const caller = await store.authenticate(keyHash('key'));
  if (caller === undefined) throw new Error('The key opens nothing.');
  expect(numbersIn(await store.list(caller.account, 'automations', { limit: 10 }))).toEqual([1, 2, 3]);
});

test('a new database has those of all versions', async () => {
  if (ENGINE === 'postgres') await dropTables(address);
  await (await (await asNextVersion(address)).openWriter()).close();
  expect(await notes()).toEqual(MADE);
});
