/** How long single pages take while a million records are loaded into the same database, against a quiet one. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLD } from './contenders.ts';
import { rollcall } from './processes.ts';
import type { Row } from './rows.ts';
import { ndjson, seed } from './seed.ts';
import { distinctCursors } from './works.ts';
import { load, writeTargets } from './wrk.ts';

const PAUSE_MS = 2;
const QUIET_SECONDS = 10;
const OFFSET = 10_000; // More than are asked in that time.
const LONGEST_SECONDS = 1800;

export async function loading(records: number, folder: string): Promise<readonly Row[]> {
  const seeded = await seed(records);
  const db = join(folder, 'loading.db');
  copyFileSync(seeded.db, db);
  const targets = join(folder, 'loading.txt');
  writeTargets(targets, { Authorization: `Bearer ${seeded.key}` }, distinctCursors(records)());
  const file = await ndjson(records);
  const server = await COLD.start({ seed: { ...seeded, db }, responseFile: '' });
  // One request after the other, with pauses: the machine is to have a core to spare for the load.
  const paced = { connections: 1, pauseMs: PAUSE_MS };
  try {
    await load(server.url, targets, { ...paced, seconds: QUIET_SECONDS }); // Warms it.
    const quiet = await load(server.url, targets, { ...paced, seconds: QUIET_SECONDS, offset: OFFSET });
    const loaded = new AbortController();
    const asking = load(server.url, targets, {
      ...paced,
      seconds: LONGEST_SECONDS,
      signal: loaded.signal,
      offset: 2 * OFFSET,
    });
    await rollcall('import', 'contact-imports', file, '--account', 'another', '--db', db);
    loaded.abort();
    const busy = await asking;
    const row: Row = { work: 'p99 of a cold page', contender: 'quiet', value: quiet.p99Ms, unit: 'ms' };
    return [
      row,
      { ...row, contender: 'while loading', value: busy.p99Ms, ratio: busy.p99Ms / quiet.p99Ms, atMost: { ratio: 3 } },
    ];
  } finally {
    await server.stop();
  }
}
