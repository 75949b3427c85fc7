/** What loading costs: CPU against bare inserts, and the size of the database against that of the file; on PostgreSQL time, against a bare COPY. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyDatabase } from './postgres.ts';
import { rollcall, run } from './processes.ts';
import { ORDERS } from './records.ts';
import type { Order } from './records.ts';
import { median } from '../support/measure.ts';
import type { Row } from './rows.ts';
import { ACCOUNT, ndjson } from './seed.ts';

const INSERTS = fileURLToPath(new URL('./contenders/inserts.ts', import.meta.url));
const COPY = fileURLToPath(new URL('./contenders/postgres-copy.ts', import.meta.url));
const IN_ORDER: Order = 'newest first';
const CONTENDERS = ['bare inserts', ...(Object.keys(ORDERS) as Order[])] as const;
const MB = 1e6;

/** @returns the rows of importing so many records in each order, with bare inserts in between. */
export async function imports(records: number, rounds: number, folder: string): Promise<readonly Row[]> {
  const cpuMs = new Map<string, number[]>(CONTENDERS.map((it) => [it, []]));
  const bytes = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    for (const it of round % 2 === 0 ? CONTENDERS : CONTENDERS.toReversed()) {
      // The order of the file makes the size, which does not change: only the first round has them all.
      if (round > 0 && it !== 'bare inserts' && it !== IN_ORDER) continue;
      const scratch = mkdtempSync(join(folder, 'import-'));
      const db = join(scratch, 'rollcall.db');
      cpuMs.get(it)?.push(await (it === 'bare inserts' ? insertBare(db, records) : importFrom(db, records, it)));
      bytes.set(it, statSync(db).size);
      rmSync(scratch, { recursive: true });
    }
  }
  const usOf = (it: string): number => (median(cpuMs.get(it) ?? []) * 1000) / records;
  const fileBytes = statSync(await ndjson(records)).size;
  return [
    ...CONTENDERS.map((it): Row => ({
      work: 'import, CPU per record',
      contender: it,
      value: usOf(it),
      unit: 'µs',
      ratio: usOf(it) / usOf('bare inserts'),
    })),
    ...CONTENDERS.map((it): Row => ({
      work: 'database, by its file',
      contender: it,
      value: (bytes.get(it) ?? NaN) / MB,
      unit: 'MB',
      ratio: (bytes.get(it) ?? NaN) / fileBytes,
    })),
  ];
}

const insertBare = async (db: string, records: number): Promise<number> =>
  Number((await run([process.execPath, INSERTS, db, String(records)])).stdout);

async function importFrom(db: string, records: number, order: Order): Promise<number> {
  const file = await ndjson(records, order);
  return (await rollcall('import', 'contact-imports', file, '--account', ACCOUNT, '--db', db)).cpuMs;
}

const [BARE, IMPORT] = ['bare COPY', 'Rollcall, PostgreSQL'];

/** @returns the rows of both on PostgreSQL, by turns. */
export async function postgresImports(records: number, rounds: number): Promise<readonly Row[]> {
  const file = await ndjson(records);
  const works: Record<string, () => Promise<number>> = {
    [BARE]: async () => Number((await run([process.execPath, COPY, await emptyDatabase(), String(records)])).stdout),
    [IMPORT]: async () => {
      const db = await emptyDatabase();
      const started = performance.now();
      await rollcall('import', 'contact-imports', file, '--account', ACCOUNT, '--db', db);
      return performance.now() - started;
    },
  };
  const taken = new Map(Object.keys(works).map((it): [string, number[]] => [it, []]));
  for (let round = 0; round < rounds; round += 1) {
    const entries = Object.entries(works);
    for (const [name, work] of round % 2 === 0 ? entries : entries.toReversed()) taken.get(name)?.push(await work());
  }
  const usOf = (name: string): number => (median(taken.get(name) ?? []) * 1000) / records;
  return Object.keys(works).map((name): Row => ({
    work: 'PostgreSQL, import, time per record',
    contender: name,
    value: usOf(name),
    unit: 'µs',
    ratio: usOf(name) / usOf(BARE),
  }));
}
