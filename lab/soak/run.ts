/**
 * A soak: `npm run --prefix lab soak -- --minutes N`. Runs every kind of request and change against one server, and samples its
 * memory and open files, which must not grow from the second third to the last: the first fills the caches.
 */
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Dice } from '../../test/hostile/attacks.ts';
import { median, memoryMb } from '../support/measure.ts';
import { openFolder } from '../../test/support/cli.ts';
import { importSamples } from '../../test/support/samples.ts';
import { report, reportEnd } from '../support/report.ts';
import { WORKERS } from './workers.ts';

const SAMPLE_MS = 1000;
/** By how much the median of the last third may exceed that of the second: more is a leak. */
const SAMPLED = {
  memory: { unit: 'MB', atMost: 25 },
  handles: { unit: 'open files', atMost: 10 },
} as const;
type Sample = Record<keyof typeof SAMPLED, number>;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve(['--admin-port', '0']);
  const pid = server.process.pid ?? 0;
  process.stdout.write(`${options.minutes} minutes with seed ${options.seed}\n`);
  const soak = { folder, url: server.url, key, dice: new Dice(Number(options.seed)) };
  const deadline = performance.now() + Number(options.minutes) * 60_000;
  const counts: Record<string, number> = {};
  const workers = Object.entries(WORKERS).flatMap(([name, { among, pauseMs = 5, work }]) =>
    Array.from({ length: among }, async () => {
      while (performance.now() < deadline) {
        await work(soak);
        await setTimeout(pauseMs);
        counts[name] = (counts[name] ?? 0) + 1;
      }
    }),
  );
  const samples: Sample[] = [];
  const sampling = (async (): Promise<void> => {
    while (performance.now() < deadline) {
      await setTimeout(SAMPLE_MS);
      samples.push({ memory: memoryMb(pid), handles: readdirSync(`/proc/${String(pid)}/fd`).length });
    }
  })();
  await Promise.all([...workers, sampling]);

  report(true, `responses: all as expected; ${JSON.stringify(counts)}`);
  const third = (nth: number): readonly Sample[] =>
    samples.slice((samples.length * (nth - 1)) / 3, (samples.length * nth) / 3);
  for (const [name, { unit, atMost }] of Object.entries(SAMPLED)) {
    const of = (nth: number): number => {
      const values = third(nth).map((it) => it[name as keyof Sample]); // By the table.
      return median(values);
    };
    const [first, second, last] = [of(1), of(2), of(3)];
    const shown = [first, second, last].map((it) => it.toFixed(1)).join(', ');
    report(last - second <= atMost, `${name}: ${shown} ${unit} in the three thirds`);
  }
  await reportEnd(server);
} finally {
  folder.remove();
}
