/**
 * Lays siege to a server of its own: npm run test:e2e -- hostile [attacks] [seed]. 100,000 attacks unless told, then 2,000 slow
 * connections of each kind. Prints figures; fails if a bound is broken.
 */
import { openFolder } from '../support/cli.ts';
import { memoryMb } from '../support/memory.ts';
import { importSamples } from '../support/samples.ts';
import { report } from '../support/verdict.ts';
import { besiege, dearness } from './siege.ts';
import type { Target } from './siege.ts';
import { CROWDS, gather } from './slow.ts';

const SLOW_PEERS = 2000;
/** Beside what caches of a bounded size take while they fill. */
const MAX_GROWTH_MB = 40;
/** How many times the CPU of a server that nobody attacks an ordinary request may take. */
const MAX_DEARER = 1.45;

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
    const ratio = await dearness(target, other);
    report(ratio < MAX_DEARER, `${when}: an ordinary request takes ${ratio.toFixed(2)} x the CPU${more}`);
  };
  await dearness(target, other); // What is compiled meanwhile is no part of it.
  const started = performance.now();
  const after = await besiege({ url, key, pid, attacks, seed });
  const [early, late] = after.memoryMb;
  process.stdout.write(
    `     ${((performance.now() - started) / 1000).toFixed(0)} s; ${JSON.stringify(after.statuses)}\n`,
  );
  for (const it of after.faults) process.stdout.write(`     ${it}\n`);
  report(after.faults.length === 0, `answers: all declared, none HTML, no 5xx but 503`);
  report(late - early < MAX_GROWTH_MB, `memory: ${mb(early)} after a fifth, ${mb(late)} at the end`);
  await isCheap('after them');
  report(server.process.exitCode === null, 'the process lives');

  for (const [at, [name, textOf]] of Object.entries(CROWDS).entries()) {
    // From an address of its own: the limit of an address holds for all who share it, and whoever leaves counts until it is seen.
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
