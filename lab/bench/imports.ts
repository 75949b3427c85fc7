/** What loading costs: CPU against bare inserts, and the size of the database against that of the file. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rollcall, run } from './processes.ts';
import { median } from '../support/measure.ts';
import type { Row } from './rows.ts';
import { ACCOUNT, ndjson } from './seed.ts';

const INSERTS = fileURLToPath(new URL('./contenders/inserts.ts', import.meta.url));
const MB = 1e6;

/** @returns the rows of importing so many records, and of bare inserts of the same. */
export async function imports(records: number, rounds: number, folder: string): Promise<readonly Row[]> {
  const file = await ndjson(records);
  /** Each returns the milliseconds of CPU that it took. */
  const works: readonly (readonly [contender: string, load: (db: string) => Promise<number>])[] = [
    ['bare inserts', async (db) => Number((await run([process.execPath, INSERTS, db, String(records)])).stdout)],
    [
      'Rollcall',
      async (db) => (await rollcall('import', 'contact-imports', file, '--account', ACCOUNT, '--db', db)).cpuMs,
    ],
  ];
  const taken = works.map((): number[] => []);
  const bytes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const turns = [...works.entries()];
    for (const [at, [, load]] of round % 2 === 0 ? turns : turns.toReversed()) {
      const scratch = mkdtempSync(join(folder, 'import-'));
      const db = join(scratch, 'rollcall.db');
      taken[at]?.push(await load(db));
      bytes[at] = statSync(db).size;
      rmSync(scratch, { recursive: true });
    }
  }
  const us = taken.map((ms) => (median(ms) * 1000) / records);
  return works.flatMap(([contender], at): readonly Row[] => {
    const [value, size] = [us[at] ?? NaN, bytes[at] ?? NaN];
    return [
      { work: 'import, CPU per record', contender, value, unit: 'µs', ratio: value / (us[0] ?? NaN) },
      { work: 'database, by its file', contender, value: size / MB, unit: 'MB', ratio: size / statSync(file).size },
    ];
  });
}
