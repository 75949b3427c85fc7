/** Several processes that serve on one port: started, replaced where they end, and stopped together. */
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Refusal } from './refusal.ts';
import { STOP_SIGNALS } from './stop-signals.ts';
import { NUMBER_VARIABLE } from './worker.ts';
import type { Report } from './worker.ts';

const FIRST_PAUSE_MS = 100;
// A crash loop: so many crashes with less than so long between each and the next.
const MAX_CRASHES = 5;
const CALM_MS = 30_000;
// More than a server takes to stop.
const STOP_DEADLINE_MS = 15_000;
// In megabytes, and only a new process can be given them: pages of 100 take 0.8 of the CPU, for 3 MB of memory.
const V8_FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=4'];

export interface Supervision {
  readonly count: number;
  /** Arguments of the workers, after those of this process. */
  readonly argv: readonly string[];
  /** Takes the lines that workers write to standard error, and those about them. */
  readonly write: (line: string) => void;
  /** Told how many serve, whenever that changes. */
  readonly changed: (ready: number) => void;
  /** Told where they serve, once all do. */
  readonly started: (url: string) => void;
  /** Resolves when this process is told to stop. */
  readonly stopped: Promise<void>;
}

/**
 * Runs workers until this process is told to stop, and has them drain then. One that ends is replaced.
 * @throws Refusal if a worker cannot start, or if they keep crashing.
 */
export async function superviseWorkers({ count, argv, write, changed, started, stopped }: Supervision): Promise<void> {
  cluster.setupPrimary({
    args: [...process.argv.slice(2), ...argv],
    execArgv: [...process.execArgv, ...V8_FLAGS],
    // Standard error of their own: lines of several writers come torn, and each start makes a shared pipe block for a moment.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const [workers, ready] = [new Set<Worker>(), new Set<Worker>()];
  const { promise: failed, reject } = Promise.withResolvers<never>();
  const fail = (message: string): void => {
    reject(new Refusal(message));
  };
  let [hasStarted, isStopping, crashes, lastCrash] = [false, false, 0, -Infinity];

  const start = (number: number): void => {
    if (isStopping) return;
    const worker = cluster.fork({ [NUMBER_VARIABLE]: String(number) });
    workers.add(worker);
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) fail(`A worker cannot be started: ${message}.`);
    });
    worker.on('message', ({ state, url }: Partial<Report>) => {
      if (state === 'listening') ready.add(worker);
      if (state === 'stopping') ready.delete(worker);
      if (state === 'stopped') worker.disconnect();
      changed(ready.size);
      if (hasStarted || url === undefined || ready.size < count) return;
      hasStarted = true;
      started(url);
    });
    const { stderr } = worker.process;
    if (stderr !== null) createInterface({ input: stderr }).on('line', write);
    // Not at its exit: there may be lines to come.
    worker.process.once('close', (code, signal) => {
      workers.delete(worker);
      ready.delete(worker);
      changed(ready.size);
      if (isStopping) return;
      // The signal itself ends a worker that has not come as far as to listen to it.
      const isTold = code === 0 || STOP_SIGNALS.some((it) => it === signal);
      if (isTold) start(number);
      else
        crashed(
          number,
          `worker ${String(worker.process.pid)} ended ${signal === null ? `with code ${String(code)}` : `by ${signal}`}`,
        );
    });
  };
  const crashed = (number: number, how: string): void => {
    const now = performance.now();
    crashes = now - lastCrash < CALM_MS ? crashes + 1 : 1;
    lastCrash = now;
    if (!hasStarted) fail(`The workers cannot start: ${how}. See above.`);
    else if (crashes >= MAX_CRASHES) {
      fail(`The workers crash again and again, ${String(crashes)} times now: the last ${how}. See above.`);
    } else {
      const pauseMs = FIRST_PAUSE_MS * 2 ** (crashes - 1);
      write(`rollcall: A ${how}. Another takes its place in ${String(pauseMs)} ms.`);
      setTimeout(start, pauseMs, number);
    }
  };

  for (let number = 1; number <= count; number += 1) start(number);
  try {
    await Promise.race([stopped, failed]);
  } finally {
    isStopping = true;
    await stopAll(workers);
  }
}

/** Has every worker drain; ends those that do not. */
async function stopAll(workers: ReadonlySet<Worker>): Promise<void> {
  const ended = Array.from(workers, (it) => new Promise((resolve) => it.process.once('close', resolve)));
  const signal = (name: NodeJS.Signals): void => {
    for (const { process } of workers) process.kill(name);
  };
  signal('SIGTERM');
  const deadline = setTimeout(signal, STOP_DEADLINE_MS, 'SIGKILL');
  await Promise.all(ended);
  clearTimeout(deadline);
}
