/**
 * The database or the way to it fails: 503s, then responses as before, without a restart. The time limits of connections:
 * test/store/postgres/connections.test.ts.
 */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';
import { startProxy } from '../../support/faulty-proxy.ts';
import type { FaultyProxy } from '../../support/faulty-proxy.ts';
import { startPostgres } from '../../support/postgres.ts';
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
