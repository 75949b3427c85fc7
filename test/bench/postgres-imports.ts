/** How long a load into PostgreSQL takes, by that of a bare COPY. */
import { fileURLToPath } from 'node:url';
import { emptyDatabase } from './postgres.ts';
import { rollcall, run } from './processes.ts';
import { median } from './rows.ts';
import type { Row } from './rows.ts';
import { ACCOUNT, ndjson } from './seed.ts';

const COPY = fileURLToPath(new URL('./contenders/postgres-copy.ts', import.meta.url));
const [BARE, IMPORT] = ['bare COPY', 'Rollcall, PostgreSQL'];

/** @returns the rows of both, by turns. */
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
    ...(name === IMPORT ? { atMost: { ratio: 2 } } : {}),
    rounds: taken.get(name) ?? [],
  }));
}
