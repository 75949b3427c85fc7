/** `rollcall serve --workers N`: the primary process, which starts workers, replaces those that end, stops them, and serves the admin port for all. */
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { freePort } from '../server/http/listener.ts';
import type { Admin } from '../server/observe/admin.ts';
import type { RestartReason, WorkersMetrics } from '../server/observe/metrics.ts';
import { databaseOf } from './database.ts';
import { CliError } from '../command/command-errors.ts';
import { listenError } from '../command/listen-error.ts';
import { PRIMARY, openStandardLog } from './log-writer.ts';
import { instanceOf, openAdmin } from './admin-port.ts';
import type { Settings } from './settings.ts';
import { STOP_SIGNALS } from '../command/stop-signal.ts';
import { workerEnvironment } from './worker.ts';
import type { Report } from './worker.ts';

/**
 * Serves a database with several processes until `stopped` resolves, then lets requests in flight finish.
 * @param started called once all workers listen, with their URL and that of the admin port, if there is one.
 * @param stopped resolves when this process must stop.
 * @throws CliError if the workers cannot listen on the address, or keep ending.
 */
export async function runWorkers(
  settings: Settings,
  started: (url: string, adminUrl: string | undefined) => void,
  stopped: Promise<void>,
): Promise<void> {
  const { workers: count, host, port, drainDelay } = settings;
  // With port 0, a worker that starts while no other listens would choose another port. So this process chooses it once.
  const sharedPort = await freePort(settings).catch((error: unknown) => {
    throw listenError(error, { host, port }, '');
  });
  const { requests, output, numbered } = await openStandardLog(settings, PRIMARY);
  let ready = 0;
  const shared = await openSharedAdmin(settings, () => {
    if (ready < count) throw new Error(`${String(ready)} of ${String(count)} workers are ready`);
  });
  const admin = shared?.admin;
  try {
    await superviseWorkers({
      count,
      settings: { ...settings, port: sharedPort, log: requests },
      write: (line, worker) => {
        output.write(numbered(line, worker));
      },
      changed: (now) => (ready = now),
      replacing: (worker, reason) => shared?.workerEnded(worker, reason),
      started: (url) => {
        admin?.observer.lifecycle?.({ state: 'listening', url });
        void stopped.then(() => admin?.observer.lifecycle?.({ state: 'stopping', url }));
        started(url, admin?.url);
      },
      stopped,
      drainDelayMs: drainDelay * 1000,
    });
  } finally {
    await admin?.stop();
    await output.end();
  }
}

/** The admin port of all workers, and the function to call when one has ended. */
interface SharedAdmin extends Pick<WorkersMetrics, 'workerEnded'> {
  readonly admin: Admin;
}

async function openSharedAdmin(settings: Settings, assertReady: () => void): Promise<SharedAdmin | undefined> {
  const { db, dbRead, workers, adminHost: host, adminPort: port } = settings;
  if (port === undefined) return undefined;
  const { loadContract } = await import('../contract/document.ts');
  const { schemaHashes } = await import('../contract/schema.ts');
  const { gatherMetrics } = await import('../server/observe/metrics.ts');
  const contract = loadContract();
  const database = databaseOf(db);
  const store = await database.openStore(schemaHashes(contract), dbRead && { addresses: dbRead });
  try {
    const metrics = gatherMetrics(
      workers,
      instanceOf(settings, contract, () => database.usage()),
    );
    const admin = await openAdmin({ contract, host, port, store, assertReady, metrics });
    const stop = (): Promise<void> => admin.stop().finally(() => store.close());
    return { admin: { ...admin, stop }, workerEnded: metrics.workerEnded };
  } catch (error) {
    await store.close();
    throw error;
  }
}

// Longer than a server takes to drain.
const STOP_DEADLINE_MS = 15_000;
// Sizes in megabytes. V8 accepts these flags only at the start of a process. Measured: pages of 100 records need 0.8 times the CPU, for
// 3 MB more memory.
const V8_FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=4'];

interface Supervision {
  readonly count: number;
  /** Of the workers. */
  readonly settings: Settings;
  /** Called with each line that a worker writes to standard error, and each line about a worker. @param worker the number of the worker. */
  readonly write: (line: string, worker: number) => void;
  /** Called with the number of workers that serve, whenever it changes. */
  readonly changed: (ready: number) => void;
  /** Called when a worker has ended and will be replaced. */
  readonly replacing: (worker: number, reason: RestartReason) => void;
  /** Called with the URL of the workers, once all serve. */
  readonly started: (url: string) => void;
  /** Resolves when this process must stop. */
  readonly stopped: Promise<void>;
  /** How long each worker accepts new connections after the signal to stop. */
  readonly drainDelayMs: number;
}

/**
 * Runs workers until `stopped` resolves, then drains them. Replaces a worker that ends.
 * @throws CliError if workers cannot start, the first ones or replacements.
 */
async function superviseWorkers({
  count,
  settings,
  write,
  changed,
  replacing,
  started,
  stopped,
  drainDelayMs,
}: Supervision): Promise<void> {
  cluster.setupPrimary({
    args: ['serve'], // A worker has the settings of this process, which may have read a file that changes.
    execArgv: [...process.execArgv, ...V8_FLAGS],
    // Each worker has its own pipe for standard error. In a shared pipe, the lines of several workers would mix, and each start of a
    // worker would make the pipe block for a moment.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const [workers, ready] = [new Set<Worker>(), new Set<Worker>()];
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const fail = (message: string): void => {
    reject(new CliError(message));
  };
  const restarts = createRestartPolicy();
  const pauses = new Set<NodeJS.Timeout>();
  let [hasStarted, isStopping] = [false, false];

  const start = (number: number): void => {
    const worker = cluster.fork(workerEnvironment(number, settings));
    let listeningAt: number | undefined;
    workers.add(worker);
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) fail(`A worker could not be started: ${message}.`);
    });
    worker.on('message', ({ state, url }: Partial<Report>) => {
      if (state === 'listening') {
        ready.add(worker);
        listeningAt = performance.now();
        restarts.listening();
      }
      if (state === 'stopping') ready.delete(worker);
      if (state === 'stopped') worker.disconnect();
      changed(ready.size);
      if (hasStarted || url === undefined || ready.size < count) return;
      hasStarted = true;
      started(url);
    });
    const { stderr } = worker.process;
    stderr?.on('error', () => undefined); // The remaining lines are lost. The worker ends soon.
    if (stderr !== null) {
      createInterface({ input: stderr }).on('line', (line) => {
        write(line, number);
      });
    }
    // `close`, not `exit`: lines may still arrive after `exit`.
    worker.process.once('close', (code, signal) => {
      workers.delete(worker);
      ready.delete(worker);
      changed(ready.size);
      if (isStopping) return;
      const how = `Worker ${String(worker.process.pid)} ${signal === null ? `exited with code ${String(code)}` : `was killed by ${signal}`}.`;
      if (!hasStarted && signal === null) {
        fail(`The workers could not start. ${how} See above.`);
        return;
      }
      const servedMs = listeningAt === undefined ? undefined : performance.now() - listeningAt;
      const { failedStarts, pauseMs } = restarts.ended({ number, code, signal, servedMs });
      if (failedStarts !== undefined) {
        const failures = `${String(failedStarts)} workers in a row exited before they listened`;
        fail(`${failures}. ${how} See above.`);
        return;
      }
      replacing(number, pauseMs === 0 ? 'stopped' : 'failed');
      if (pauseMs === 0) start(number);
      else {
        write(`rollcall: ${how} Replacing it in ${String(pauseMs)} ms.`, number);
        const pause = setTimeout(() => {
          pauses.delete(pause);
          start(number);
        }, pauseMs);
        pauses.add(pause);
      }
    });
  };

  for (let number = 1; number <= count; number += 1) start(number);
  try {
    await Promise.race([stopped, failed]);
  } finally {
    isStopping = true;
    pauses.forEach(clearTimeout);
    await stopAll(workers, drainDelayMs + STOP_DEADLINE_MS);
  }
}

/** Drains every worker, and kills those that have not ended after a deadline. */
async function stopAll(workers: ReadonlySet<Worker>, deadlineMs: number): Promise<void> {
  const ended = Array.from(workers, ({ process }) => new Promise((resolve) => process.once('close', resolve)));
  const signal = (name: NodeJS.Signals): void => {
    for (const { process } of workers) process.kill(name);
  };
  signal('SIGTERM');
  const deadline = setTimeout(signal, deadlineMs, 'SIGKILL');
  await Promise.all(ended);
  clearTimeout(deadline);
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
// A worker that has served for this long counts as sound. When it ends, the pause is the shortest one again.
const SOUND_MS = 30_000;
const MAX_FAILED_STARTS = 5;

/** How a worker has ended. */
export interface End {
  /** The worker's number, from 1. */
  readonly number: number;
  /** `null` if a signal has ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** How long it has listened; `undefined` if it has not. */
  readonly servedMs: number | undefined;
}

/** The pause before the next start; or, if too many starts in a row have failed, their number. */
type Next =
  | { readonly pauseMs: number; readonly failedStarts?: undefined }
  | { readonly pauseMs?: undefined; readonly failedStarts: number };

export interface RestartPolicy {
  /** Call when a worker listens. */
  readonly listening: () => void;
  /** Call when a worker has ended. */
  readonly ended: (end: End) => Next;
}

/**
 * Decides when a worker that has ended is started again. If five workers in a row end by themselves before they listen, no worker can
 * start: the service ends, so that the service manager sees the failure. Any other end concerns one process, and a request, the system or a
 * person has caused it: that worker is started again. The pauses before it starts grow, so that restarts never loop at full speed.
 */
export function createRestartPolicy(): RestartPolicy {
  /** How often each worker has ended since it was last sound, by its number. */
  const ends = new Map<number, number>();
  let failedStarts = 0;
  return {
    listening: () => {
      failedStarts = 0;
    },
    ended: ({ number, code, signal, servedMs }) => {
      // A stop signal kills a worker that does not handle signals yet.
      const isStopped = (code === 0 && servedMs !== undefined) || STOP_SIGNALS.some((stopping) => stopping === signal);
      if (isStopped) return { pauseMs: 0 };
      if (signal === null && servedMs === undefined) failedStarts += 1;
      if (failedStarts >= MAX_FAILED_STARTS) return { failedStarts };
      const earlierEnds = servedMs !== undefined && servedMs >= SOUND_MS ? 0 : (ends.get(number) ?? 0);
      ends.set(number, earlierEnds + 1);
      return { pauseMs: Math.min(FIRST_PAUSE_MS * 2 ** earlierEnds, MAX_PAUSE_MS) };
    },
  };
}
