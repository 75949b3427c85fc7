/**
 * Restarts under load: `npm run --prefix lab restarts -- [--restarts N] [--workers N]`. Clients keep their connections and send requests all the
 * time while the workers of a server are stopped one after the other, each when the one before has its replacement; while such a server
 * is stopped as a whole; and while a server without workers is stopped and started again. No request may be lost, except on connections
 * that have just been opened when nobody listens any more: the system resets them.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { openFolder } from '../../test/support/cli.ts';
import { startLoad } from '../../test/support/load.ts';
import type { Load } from '../../test/support/load.ts';
import { childrenOf, until } from '../../test/support/processes.ts';
import { report, reportEnd } from '../support/report.ts';

const RESPONSES_BETWEEN = 100;
/** A worker that ends closes a connection that has been idle for so long; a client that is held up as long may just then send on it. */
const IDLE_MS = 250;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const { values: options } = parseArgs({
  options: {
    restarts: { type: 'string', default: '100' },
    workers: { type: 'string', default: '2' },
  },
});

const folder = openFolder();
const delay = monitorEventLoopDelay();
delay.enable();
/** @param allowed how many requests may be lost. */
function reportLoad(what: string, { statuses, responses, connections, lost }: Load, allowed = 0): void {
  const shown = `${String(responses)} responses on ${String(connections)} connections: ${[...statuses].join(', ')}`;
  const heldUpMs = delay.max / 1e6;
  delay.reset();
  const isGood = (lost <= allowed || heldUpMs >= IDLE_MS) && [...statuses].join() === 'HTTP/1.1 200';
  const limits = `${String(allowed)} allowed, clients held up for ${heldUpMs.toFixed(0)} ms at most`;
  report(isGood, `${what}, requests lost: ${String(lost)}; ${limits}; ${shown}`);
}

/** Stops the workers one after the other. */
async function restartWorkers(key: string): Promise<void> {
  const server = await folder.serve(['--workers', options.workers, '--admin-port', '0']);
  const [, adminUrl = ''] = await server.printed(/metrics are on (http\S+)\n/);
  const workers = (): readonly number[] => childrenOf(server.process.pid);
  const isReady = async (): Promise<boolean> => (await fetch(`${adminUrl}/readyz`)).ok;

  const load = startLoad(server.url, key);
  for (let at = 0; at < Number(options.restarts); at += 1) {
    await load.untilResponses(RESPONSES_BETWEEN);
    const [oldest = 0] = workers();
    process.kill(oldest, 'SIGTERM');
    await until(() => !workers().includes(oldest));
    await until(isReady);
  }
  await load.end();
  reportLoad(`${options.restarts} workers one after the other`, load);
  await reportEnd(server);
}

/** Stops a server with workers, by a signal to every process at once, and twice, as service managers send it. */
async function stopWorkers(key: string, signal: NodeJS.Signals): Promise<void> {
  const server = await folder.serve(['--workers', options.workers]);
  const load = startLoad(server.url, key);
  await load.untilResponses(RESPONSES_BETWEEN);
  const workers = childrenOf(server.process.pid);
  for (const pid of [...workers, server.process.pid ?? 0, ...workers]) process.kill(pid, signal);
  await server.ended;
  await load.end();
  reportLoad(`${signal} to all processes`, load, load.lostAtFirst);
}

/** Stops a server without workers, and starts it again on the same port. */
async function restartServer(key: string): Promise<void> {
  let server = await folder.serve();
  const load = startLoad(server.url, key);
  for (const signal of SIGNALS) {
    await load.untilResponses(RESPONSES_BETWEEN);
    server.process.kill(signal);
    await server.ended;
    server = await folder.serve(['--port', new URL(server.url).port]);
  }
  await load.end();
  reportLoad('a server without workers', load, load.lostAtFirst);
  await reportEnd(server);
}

try {
  const key = (await folder.run(['keys', 'create', '--account', 'acme'])).stdout.trim();
  await restartWorkers(key);
  for (const signal of SIGNALS) await stopWorkers(key, signal);
  await restartServer(key);
} finally {
  folder.remove();
}
