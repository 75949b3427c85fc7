/**
 * Lays siege to a server of its own: npm run test:hostile -- [attacks] [seed]. 100,000 attacks unless told, then 2,000 slow
 * connections of each kind. Prints figures; fails if a bound is broken.
 */
import { openFolder } from '../support/cli.ts';
import { memoryMb } from '../support/memory.ts';
import { importSamples } from '../support/samples.ts';
import { report } from '../support/verdict.ts';
import { besiege, latencies, latencyOf } from './siege.ts';
import { CROWDS, gather } from './slow.ts';

const SLOW_PEERS = 2000;
const ORDINARY = 1000;
/** Beside what caches of a bounded size take while they fill. */
const MAX_GROWTH_MB = 40;
const MAX_SLOWER = 1.5;
const MAX_P99_MS = 100;

const [attacks, seed] = [Number(process.argv[2] ?? 100_000), Number(process.argv[3] ?? Date.now() % 2 ** 31)];
const mb = (value: number): string => `${value.toFixed(0)} MB`;
const ms = (value: number): string => `${value.toFixed(1)} ms`;

const folder = openFolder();
try {
  await importSamples(folder, 'acme');
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve();
  const { url } = server;
  const pid = server.process.pid ?? 0;

  process.stdout.write(`${String(attacks)} attacks with seed ${String(seed)}\n`);
  await latencyOf(url, key); // What is compiled meanwhile is no part of it.
  const before = await latencyOf(url, key);
  const started = performance.now();
  const after = await besiege({ url, key, pid, attacks, seed });
  const [early, late] = after.memoryMb;
  process.stdout.write(
    `     ${((performance.now() - started) / 1000).toFixed(0)} s; ${JSON.stringify(after.statuses)}\n`,
  );
  const now = await latencyOf(url, key);
  for (const it of after.faults) process.stdout.write(`     ${it}\n`);
  report(after.faults.length === 0, `answers: all declared, none HTML, no 5xx but 503`);
  report(late - early < MAX_GROWTH_MB, `memory: ${mb(early)} after a fifth, ${mb(late)} at the end`);
  report(now < before * MAX_SLOWER, `an ordinary request: ${ms(before)} before, ${ms(now)} after`);
  report(server.process.exitCode === null, 'the process lives');

  for (const [at, [name, textOf]] of Object.entries(CROWDS).entries()) {
    // From an address of its own: the limit of an address holds for all who share it, and whoever leaves counts until it is seen.
    const leave = await gather(url, SLOW_PEERS, textOf(key), `127.0.0.${String(at + 2)}`);
    const times = await latencies(url, key, ORDINARY);
    const [median = 0, p99 = 0] = [times[times.length >> 1], times[Math.floor(times.length * 0.99)]];
    report(
      p99 < MAX_P99_MS,
      `${String(SLOW_PEERS)} peers, ${name}: ${ms(median)}, p99 ${ms(p99)}, ${mb(memoryMb(pid))}`,
    );
    leave();
  }
  const exit = server.ended;
  server.process.kill('SIGTERM');
  const { code, stderr } = await exit;
  report(code === 0 && stderr === '', `it ends with ${String(code)}, and its log is empty ${stderr.slice(0, 500)}`);
} finally {
  folder.remove();
}
