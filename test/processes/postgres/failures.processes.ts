/** The way to the database fails: 503s within a bound, then responses as before, without a restart. */
import { beforeEach, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';
import { startProxy } from '../../support/faulty-proxy.ts';
import type { FaultyProxy } from '../../support/faulty-proxy.ts';
import { BOUND_MS, UNAVAILABLE, serve } from './served.ts';
import type { Asked, Served } from './served.ts';

let address: string;
let proxy: FaultyProxy;
let served: Served;
beforeEach(async () => {
  ({ address } = await openDatabase());
  proxy = await startProxy(Number(new URL(address).port));
  afterTest(() => proxy.close());
  served = await serve(address, proxy.through(address));
  expect((await served.ask()).status).toBe(200);
});

const expectError = (asked: Asked): void => {
  expect(asked).toMatchObject(UNAVAILABLE);
  expect(asked.ms).toBeLessThan(BOUND_MS);
};

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

test('a server that accepts connections and queries, and never responds', async () => {
  proxy.stall();
  const asked = await Promise.all(Array.from({ length: 3 }, () => served.ask()));
  asked.forEach(expectError);
  expectError(await served.ask()); // On a new connection.
  await proxy.pass();
  await served.recovered();
});

test('a server that responds late', async () => {
  proxy.delay(100);
  const { status, ms } = await served.ask();
  expect(status).toBe(200);
  expect(ms).toBeGreaterThan(200); // Two questions.
});

test('nobody listens any more', async () => {
  await proxy.refuse();
  expectError(await served.ask());
  await proxy.pass();
  await served.recovered();
});

test('more requests than connections, none of which gets a response', async () => {
  proxy.stall();
  const asked = await Promise.all(Array.from({ length: 40 }, () => served.ask()));
  asked.forEach(expectError);
  await proxy.pass();
  await served.recovered();
});

test('a query that takes too long times out', async () => {
  const client = new Client({ connectionString: address });
  client.on('error', () => undefined); // Its query tells as well.
  await client.connect();
  afterTest(() => client.end());
  await client.query('BEGIN; LOCK TABLE rollcall_records IN ACCESS EXCLUSIVE MODE');
  expectError(await served.ask());
  await client.query('ROLLBACK');
  expect((await served.ask()).status).toBe(200);
});
