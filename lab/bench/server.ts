/** What a server costs besides its requests: its start, and its memory over a minute. */
import { join } from 'node:path';
import { ask } from './answers.ts';
import { ROLLCALL } from './contenders.ts';
import { run } from './processes.ts';
import { cpuNs, median, memoryMb } from '../support/measure.ts';
import type { Row } from './rows.ts';
import { seed } from './seed.ts';
import type { Seed } from './seed.ts';
import { everyKind } from './works.ts';
import { load, writeTargets } from './wrk.ts';

const STARTS = 9;
const MEMORY_SECONDS = 60;
const SAMPLE_MS = 250;

const headersOf = ({ key }: Seed): Record<string, string> => ({ Authorization: `Bearer ${key}` });

/** What a server costs from its start to its first 200, against a Node that does nothing: CPU, which a busy machine does not slow. */
export async function startUp(records: number): Promise<readonly Row[]> {
  const seeded = await seed(records);
  const [node, rollcall, wall]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < STARTS; at += 1) {
    node.push((await run([process.execPath, '-e', '0'])).cpuMs);
    const started = performance.now();
    const server = await ROLLCALL.start({ seed: seeded, responseFile: '' });
    try {
      const { status } = await ask(server.url, '/contacts/imports', headersOf(seeded));
      if (status !== 200) throw new Error(`The first response is ${String(status)}.`);
      wall.push(performance.now() - started);
      rollcall.push(cpuNs(server.pid) / 1e6);
    } finally {
      await server.stop();
    }
  }
  const row = (contender: string, ms: readonly number[]): Row => ({
    ...{ work: 'start to first 200, CPU', contender, value: median(ms), unit: 'ms' },
    ratio: median(ms.map((it, at) => it / (node[at] ?? NaN))),
  });
  return [
    row('node -e 0', node),
    row(ROLLCALL.name, rollcall),
    { work: 'start to first 200', contender: ROLLCALL.name, value: median(wall), unit: 'ms' },
  ];
}

/** The memory of a server over a minute of requests that are all different. */
export async function memory(records: number, folder: string): Promise<readonly Row[]> {
  const seeded = await seed(records);
  const file = join(folder, 'mixed.txt');
  writeTargets(file, headersOf(seeded), everyKind(records)());
  const server = await ROLLCALL.start({ seed: seeded, responseFile: '' });
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(memoryMb(server.pid)), SAMPLE_MS);
  try {
    await load(server.url, file, { connections: 16, seconds: MEMORY_SECONDS });
  } finally {
    clearInterval(timer);
    await server.stop();
  }
  const quarter = (nth: number): number =>
    median(samples.slice((samples.length * (nth - 1)) / 4, (samples.length * nth) / 4));
  const work = `memory, ${String(MEMORY_SECONDS)} s`;
  const second: Row = { work, contender: 'second quarter', value: quarter(2), unit: 'MB' };
  return [
    { ...second, contender: 'peak', value: Math.max(...samples) },
    second,
    { ...second, contender: 'last quarter', value: quarter(4), ratio: quarter(4) / quarter(2) },
  ];
}
