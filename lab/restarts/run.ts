/**
 * A rolling restart: `npm run --prefix lab restarts -- [--restarts N] [--workers N]`. The workers of a server are stopped one after the other,
 * each when the one before has its replacement, while clients keep their connections and send requests all the time: no request may be lost.
 */
import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { openFolder } from '../../test/support/cli.ts';
import { startLoad } from '../../test/support/load.ts';
import { until } from '../../test/support/processes.ts';
import { report, reportEnd } from '../support/report.ts';

const RESPONSES_BETWEEN = 100;
/** A worker that ends closes a connection that has been idle for so long; a client that is held up as long may just then send on it. */
const IDLE_MS = 250;

const { values: options } = parseArgs({
  options: {
    restarts: { type: 'string', default: '100' },
    workers: { type: 'string', default: '2' },
  },
});

const folder = openFolder();
try {
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  const server = await folder.serve(['--workers', options.workers, '--admin-port', '0']);
  const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
  const pid = String(server.process.pid);
  // Not by `ps`: waiting for it would hold up the clients, and connections without a request for 250 ms are closed.
  const workers = (): readonly number[] =>
    readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const isReady = async (): Promise<boolean> => (await fetch(`${adminUrl}/readyz`)).ok;

  const delay = monitorEventLoopDelay();
  delay.enable();
  const load = startLoad(server.url, key);
  const times: number[] = [];
  const started = performance.now();
  for (let at = 0; at < Number(options.restarts); at += 1) {
    await load.untilResponses(RESPONSES_BETWEEN);
    const [oldest = 0] = workers();
    const signalled = performance.now();
    process.kill(oldest, 'SIGTERM');
    await until(() => !workers().includes(oldest));
    await until(isReady);
    times.push(performance.now() - signalled);
  }
  const seconds = (performance.now() - started) / 1000;
  await load.end();
  const heldUpMs = delay.max / 1e6;

  times.sort((a, b) => a - b);
  const [median = NaN, longest = NaN] = [times[Math.floor(times.length / 2)], times.at(-1)];
  const shown = `${String(load.responses)} responses in ${seconds.toFixed(0)} s, on ${String(load.connections)} connections`;
  report(
    load.lost === 0 || heldUpMs >= IDLE_MS,
    `requests lost: ${String(load.lost)}; ${shown}; the clients were held up for ${heldUpMs.toFixed(0)} ms at most`,
  );
  report([...load.statuses].join() === 'HTTP/1.1 200', `responses: ${[...load.statuses].join(', ')}`);
  report(
    times.length === Number(options.restarts),
    `restarts: ${String(times.length)}, until the replacement was ready ${median.toFixed(0)} ms (median), ${longest.toFixed(0)} ms at most`,
  );
  await reportEnd(server);
} finally {
  folder.remove();
}
