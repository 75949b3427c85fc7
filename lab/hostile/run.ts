/**
 * Attacks a server: npm run hostile -- [attacks] [seed]. 100,000 attacks by default, then 2,000 slow connections of
 * each kind. Prints figures; fails if a bound is exceeded.
 */
import { openFolder } from '../../test/support/cli.ts';
import { memoryMb } from '../../test/support/memory.ts';
import { importSamples } from '../../test/support/samples.ts';
import { report } from '../../test/support/report.ts';
import { runAttacks, cpuRatio } from '../../test/hostile/attack-run.ts';
import type { Target } from '../../test/hostile/attack-run.ts';
import { CROWDS, gather } from './slow.ts';

const SLOW_PEERS = 2000;
/** Beside what caches of a bounded size take while they fill. */
const MAX_GROWTH_MB = 40;
/** How many times the CPU of a server without attacks an ordinary request may cost. */
const MAX_CPU_RATIO = 1.45;

const [attacks, seed] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? Date.now() % 2 ** 31)];
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
  const isCheap = async (when: string, more = ''): Promise<void> => {
    const ratio = await cpuRatio(target, other);
    report(ratio < MAX_CPU_RATIO, `${when}: an ordinary request takes ${ratio.toFixed(2)} x the CPU${more}`);
  };
  await cpuRatio(target, other); // Warms up the JIT compiler.
  const started = performance.now();
  const after = await runAttacks({ url, key, pid, attacks, seed });
  const [early, late] = after.memoryMb;
  process.stdout.write(
    `     ${((performance.now() - started) / 1000).toFixed(0)} s; ${JSON.stringify(after.statuses)}\n`,
  );
  for (const it of after.faults) process.stdout.write(`     ${it}\n`);
  report(after.faults.length === 0, `responses: all declared, none HTML, no 5xx but 503`);
  report(late - early < MAX_GROWTH_MB, `memory: ${mb(early)} after a fifth, ${mb(late)} at the end`);
  await isCheap('after them');
  report(server.process.exitCode === null, 'the process survives');

  for (const [at, [name, textOf]] of Object.entries(CROWDS).entries()) {
    // Each crowd has an address: the limit of an address counts all who share it, and a closed connection until it is noticed.
    const leave = await gather(url, SLOW_PEERS, textOf(key), `127.0.0.${String(at + 2)}`);
    await isCheap(`${String(SLOW_PEERS)} peers, ${name}`, `, ${mb(memoryMb(pid))}`);
    leave();
  }
  const exit = server.ended;
  server.process.kill('SIGTERM');
  const { code, stderr } = await exit;
  report(code === 0 && stderr === '', `it ends with ${String(code)}, and its log is empty ${stderr.slice(0, 500)}`);
} finally {
  folder.remove();
}
