/** What loads cost beside the records that are there: time, CPU of both sides, and the log that replicas and backups take. */
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { postgresDatabase } from '../../../server/store/postgres/open.ts';
import { contactImport } from '../../../server/testing/builders.ts';
import { contract } from '../../support/app.ts';
import { loadInto } from '../../support/store.ts';
import { rollcall } from '../processes.ts';
import type { Row } from '../rows.ts';
import { ndjson } from '../seed.ts';
import { accountsOf } from './fill.ts';
import type { Size } from './fill.ts';
import { postgresCpuUs } from './pages.ts';

const SMALL_LOADS = 100;
const LARGE_LOADS = 5;

interface Spent {
  readonly ms: number;
  readonly walBytes: number;
  readonly postgresUs: number;
}

/**
 * Loads a million records, or as many as a tenth of what is there, into a new account, then a few into others.
 * @param client a connection of its own.
 */
export async function loads(client: Client, address: string, { records, accounts }: Size): Promise<readonly Row[]> {
  const count = Math.min(1_000_000, records / 10);
  const file = await ndjson(count);
  let importUs = NaN;
  const large = await spent(client, async () => {
    const { cpuMs } = await rollcall('import', 'contact-imports', file, '--account', 'loaded', '--db', address);
    importUs = cpuMs * 1000;
  });
  const rows = rowsOf(`load of ${count.toLocaleString('en')} records`, count, large);
  rows.push({ ...RECORD, work: rows[0]?.work ?? '', contender: 'CPU of rollcall import', value: importUs / count });
  const writer = await postgresDatabase(address).openWriter();
  const small = async (into: string, each: number, times: number, numberOf: (at: number) => number): Promise<void> => {
    const cost = await spent(client, async () => {
      for (let at = 0; at < times; at += 1) {
        const made = Array.from({ length: each }, () => contactImport({ id: randomUUID() }));
        await loadInto(writer, 'contactImports', made, { contract, account: `account-${String(numberOf(at))}` });
      }
    });
    rows.push(...rowsOf(`load of ${String(each)} into ${into}`, times * each, cost));
  };
  const another = (at: number): number => (accounts >> 1) + at;
  await small('a small account', 100, SMALL_LOADS, another);
  await small('a small account', 1, SMALL_LOADS, another);
  await small('the largest account', 1, LARGE_LOADS, () => accountsOf({ records, accounts }).largest);
  await writer.close();
  return rows;
}

const RECORD = { unit: 'µs' } as const;

function rowsOf(work: string, records: number, { ms, walBytes, postgresUs }: Spent): Row[] {
  return [
    { ...RECORD, work, contender: 'time per record', value: (ms * 1000) / records },
    { ...RECORD, work, contender: 'CPU of PostgreSQL per record', value: postgresUs / records },
    { work, contender: 'WAL per record', value: walBytes / records, unit: 'B' },
  ];
}

/** @returns what a work has cost, with the first changes of blocks after a checkpoint, which are logged whole. */
async function spent(client: Client, work: () => Promise<void>): Promise<Spent> {
  await client.query('CHECKPOINT');
  const walAt = async (): Promise<number> => {
    const { rows } = await client.query<{ at: number }>("SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS at");
    return rows[0]?.at ?? NaN;
  };
  const [wal, cpu, started] = [await walAt(), await postgresCpuUs(client), performance.now()];
  await work();
  const ms = performance.now() - started;
  return { ms, walBytes: (await walAt()) - wal, postgresUs: (await postgresCpuUs(client)) - cpu };
}
