/** The time limits that connections are opened with, read back from the server and the driver: no wait is without one. */
import { afterEach, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { connect } from '../../../server/store/postgres/connections.ts';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  // The server ends a statement before the driver gives it up. See docs/postgresql.md, Timeouts.
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
