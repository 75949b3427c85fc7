/** The server of the database ends and comes back, or takes no more connections: 503s, then responses as before. */
import { expect, test } from '@jest/globals';
import { Client } from 'pg';
import { afterTest } from '../../support/after-test.ts';
import { startPostgres } from '../../support/postgres.ts';
import type { PostgresOptions, PostgresServer } from '../../support/postgres.ts';
import { BOUND_MS, UNAVAILABLE, serve } from './served.ts';
import type { Served } from './served.ts';

async function open(options: PostgresOptions = {}): Promise<{ server: PostgresServer; served: Served }> {
  const server = await startPostgres(options);
  afterTest(() => server.remove());
  const served = await serve(server.address());
  expect((await served.ask()).status).toBe(200);
  return { server, served };
}
async function expectUnavailable(served: Served): Promise<void> {
  const asked = await served.ask();
  expect(asked).toMatchObject(UNAVAILABLE);
  expect(asked.ms).toBeLessThan(BOUND_MS);
}

test.each(['fast', 'immediate'] as const)('a stop (%s) and a start', async (how) => {
  const { server, served } = await open();
  let isOver = false;
  const statuses = new Set<number>();
  const load = Array.from({ length: 10 }, async () => {
    while (!isOver) statuses.add((await served.ask()).status);
  });
  await server.stop(how);
  isOver = true;
  await Promise.all(load);
  expect([...statuses].filter((it) => it !== 200 && it !== 503)).toEqual([]);
  await expectUnavailable(served);
  await server.start();
  await served.recovered();
});

test('no connection left for us', async () => {
  const { server, served } = await open({ settings: { max_connections: '5', superuser_reserved_connections: '0' } });
  await server.stop('fast'); // Ends those of ours.
  await server.start();
  const others = Array.from({ length: 5 }, () => new Client({ connectionString: server.address() }));
  for (const client of others) {
    client.on('error', () => undefined); // Its query fails as well.
    await client.connect();
    afterTest(() => client.end());
  }
  await expectUnavailable(served);
  await others[0]?.end();
  await served.recovered();
});
