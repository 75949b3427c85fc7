/**
 * Overloads a server: npm run test:e2e -- overload [rounds]. Each round measures how many uncached requests a second the server
 * completes, offers a tenth of that and three times that, and prints figures. The round that the machine disturbed least must
 * keep the bounds.
 */
import { judge } from '../hostile/responses.ts';
import { openFolder } from '../support/cli.ts';
import { importSamples } from '../support/samples.ts';
import { report, reportEnd } from '../support/report.ts';
import { load } from './load.ts';
import type { Loaded } from './load.ts';

const CONNECTIONS = 500;
/** Enough to keep it busy, and no more. */
const BUSY_CONNECTIONS = 16;
const SECONDS = 1;
/** The first tenth of a second, until it is seen to last, is less than a hundredth of it. */
const OVERLOADED_SECONDS = 10;
const ROUNDS = 3;
const OVERLOAD = 3;
const MAX_SLOWER = 5;
const MAX_REJECTION_MS = 50;

const at = (times: readonly number[] = [], part: number): number => times[Math.floor(times.length * part)] ?? NaN;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** @returns the faults of responses: odd statuses, and samples that violate the contract. */
function faultsOf({ times, samples }: Loaded): readonly string[] {
  const odd = [...times.keys()].filter((it) => it !== 200 && it !== 503).map((it) => `status ${String(it)}`);
  return [...odd, ...samples.flatMap((it) => judge(it, false).faults)];
}

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve(['--cache', '0']);
  const request = `GET /contacts/imports HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const { url } = server;
  const common = { url, request, seconds: SECONDS };
  await load({ ...common, connections: BUSY_CONNECTIONS }); // Warms up the JIT compiler.

  const [bounds, faults]: [{ slower: number; rejectionMs: number }[], string[]] = [[], []];
  for (let round = 0; round < Number(process.argv[2] ?? ROUNDS); round += 1) {
    const most = await load({ ...common, connections: BUSY_CONNECTIONS });
    const calm = await load({ ...common, connections: CONNECTIONS, perSecond: most.perSecond / 10 });
    const over = await load({
      ...common,
      connections: CONNECTIONS,
      perSecond: most.perSecond * OVERLOAD,
      seconds: OVERLOADED_SECONDS,
    });
    const [unloaded, accepted, rejected] = [calm.times.get(200), over.times.get(200), over.times.get(503)];
    const [before, now, rejectionMs] = [at(unloaded, 0.99), at(accepted, 0.99), at(rejected, 0.99)];
    bounds.push({ slower: now / before, rejectionMs });
    faults.push(...[most, calm].filter((it) => it.times.has(503)).map(() => 'rejected below capacity'));
    faults.push(...[most, calm, over].flatMap(faultsOf));
    process.stdout.write(
      `     capacity ${most.perSecond.toFixed(0)}/s; a tenth: p50 ${ms(at(unloaded, 0.5))}, p99 ${ms(before)}; ` +
        `${over.perSecond.toFixed(0)}/s: ${String(accepted?.length)} accepted, p50 ${ms(at(accepted, 0.5))}, p99 ${ms(now)}, ` +
        `${String(rejected?.length)} rejected, p50 ${ms(at(rejected, 0.5))}, p99 ${ms(rejectionMs)}\n`,
    );
  }
  const [best] = bounds.toSorted((a, b) => a.slower - b.slower);
  const { slower = NaN, rejectionMs = NaN } = best ?? {};
  report(slower <= MAX_SLOWER, `accepted requests: p99 ${slower.toFixed(1)} times the unloaded one`);
  report(rejectionMs <= MAX_REJECTION_MS, `rejected requests: p99 ${ms(rejectionMs)}`);
  report(faults.length === 0, `responses: 200 and 503, as declared ${[...new Set(faults)].join('; ')}`);
  await reportEnd(server);
} finally {
  folder.remove();
}
