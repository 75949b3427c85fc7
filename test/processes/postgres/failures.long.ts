/**
 * The database or the way to it fails: 503s, then responses as before, without a restart. The time limits of connections:
 * test/store/postgres/connections.test.ts.
 */
import process from 'node:process';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';
import { startProxy } from '../../support/faulty-proxy.ts';
import type { FaultyProxy } from '../../support/faulty-proxy.ts';
import { SERVER, execute } from '../../support/postgres-database.ts';
import { PASSWORD, startPostgres } from '../../support/postgres.ts';
import { until } from '../../support/processes.ts';
import type { PostgresOptions, PostgresServer } from '../../support/postgres.ts';
import { UNAVAILABLE, serve } from './served.ts';
import type { Asked, Served } from './served.ts';

const expectError = (asked: Asked): void => {
  expect(asked).toMatchObject(UNAVAILABLE);
};

describe('the way to it:', () => {
  let proxy: FaultyProxy;
  let served: Served;
  beforeEach(async () => {
    const { address } = await openDatabase();
    proxy = await startProxy(Number(new URL(address).port));
    afterTest(() => proxy.close());
    served = await serve(address, proxy.through(address));
    expect((await served.ask()).status).toBe(200);
  });

  test('a connection that is cut while it is idle', async () => {
    proxy.cut();
    await served.recovered();
  });

  test('a connection that is cut while a response is on its way', async () => {
    proxy.stall();
    const [asked, reached] = [served.ask(), proxy.asked()];
    await reached;
    proxy.cut();
    await proxy.pass();
    expectError(await asked);
    await served.recovered();
  });

  test('a server that accepts connections and queries, and never responds, to more requests than connections', async () => {
    proxy.stall();
    const asked = await Promise.all(Array.from({ length: 40 }, () => served.ask()));
    asked.forEach(expectError);
    expectError(await served.ask()); // On a new connection.
    await proxy.pass();
    await served.recovered();
  });

  test('nobody listens any more', async () => {
    await proxy.refuse();
    expectError(await served.ask());
    await proxy.pass();
    await served.recovered();
  });
});

describe('its server:', () => {
  let server: PostgresServer;
  let served: Served;
  const open = async (options?: PostgresOptions): Promise<void> => {
    server = await startPostgres(options);
    afterTest(() => server.remove());
    served = await serve(server.address());
    expect((await served.ask()).status).toBe(200);
  };

  test.each(['fast', 'immediate'] as const)('a stop (%s) and a start', async (how) => {
    await open();
    let isOver = false;
    const statuses = new Set<number>();
    const load = Array.from({ length: 10 }, async () => {
      while (!isOver) statuses.add((await served.ask()).status);
    });
    await server.stop(how);
    isOver = true;
    await Promise.all(load);
    expect([...statuses].filter((it) => it !== 200 && it !== 503)).toEqual([]);
    expectError(await served.ask());
    await server.start();
    await served.recovered();
  });

  test('no connection left for us', async () => {
    await open({ settings: { max_connections: '5', superuser_reserved_connections: '0' } });
    await server.stop('fast'); // Ends those of ours.
    await server.start();
    const others = Array.from({ length: 5 }, () => new Client({ connectionString: server.address() }));
    for (const client of others) {
      client.on('error', () => undefined); // Its query fails as well.
      await client.connect();
      afterTest(() => client.end());
    }
    expectError(await served.ask());
    await others[0]?.end();
    await served.recovered();
  });
});

describe('what a role may do:', () => {
  const ROLE = 'served_by_failures'; // Not the owner of the tables, who needs no permission.
  const server = process.env[SERVER] ?? '';
  let direct: string;
  let served: Served;
  beforeEach(async () => {
    await execute(server, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`);
    afterTest(() => execute(server, `DROP ROLE ${ROLE}`));
    direct = (await openDatabase()).address;
    await execute(direct, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${ROLE}`);
    served = await serve(direct, Object.assign(new URL(direct), { username: ROLE }).href);
  });

  test.each([
    ['ALTER ROLE <role> NOLOGIN', 'ALTER ROLE <role> LOGIN', 'rejected the user or the password (role "'],
    [
      "ALTER ROLE <role> PASSWORD 'another'",
      `ALTER ROLE <role> PASSWORD '${PASSWORD}'`,
      'rejected the user or the password (password authentication failed for user "',
    ],
    [
      'REVOKE CONNECT ON DATABASE <database> FROM PUBLIC',
      'GRANT CONNECT ON DATABASE <database> TO PUBLIC',
      'denied permission to this user (permission denied for database "',
    ],
    [
      'ALTER DATABASE <database> ALLOW_CONNECTIONS false',
      'ALTER DATABASE <database> ALLOW_CONNECTIONS true',
      'is not currently accepting connections.',
    ],
    [
      'ALTER DATABASE <database> RENAME TO gone',
      'ALTER DATABASE gone RENAME TO <database>',
      'has no such database (database "',
    ],
  ])('%s', async (broken, mended, reason) => {
    const database = new URL(direct).pathname.slice(1);
    const run = (sql: string): Promise<void> =>
      execute(server, sql.replaceAll('<role>', ROLE).replaceAll('<database>', database));
    expect((await served.ask()).status).toBe(200);
    const disconnect = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '<database>'`;
    await run(`${disconnect}; ${broken}`);
    expectError(await served.ask());
    await until(async () => String(await served.notReady()).includes(reason)); // Before that, connections turn out to be lost.
    expectError(await served.ask());
    await run(mended);
    await served.recovered();
    expect(await served.notReady()).toBeUndefined();
  });

  const COLUMNS = {
    rollcall_store: ['id', 'epoch'],
    rollcall_accounts: ['id', 'name'],
    rollcall_keys: ['id', 'account', 'hash', 'expires_at', 'revoked_at'],
    rollcall_records: ['account', 'collection', 'created_us', 'id', 'json'],
  };
  const tables = Object.entries(COLUMNS);
  const NEXT_EPOCH = 'UPDATE rollcall_store SET epoch = gen_random_uuid()'; // Servers read the collections again.
  test.each([
    ...tables.map(([table]) => [
      `REVOKE SELECT ON ${table} FROM ${ROLE}`,
      `GRANT SELECT ON ${table} TO ${ROLE}`,
      `denied permission to this user (permission denied for table ${table})`,
    ]),
    [
      `REVOKE SELECT ON rollcall_collections FROM ${ROLE}; ${NEXT_EPOCH}`,
      `GRANT SELECT ON rollcall_collections TO ${ROLE}`,
      'denied permission to this user (permission denied for table rollcall_collections)',
    ],
    ...tables.map(([table]) => [
      `ALTER TABLE ${table} RENAME TO gone`,
      `ALTER TABLE gone RENAME TO ${table}`,
      `(relation "${table}" does not exist)`,
    ]),
    ...tables.flatMap(([table, columns]) =>
      columns.map((column) => [
        `ALTER TABLE ${table} RENAME ${column} TO gone`,
        `ALTER TABLE ${table} RENAME gone TO ${column}`,
        'does not exist). If the database was upgraded, restart the server with that version.',
      ]),
    ),
  ])('%s', async (broken = '', mended = '', reason = '') => {
    // First before anything is prepared and the key is known, then after.
    for (const isUsed of [false, true]) {
      await execute(direct, broken);
      const asked = await served.ask();
      const isKnown = isUsed && broken.includes('rollcall_accounts'); // The account of a known key is known too.
      expect(asked).toMatchObject(isKnown ? { status: 200 } : UNAVAILABLE);
      expect(await served.notReady()).toEqual(expect.stringContaining(reason));
      await execute(direct, mended);
      await served.recovered();
      expect(await served.notReady()).toBeUndefined();
    }
  });
});
