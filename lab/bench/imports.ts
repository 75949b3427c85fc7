/** What loading costs: CPU against bare inserts, and the size of the database against that of the file; on PostgreSQL time, against a bare COPY. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyDatabase } from './postgres.ts';
import { rollcall, run } from './processes.ts';
import { median } from '../support/measure.ts';
import type { Row } from './rows.ts';
import { ACCOUNT, ndjson } from './seed.ts';

const INSERTS = fileURLToPath(new URL('./contenders/inserts.ts', import.meta.url));
const COPY = fileURLToPath(new URL('./contenders/postgres-copy.ts', import.meta.url));
const MB = 1e6;

/** The works in the order of the table: the others are compared with the first. Each returns the milliseconds that it took. */
type Works = readonly (readonly [contender: string, work: () => Promise<number>])[];

const importInto = (db: string, file: string): ReturnType<typeof rollcall> =>
  rollcall('import', 'contact-imports', file, '--account', ACCOUNT, '--db', db);

/** @returns the rows of importing so many records, and of bare inserts of the same. */
export async function imports(records: number, rounds: number, folder: string): Promise<readonly Row[]> {
  const file = await ndjson(records);
  const bytes = new Map<string, number>();
  const inNewFile = (contender: string, load: (db: string) => Promise<number>): Works[number] => [
    contender,
    async () => {
      const scratch = mkdtempSync(join(folder, 'import-'));
      const db = join(scratch, 'rollcall.db');
      const ms = await load(db);
      bytes.set(contender, statSync(db).size);
      rmSync(scratch, { recursive: true });
      return ms;
    },
  ];
  const works = [
    inNewFile('bare inserts', async (db) =>
      Number((await run([process.execPath, INSERTS, db, String(records)])).stdout),
    ),
    inNewFile('Rollcall', async (db) => (await importInto(db, file)).cpuMs),
  ];
  const costs = await byTurns(works, rounds, records, 'import, CPU per record');
  const sizes = [...bytes].map(([contender, size]): Row => ({
    ...{ work: 'database, by its file', contender, value: size / MB, unit: 'MB' },
    ratio: size / statSync(file).size,
  }));
  return [...costs, ...sizes];
}

/** @returns the rows of both on PostgreSQL. */
export async function postgresImports(records: number, rounds: number): Promise<readonly Row[]> {
  const file = await ndjson(records);
  const copy = async (): Promise<number> =>
    Number((await run([process.execPath, COPY, await emptyDatabase(), String(records)])).stdout);
  const load = async (): Promise<number> => {
    const db = await emptyDatabase();
    const started = performance.now();
    await importInto(db, file);
    return performance.now() - started;
  };
  const works: Works = [
    ['bare COPY', copy],
    ['Rollcall, PostgreSQL', load],
  ];
  return byTurns(works, rounds, records, 'PostgreSQL, import, time per record');
}

/** Does the works in rounds, every other one backward. @returns a row for each, with its median. */
async function byTurns(works: Works, rounds: number, records: number, what: string): Promise<readonly Row[]> {
  const taken = works.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const turns = [...works.entries()];
    for (const [at, [, work]] of round % 2 === 0 ? turns : turns.toReversed()) taken[at]?.push(await work());
  }
  const us = taken.map((ms) => (median(ms) * 1000) / records);
  return works.map(([contender], at): Row => {
    const value = us[at] ?? NaN;
    return { work: what, contender, value, unit: 'µs', ratio: value / (us[0] ?? NaN) };
  });
}
