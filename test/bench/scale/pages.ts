/** What a page costs Rollcall and PostgreSQL, over cursors at random: of a server, and of one connection without a network in between. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from 'pg';
import { SERVING } from '../../../server/store/postgres/dialect.ts';
import { pageOf } from '../../../server/store/postgres/statements.ts';
import { childrenOf } from '../../support/processes.ts';
import { MAIN, cpuUs, start } from '../processes.ts';
import type { Server } from '../processes.ts';
import type { RoundOptions } from '../rounds.ts';
import { median } from '../rows.ts';
import type { Row } from '../rows.ts';
import { load, writeTargets } from '../wrk.ts';
import { idOf, keyOf } from './fill.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 10;
const PLACES = 200_000;
const ROWS = 11; // A page, and one more.
const PAGES = 20_000; // Over one connection.

/**
 * @param client a connection of its own to the address.
 * @param among how many of the accounts ask.
 * @returns what a page of them costs.
 */
export async function pages(
  client: Client,
  address: string,
  among: number,
  options: RoundOptions,
): Promise<readonly Row[]> {
  const { rounds, seconds, folder } = options;
  const file = join(folder, 'targets.txt');
  const targets = (await placesIn(client, among)).map(
    ({ account, id }, at) => `/contacts/imports?${at % 2 === 0 ? 'after' : 'before'}=${id} ${keyOf(account)}`,
  );
  writeTargets(file, {}, targets);
  const server = await start([MAIN, 'serve', '--port', '0', '--db', address]);
  const perPage: Cost[] = [];
  let connections = NaN;
  try {
    let { requests: offset } = await load(server.url, file, { connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
    for (let round = 0; round < rounds; round += 1) {
      const before = await costOf(client, server);
      const { requests } = await load(server.url, file, { connections: CONNECTIONS, seconds, offset });
      const after = await costOf(client, server);
      offset += requests;
      const spent = (what: keyof Cost): number => (after[what] - before[what]) / requests;
      const cpu = { rollcallUs: spent('rollcallUs'), postgresUs: spent('postgresUs') };
      perPage.push({ ...cpu, blocks: spent('blocks'), missed: spent('missed') });
    }
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'rollcall'",
    );
    connections = rows[0]?.count ?? NaN;
  } finally {
    await server.stop();
  }
  const work = `page, among ${among.toLocaleString('en')} accounts`;
  const row = (contender: string, what: keyof Cost, unit: Row['unit']): Row => {
    const values = perPage.map((it) => it[what]);
    return { work, contender, value: median(values), unit, rounds: values };
  };
  return [
    row('CPU of Rollcall', 'rollcallUs', 'µs'),
    row('CPU of PostgreSQL', 'postgresUs', 'µs'),
    row('blocks read', 'blocks', 'blocks'),
    row('blocks not in shared_buffers', 'missed', 'blocks'),
    { work, contender: 'connections of the server', value: connections, unit: '' },
  ];
}

interface Cost {
  readonly rollcallUs: number;
  readonly postgresUs: number;
  readonly blocks: number;
  readonly missed: number;
}

/** @returns what has been spent so far. */
async function costOf(client: Client, { pid }: Server): Promise<Cost> {
  const { rows } = await client.query<{ blocks: number; missed: number }>(
    `SELECT (blks_hit + blks_read)::float8 AS blocks, blks_read::float8 AS missed
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  const [{ blocks, missed } = { blocks: NaN, missed: NaN }] = rows;
  return { rollcallUs: cpuUs(pid), postgresUs: await postgresCpuUs(client), blocks, missed };
}

/**
 * @param client a connection of its own.
 * @param collection the number of the contact imports.
 * @returns the time of a page, from the statement to its rows, over cursors of so many accounts at random.
 */
export async function oneConnection(client: Client, collection: number, accounts: number): Promise<readonly Row[]> {
  await client.query(SERVING);
  const { rows } = await client.query<{ epoch: string }>('SELECT epoch FROM rollcall_store');
  const statement = pageOf('after', false, false);
  const us: number[] = [];
  for (const { account, id } of (await placesIn(client, accounts)).slice(0, PAGES)) {
    const started = performance.now();
    await client.query({ ...statement, values: [account, collection, ROWS, rows[0]?.epoch, id], rowMode: 'array' });
    us.push((performance.now() - started) * 1000);
  }
  return [{ work: 'page, one connection', contender: 'time, median', value: median(us), unit: 'µs' }];
}

interface Place {
  readonly account: number;
  readonly id: string;
}

/** @returns records at random, each of one of so many accounts: which account is as likely as another. */
async function placesIn(client: Client, accounts: number): Promise<readonly Place[]> {
  const { rows } = await client.query<Place>(
    `SELECT account::int, ${idOf('account', 'floor(random() * size)')} AS id
     FROM (SELECT 1 + floor(random() * $1)::bigint AS account FROM generate_series(1, $2)) AS chosen
     JOIN bench_sizes USING (account) WHERE size > 0 ORDER BY random()`,
    [accounts, PLACES],
  );
  return rows;
}

/**
 * @param client a connection to a server on this machine.
 * @returns the CPU time of all its processes so far.
 */
export async function postgresCpuUs(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${String(rows[0]?.pid)}/status`, 'utf8')) ?? [];
  const server = Number(parent);
  const running = childrenOf(server).reduce((sum, pid) => sum + runningUs(pid), 0);
  return running + cpuUs(server, true); // In this order: who ends in between is counted once.
}

function runningUs(pid: number): number {
  try {
    return cpuUs(pid);
  } catch {
    return 0; // It has just ended.
  }
}
