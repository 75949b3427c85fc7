/**
 * Overloads a server: `npm run --prefix lab overload`. Each round measures how many uncached requests a second the server completes,
 * offers a tenth of that and three times that, and prints figures. Every request must have a response, as the contract declares it.
 */
import { cpuNs, median } from '../support/measure.ts';
import { judge } from '../../test/hostile/responses.ts';
import { openFolder } from '../../test/support/cli.ts';
import { importSamples } from '../../test/support/samples.ts';
import { report, reportEnd } from '../support/report.ts';
import { load } from './load.ts';
import type { LoadOptions, Loaded } from './load.ts';

const CONNECTIONS = 500;
/** Enough to keep it busy, and no more. */
const BUSY_CONNECTIONS = 16;
const SECONDS = 1;
/** The first tenth of a second, until it is seen to last, is less than a hundredth of it. */
const OVERLOADED_SECONDS = 10;
const ROUNDS = 3;
const OVERLOAD = 3;

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
  const {
    url,
    process: { pid = 0 },
  } = server;
  const measure = async (
    options: Pick<LoadOptions, 'connections'> & Partial<LoadOptions>,
  ): Promise<Loaded & { readonly cpuUs: number }> => {
    const before = cpuNs(pid);
    const loaded = await load({ url, request, seconds: SECONDS, ...options });
    const responses = [...loaded.times.values()].reduce((sum, it) => sum + it.length, 0);
    return { ...loaded, cpuUs: (cpuNs(pid) - before) / 1000 / responses };
  };
  await measure({ connections: BUSY_CONNECTIONS }); // Warms up the JIT compiler.

  const [ratios, faults]: [number[], string[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const most = await measure({ connections: BUSY_CONNECTIONS });
    const calm = await measure({ connections: CONNECTIONS, perSecond: most.perSecond / 10 });
    const over = await measure({
      connections: CONNECTIONS,
      perSecond: most.perSecond * OVERLOAD,
      seconds: OVERLOADED_SECONDS,
    });
    const [unloaded, accepted, rejected] = [calm.times.get(200), over.times.get(200), over.times.get(503)];
    ratios.push(over.cpuUs / most.cpuUs);
    faults.push(...[most, calm, over].flatMap(faultsOf));
    process.stdout.write(
      `     capacity ${most.perSecond.toFixed(0)}/s; a tenth: p50 ${ms(at(unloaded, 0.5))}, p99 ${ms(at(unloaded, 0.99))}, ` +
        `${String(calm.times.get(503)?.length ?? 0)} rejected; ` +
        `${over.perSecond.toFixed(0)}/s: ${String(accepted?.length ?? 0)} accepted, p50 ${ms(at(accepted, 0.5))}, p99 ${ms(at(accepted, 0.99))}, ` +
        `${String(rejected?.length ?? 0)} rejected, p50 ${ms(at(rejected, 0.5))}, p99 ${ms(at(rejected, 0.99))}; ` +
        `${most.cpuUs.toFixed(0)} and ${over.cpuUs.toFixed(0)} µs of CPU a response\n`,
    );
  }
  process.stdout.write(
    `     a response under overload, most of which are rejections, takes ${median(ratios).toFixed(2)} x the CPU of one at capacity\n`,
  );
  report(faults.length === 0, `responses: 200 and 503, as declared ${[...new Set(faults)].join('; ')}`);
  await reportEnd(server);
} finally {
  folder.remove();
}
