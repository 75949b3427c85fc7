/** What the client costs over bare `fetch`: the same import asked for with both, alternating, in one process. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../client/index.ts';
import { openFolder } from '../support/cli.ts';

const ROUNDS = 3000;
const WARM_UP = 1000;
const MAX_OVERHEAD = 0.15;
const MAX_RUNS = 3;
const SAMPLES = fileURLToPath(new URL('../../server/samples/contact-imports.ndjson', import.meta.url));
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;

const folder = openFolder();
try {
  const samples = readFileSync(SAMPLES, 'utf8');
  const { id } = JSON.parse(samples.slice(0, samples.indexOf('\n'))) as { id: string };
  await folder.run(['import', 'contact-imports', '--account', 'a'], { input: samples });
  const apiKey = (await folder.run(['keys', 'create', '--account', 'a'])).stdout.trim();
  // A server that remembers nothing: most answers are not asked for twice.
  const { url } = await folder.serve(['--cache', '0']);

  const client = createClient({ baseUrl: url, apiKey });
  const bare = async (): Promise<unknown> => {
    const response = await fetch(`${url}/contacts/imports/${id}`, { headers: { Authorization: `Bearer ${apiKey}` } });
    return response.json();
  };
  const ours = (): Promise<unknown> => client.contactImports.get(id);
  const time = async (ask: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await ask();
    return performance.now() - started;
  };
  const measure = async (): Promise<number> => {
    const times = { bare: [] as number[], ours: [] as number[] };
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      // Which of them is first changes, so that neither is always after the other.
      const order = round % 2 === 0 ? (['bare', 'ours'] as const) : (['ours', 'bare'] as const);
      for (const which of order) {
        const took = await time(which === 'bare' ? bare : ours);
        if (round >= WARM_UP) times[which].push(took);
      }
    }
    const [a, b] = [median(times.bare), median(times.ours)];
    process.stdout.write(
      `fetch ${(a * 1000).toFixed(0)} µs, client ${(b * 1000).toFixed(0)} µs: ${((b / a - 1) * 100).toFixed(1)} % more ` +
        `(medians of ${String(ROUNDS)}, alternating)\nNode ${process.versions.node}, ${cpus()[0]?.model ?? 'unknown'}\n`,
    );
    return b / a - 1;
  };
  // What else the machine does only adds to it: one good run of three is enough.
  let overhead = Infinity;
  for (let run = 0; run < MAX_RUNS && overhead > MAX_OVERHEAD; run += 1) overhead = Math.min(overhead, await measure());
  if (overhead > MAX_OVERHEAD) process.exitCode = 1;
} finally {
  folder.remove();
}
