/** What fails at a server and on the way to it is told as what it is, without the password; and what serves recovers. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { schemaHashes } from '../../../contract/schema.ts';
import type { Account } from '../../../contract/types.ts';
import { postgresDatabase } from '../../../server/store/postgres/open.ts';
import { StoreError, StoreUnavailable } from '../../../server/store/store.ts';
import type { Store } from '../../../server/store/store.ts';
import { contactImport } from '../../../testkit/builders.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { openFolder } from '../../support/cli.ts';
import { openDatabase } from '../../support/engine.ts';
import { SERVER, execute } from '../../support/postgres-database.ts';
import { PASSWORD, USER } from '../../support/postgres.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import { connectTo } from '../../store/postgres/rows.ts';
import { failureOf } from './served.ts';

const hashes = schemaHashes(contract);
const ACCOUNT = 1 as Account; // The first one of a store.
const id = '00000000-0000-4000-8000-000000000000';

describe('at the start', () => {
  const SECRET = 's3cret';
  const own = process.env[SERVER] ?? '';
  const to = (parts: Partial<URL>): string => Object.assign(new URL(own), parts).href;
  const at = (place = `127.0.0.1:${new URL(own).port}`, database = 'postgres'): string =>
    `PostgreSQL at ${place} (database "${database}", user "${USER}")`;
  const form = 'it must be a URL such as postgres://user:password@host:5432/database.';

  test.each([
    [
      to({ password: SECRET }),
      `${at()} rejected the user or the password (password authentication failed for user "${USER}").`,
    ],
    [
      to({ password: '' }),
      `${at()} cannot be reached: SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string.`,
    ],
    [
      to({ pathname: 'nowhere' }),
      `${at(undefined, 'nowhere')} has no such database (database "nowhere" does not exist).`,
    ],
    [
      to({ hostname: 'nowhere.invalid' }),
      `${at(`nowhere.invalid:${new URL(own).port}`)} cannot be reached: its host is unknown.`,
    ],
    [to({ search: 'sslmode=verify-full' }), `${at()} cannot be reached: The server does not support SSL connections.`],
    [`postgres://me:${SECRET}#@host:port/it`, `The address postgres://me:...@host:port/it cannot be used: ${form}`],
  ])('%s is an error without the password', async (address, message) => {
    const error = await failureOf(postgresDatabase(address).openWriter());
    expect(error).toMatchObject({ constructor: StoreError, message });
    const all = inspect(error, { depth: 20, showHidden: true });
    for (const secret of [SECRET, PASSWORD]) expect(all).not.toContain(secret);
  });

  test('a port at which nobody listens is unavailable', async () => {
    const message = `${at('127.0.0.1:1')} cannot be reached: connect ECONNREFUSED 127.0.0.1:1.`;
    const error = await failureOf(postgresDatabase(to({ port: '1' })).openWriter());
    expect(error).toMatchObject({ constructor: StoreUnavailable, message });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(PASSWORD);
  });

  test('a server that says nothing is given up', async () => {
    const silent = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    afterTest(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const error = await failureOf(postgresDatabase(`postgres://me@127.0.0.1:${String(port)}/it`).openWriter());
    expect(error).toMatchObject({ constructor: StoreUnavailable });
  });

  test('a role that may not make tables', async () => {
    const { address } = await openDatabase();
    await execute(address, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE ROLE reader LOGIN PASSWORD NULL');
    afterTest(() => execute(process.env[SERVER] ?? '', 'DROP ROLE reader'));
    const options = `${address}?options=${encodeURIComponent('-c role=reader')}`;
    const error = await failureOf(postgresDatabase(options).openWriter());
    expect(error).toMatchObject({
      constructor: StoreError,
      message: expect.stringMatching(/^PostgreSQL at .+ (denied permission to this user|has no schema)/),
    });
  });
});

describe('while it serves', () => {
  let address: string;
  let store: Store;
  const records = series(3, contactImport);
  const open = async (): Promise<void> => {
    const opened = await openDatabase();
    address = opened.address;
    const writer = await opened.database.openWriter();
    await loadInto(writer, 'contactImports', records, { contract });
    await writer.close();
    store = await opened.database.openStore(hashes);
    afterTest(() => store.close());
  };
  const list = (): Promise<unknown> => Promise.resolve(store.list(ACCOUNT, 'contactImports', { limit: 2 }));
  const unavailable = (message: unknown): unknown =>
    expect.objectContaining({ constructor: StoreUnavailable, message });

  test('a statement that is held up, and who finds all connections in use, are told so', async () => {
    await open();
    const client = await connectTo(address);
    await client.query('BEGIN; LOCK TABLE rollcall_records');
    expect(await failureOf(list())).toEqual(unavailable('The database did not respond in time.'));
    const failures = await Promise.all(Array.from({ length: 200 }, () => failureOf(list())));
    const messages = new Set(failures.map((it) => (it instanceof StoreUnavailable ? it.message : it)));
    expect([...messages].sort()).toEqual([
      'All connections to the database are in use.',
      'The database did not respond in time.',
    ]);
    await client.query('ROLLBACK');
    expect(await list()).toMatchObject({ hasMore: true });
  });

  test('what no caller may send is unknown, and costs no connection', async () => {
    await open();
    for (const wrong of ['', 'x', `${id}\0`, '{00000000-0000-4000-8000-000000000000}']) {
      expect(await store.get(ACCOUNT, 'contactImports', wrong)).toBeUndefined();
      const cursor = { direction: 'after', id: wrong } as const;
      expect(await store.list(ACCOUNT, 'contactImports', { limit: 1, cursor })).toBeUndefined();
    }
  });

  test('a database that is recreated is found again', async () => {
    await open();
    await execute(address, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const gone = await failureOf(list());
    expect(gone).toEqual(unavailable(expect.stringMatching(/^The tables are not those of .+ does not exist\)/)));
    await (await postgresDatabase(address).openWriter()).close(); // It creates the tables.
    expect(await list()).toEqual({ items: [], hasMore: false });
  });
});

test('without its packages it says what to install', async () => {
  const folder = openFolder();
  afterTest(folder.remove);
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ resolve: (name, context, next) => {
      if (name === 'pg-copy-streams') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(name, context);
    } });`;
  const env = { NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(hook)}"` };
  const ran = await folder.run(['keys', 'list', '--db', String(process.env[SERVER])], { env });
  const stderr =
    'rollcall: PostgreSQL requires the packages pg and pg-copy-streams. Run: npm install pg@8 pg-copy-streams@7\n';
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr });
});
