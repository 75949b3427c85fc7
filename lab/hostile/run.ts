/**
 * Attacks a server: `npm run --prefix lab hostile -- [--attacks N] [--seed N]`. After the attacks, 2,000 slow connections of each
 * kind. Prints what an ordinary request costs meanwhile. Fails if a response is wrong, a server ends, or its memory grows.
 */
import { parseArgs } from 'node:util';
import { openFolder } from '../../test/support/cli.ts';
import { memoryMb } from '../support/measure.ts';
import { importSamples } from '../../test/support/samples.ts';
import { report, reportEnd } from '../support/report.ts';
import { runAttacks } from '../../test/hostile/attack-run.ts';
import { cpuRatio } from './cost.ts';
import type { Target } from './cost.ts';
import { CROWDS, gather } from './slow.ts';

const SLOW_PEERS = 2000;
/** Beside what caches of a bounded size take while they fill. */
const MAX_GROWTH_MB = 40;

const { values: options } = parseArgs({
  options: {
    attacks: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
const [attacks, seed] = [Number(options.attacks), Number(options.seed)];
const mb = (value: number): string => `${value.toFixed(0)} MB`;

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve();
  const { url } = server;
  const pid = server.process.pid ?? 0;

  process.stdout.write(`${String(attacks)} attacks with seed ${String(seed)}\n`);
  const control = await folder.serve();
  const [target, other] = [server, control].map((it) => ({ url: it.url, key, pid: it.process.pid ?? 0 })) as [
    Target,
    Target,
  ];
  const printCost = async (when: string, more = ''): Promise<void> => {
    const ratio = await cpuRatio(target, other);
    process.stdout.write(`     ${when}: an ordinary request takes ${ratio.toFixed(2)} x the CPU${more}\n`);
  };
  await cpuRatio(target, other); // Warms up the JIT compiler.
  const started = performance.now();
  const attack = async (count: number, from: number): Promise<void> => {
    const { statuses, faults } = await runAttacks({ url, key, attacks: count, seed: from });
    for (const fault of faults) process.stdout.write(`     ${fault}\n`);
    report(faults.length === 0, `responses: all declared, none HTML, no 5xx but 503; ${JSON.stringify(statuses)}`);
  };
  const [first, rest] = [Math.ceil(attacks / 5), Math.floor((attacks * 4) / 5)];
  await attack(first, seed); // Then all code has run.
  const early = memoryMb(pid);
  await attack(rest, seed + 1);
  const late = memoryMb(pid);
  process.stdout.write(`     ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  report(late - early < MAX_GROWTH_MB, `memory: ${mb(early)} after a fifth, ${mb(late)} at the end`);
  await printCost('after them');

  for (const [at, [name, textOf]] of Object.entries(CROWDS).entries()) {
    // Each crowd has an address: the limit of an address counts all who share it, and a closed connection until it is noticed.
    const leave = await gather(url, SLOW_PEERS, textOf(key), `127.0.0.${String(at + 2)}`);
    await printCost(`${String(SLOW_PEERS)} peers, ${name}`, `, ${mb(memoryMb(pid))}`);
    leave();
  }
  await reportEnd(server);
} finally {
  folder.remove();
}
