/** What connections are opened with, read back from the server and the driver: time limits, so that no wait is without one, and the database. */
import process from 'node:process';
import { afterEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { connect } from '../../../server/store/postgres/connections.ts';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';
import { SERVER, createDatabase, execute } from '../../support/postgres-database.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  // The server ends a statement before the driver gives it up. See docs/postgresql.md, Outages.
  ['serving', { connectMs: 2000, responseMs: 2500, statement: '2s', lock: '0' }],
  // So short that another server can still be asked.
  ['replica', { connectMs: 1000, responseMs: 1500, statement: '1s', lock: '0' }],
  ['writing', { connectMs: 2000, responseMs: undefined, statement: '0', lock: '250ms' }],
  ['inspecting', { connectMs: 2000, responseMs: undefined, statement: '0', lock: '1min' }],
] as const)('%s', async (profile, expected) => {
  const { address } = await openDatabase();
  const connects = jest.spyOn(pg.Pool.prototype, 'connect');
  const db = await connect(address, profile);
  afterTest(() => db.close());
  const [pool] = connects.mock.contexts as pg.Pool[]; // It is a method of them.
  const show = async (name: string): Promise<unknown> => Object.values((await db.sql(`SHOW ${name}`))[0] ?? {})[0];
  expect({
    connectMs: pool?.options.connectionTimeoutMillis,
    responseMs: pool?.options.query_timeout,
    statement: await show('statement_timeout'),
    lock: await show('lock_timeout'),
  }).toEqual(expected);
});

test.each(['a/b', 'a;b', 'a?b', 'a#b', '%2F', '%', '..', ' ', '-', `/;?#%25&=+@:,$ "'\\é[]{}|^~!*()<>`])(
  'a database is named by its name, percent-encoded: %j',
  async (suffix) => {
    const own = await createDatabase(process.env[SERVER] ?? '');
    const [plain, name] = [new URL(own.address).pathname.slice(1), `named ${suffix}`];
    const quoted = `"${name.replaceAll('"', '""')}"`;
    await execute(process.env[SERVER] ?? '', `ALTER DATABASE ${plain} RENAME TO ${quoted}`);
    afterTest(async () => {
      await execute(process.env[SERVER] ?? '', `ALTER DATABASE ${quoted} RENAME TO ${plain}`);
      await own.drop();
    });
    const address = own.address.replace(plain, () => encodeURIComponent(name));
    const db = await connect(`${address}?application_name=x`, 'writing');
    afterTest(() => db.close());
    expect(await db.sql('SELECT current_database() AS name')).toEqual([{ name }]);
    expect(db.server).toContain(`(database "${name}", user "`);
  },
);
