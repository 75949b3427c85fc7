/** What a page costs Rollcall and PostgreSQL, over cursors at random. */
import { join } from 'node:path';
import type { Client } from 'pg';
import { MAIN, cpuUs, start } from '../processes.ts';
import type { Server } from '../processes.ts';
import type { RoundOptions } from '../rounds.ts';
import { median } from '../rows.ts';
import type { Row } from '../rows.ts';
import { load, writeTargets } from '../wrk.ts';
import { postgresCpuUs } from './cpu.ts';
import { keyOf } from './fill.ts';
import { placesIn } from './places.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 10;

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
