/** The memory of a server over minutes of requests that are all different. */
import { join } from 'node:path';
import { memoryMb } from '../support/memory.ts';
import { ROLLCALL } from './contenders.ts';
import { median } from './rows.ts';
import type { Row } from './rows.ts';
import { seed } from './seed.ts';
import { everyKind } from './works.ts';
import { load, writeTargets } from './wrk.ts';

const SAMPLE_MS = 250;

export async function memory(records: number, minutes: number, folder: string): Promise<readonly Row[]> {
  const seeded = await seed(records);
  const file = join(folder, 'mixed.txt');
  writeTargets(file, { Authorization: `Bearer ${seeded.key}` }, everyKind(records)());
  const server = await ROLLCALL.start({ seed: seeded, responseFile: '' });
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(memoryMb(server.pid)), SAMPLE_MS);
  try {
    await load(server.url, file, { connections: 16, seconds: Math.ceil(minutes * 60) });
  } finally {
    clearInterval(timer);
    await server.stop();
  }
  const quarter = (nth: number): number =>
    median(samples.slice((samples.length * (nth - 1)) / 4, (samples.length * nth) / 4));
  const work = `memory, ${String(minutes)} min`;
  const peak: Row = { work, contender: 'peak', value: Math.max(...samples), unit: 'MB', atMost: { value: 130 } };
  const second: Row = { work, contender: 'second quarter', value: quarter(2), unit: 'MB' };
  const last: Row = { ...second, contender: 'last quarter', value: quarter(4), ratio: quarter(4) / quarter(2) };
  return [peak, second, { ...last, atMost: { ratio: 1.1 } }];
}
