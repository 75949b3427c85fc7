/**
 * A soak: npm run test:soak -- --minutes N [--seed N]. Everything that may happen to a server happens to one of its own, all the time;
 * what it takes of the machine is sampled, and must be the same in the last third as in the second: the first fills what is bounded.
 */
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Dice } from '../hostile/attacks.ts';
import { openFolder } from '../support/cli.ts';
import { memoryMb } from '../support/memory.ts';
import { importSamples } from '../support/samples.ts';
import { report } from '../support/verdict.ts';
import { WORKERS } from './workers.ts';

const SAMPLE_MS = 1000;
/**
 * What the later part may have more than the earlier: a part of it, and so much that means nothing. Medians are compared; of the
 * delay the lowest tenth, because other programs of the machine only make it longer.
 */
const BOUNDS = {
  memory: { unit: 'MB', rank: 0.5, ratio: 1.1, slack: 5 },
  handles: { unit: 'open files', rank: 0.5, ratio: 1.1, slack: 10 },
  delay: { unit: 'ms of event-loop delay', rank: 0.1, ratio: 1.5, slack: 5 },
} as const;
type Sample = Record<keyof typeof BOUNDS, number>;

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve(['--admin-port', '0']);
  const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
  const pid = server.process.pid ?? 0;
  const sample = async (): Promise<Sample> => {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    return {
      memory: memoryMb(pid),
      handles: readdirSync(`/proc/${String(pid)}/fd`).length,
      delay: Number(/^nodejs_eventloop_lag_p50_seconds (\S+)$/m.exec(metrics)?.[1]) * 1000,
    };
  };

  process.stdout.write(`${options.minutes} minutes with seed ${options.seed}\n`);
  const soak = { folder, url: server.url, key, dice: new Dice(Number(options.seed)) };
  const deadline = performance.now() + Number(options.minutes) * 60_000;
  const counts: Record<string, number> = {};
  const workers = Object.entries(WORKERS).flatMap(([name, { among, work }]) =>
    Array.from({ length: among }, async () => {
      while (performance.now() < deadline) {
        await work(soak);
        counts[name] = (counts[name] ?? 0) + 1;
      }
    }),
  );
  const samples: Sample[] = [];
  const sampling = (async (): Promise<void> => {
    while (performance.now() < deadline) {
      samples.push(await sample());
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    }
  })();
  await Promise.all([...workers, sampling]);

  report(true, `answers: all as expected; ${JSON.stringify(counts)}`);
  const third = (nth: number): readonly Sample[] =>
    samples.slice((samples.length * (nth - 1)) / 3, (samples.length * nth) / 3);
  for (const [name, { unit, rank, ratio, slack }] of Object.entries(BOUNDS)) {
    const of = (nth: number): number => {
      const values = third(nth).map((it) => it[name as keyof Sample]); // By the table.
      return values.sort((a, b) => a - b)[Math.floor(values.length * rank)] ?? NaN;
    };
    const [first, second, last] = [of(1), of(2), of(3)];
    const shown = [first, second, last].map((it) => it.toFixed(1)).join(', ');
    report(last <= Math.max(second * ratio, second + slack), `${name}: ${shown} ${unit} in the three thirds`);
  }
  server.process.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  report(code === 0 && stderr === '', `it ends with ${String(code)}, and its log is empty ${stderr.slice(0, 500)}`);
} finally {
  folder.remove();
}
