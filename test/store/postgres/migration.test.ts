/** Tables are created once, however many processes come at the same time; what is not for this version is rejected. Of older ones: `cli/opening`. */
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { beforeEach, expect, test } from '@jest/globals';
import type { Client } from 'pg';
import { COLLECTIONS } from '../../../contract/collections.ts';
import { schemaHashes } from '../../../contract/schema.ts';
import type { Database } from '../../../server/store/database.ts';
import { VERSION } from '../../../server/store/postgres/database.ts';
import { STORE } from '../../../server/store/postgres/schema.ts';
import { postgresDatabase } from '../../../server/store/postgres/open.ts';
import { StoreError } from '../../../server/store/store.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { SERVER, createDatabase } from '../../support/postgres-database.ts';
import { connectTo, untilActivity } from './rows.ts';

const hashes = schemaHashes(contract);

let database: Database;
let client: Client;
let address: string;
let name: string;
beforeEach(async () => {
  const created = await createDatabase(process.env[SERVER] ?? ''); // Without tables.
  afterTest(created.drop);
  ({ address } = created);
  database = postgresDatabase(address);
  client = await connectTo(address);
  name = address.replace(/:[^:@]+@/, ':...@');
});

const rejected = (message: string): unknown => expect.objectContaining({ constructor: StoreError, message });
const tables = async (): Promise<unknown[]> =>
  (await client.query<object>("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")).rows;

test('of several that come first at once, one makes the tables, and all find them', async () => {
  const writers = await Promise.all(Array.from({ length: 6 }, async () => database.openWriter()));
  for (const [at, writer] of writers.entries()) {
    await writer.createKey({ id: String(at), account: 'main', label: '', createdAt: '' }, Buffer.of(at));
  }
  expect(await writers[0]?.listKeys()).toHaveLength(writers.length);
  await Promise.all(writers.map(async (it) => it.close()));
  const { rows } = await client.query(
    'SELECT version, (SELECT count(*) FROM rollcall_collections) FROM rollcall_store',
  );
  expect(rows).toEqual([{ version: VERSION, count: String(COLLECTIONS.length) }]);
});

test('who comes while another creates the tables waits for it', async () => {
  const [make, fill] = STORE;
  await client.query(make);
  await client.query(fill, [randomUUID()]);
  await client.query('BEGIN; SELECT FROM rollcall_store FOR UPDATE');
  const opened = Promise.resolve(database.openWriter());
  await untilActivity(address, "query = 'ROLLBACK'"); // It has tried, and will again.
  await client.query('COMMIT');
  await (await opened).close();
  expect((await client.query('SELECT name FROM rollcall_collections')).rowCount).toBe(COLLECTIONS.length);
});

test('a schema of its own has tables of its own', async () => {
  await client.query('CREATE SCHEMA apart');
  const apart = new URL(address);
  apart.searchParams.set('options', '-c search_path=apart');
  await (await postgresDatabase(apart.href).openWriter()).close();
  expect(await tables()).toEqual([]);
  expect((await client.query("SELECT FROM pg_tables WHERE schemaname = 'apart'")).rowCount).toBe(6);
});

test('a search_path without a schema is an error that says so, and nothing is made', async () => {
  const nowhere = new URL(address);
  nowhere.searchParams.set('options', '-c search_path=nowhere');
  const error = await Promise.resolve(postgresDatabase(nowhere.href).openWriter()).catch((it: unknown) => it);
  expect(error).toEqual(
    expect.objectContaining({
      constructor: StoreError,
      message: expect.stringMatching(
        /^PostgreSQL at .+ has no schema for the tables \(search_path\) \(no schema has been selected to create in\)\.$/,
      ) as unknown,
    }),
  );
  expect(await tables()).toEqual([]);
});

test('a database of a newer version is not written, served or inspected', async () => {
  await (await database.openWriter()).close();
  await client.query('UPDATE rollcall_store SET version = 99');
  const newer = rejected(
    `${name} was written by a newer version of Rollcall (store version 99; this version supports up to ${String(VERSION)}). Use the newer version.`,
  );
  await expect(database.openWriter()).rejects.toEqual(newer);
  await expect(database.openStore(hashes)).rejects.toEqual(newer);
  await expect(database.openInspector()).rejects.toEqual(newer);
});
