/** Several processes that serve on one port: started, replaced where they end, and stopped together. */
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { Refusal } from './refusal.ts';
import { createRestarts } from './restarts.ts';
import { NUMBER_VARIABLE } from './worker.ts';
import type { Report } from './worker.ts';

// More than a server takes to drain.
const STOP_DEADLINE_MS = 15_000;
// In megabytes, and only a new process can be given them: pages of 100 take 0.8 of the CPU, for 3 MB of memory.
const V8_FLAGS = ['--min-semi-space-size=4', '--max-semi-space-size=4'];

export interface Supervision {
  readonly count: number;
  /** Arguments of the workers, after those of this process. */
  readonly argv: readonly string[];
  /** Takes the lines that workers write to standard error, and those about them. @param worker its number. */
  readonly write: (line: string, worker: number) => void;
  /** Told how many serve, whenever that changes. */
  readonly changed: (ready: number) => void;
  /** Told where they serve, once all do. */
  readonly started: (url: string) => void;
  /** Resolves when this process is told to stop. */
  readonly stopped: Promise<void>;
  /** How long each worker takes new connections after it was told to stop. */
  readonly drainDelayMs: number;
}

/**
 * Runs workers until this process is told to stop, and has them drain then. One that ends is replaced.
 * @throws Refusal if the workers cannot start at first, or later on cannot any more.
 */
export async function superviseWorkers({
  count,
  argv,
  write,
  changed,
  started,
  stopped,
  drainDelayMs,
}: Supervision): Promise<void> {
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
  const restarts = createRestarts();
  const pauses = new Set<NodeJS.Timeout>();
  let [hasStarted, isStopping] = [false, false];

  const start = (number: number): void => {
    const worker = cluster.fork({ [NUMBER_VARIABLE]: String(number) });
    let listeningAt: number | undefined;
    workers.add(worker);
    worker.on('error', ({ message }) => {
      if (worker.process.pid === undefined) fail(`A worker cannot be started: ${message}.`);
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
    stderr?.on('error', () => undefined); // What was to come is lost; its end follows.
    if (stderr !== null) {
      createInterface({ input: stderr }).on('line', (line) => {
        write(line, number);
      });
    }
    // Not at its exit: there may be lines to come.
    worker.process.once('close', (code, signal) => {
      workers.delete(worker);
      ready.delete(worker);
      changed(ready.size);
      if (isStopping) return;
      const how = `worker ${String(worker.process.pid)} ended ${signal === null ? `with code ${String(code)}` : `by ${signal}`}`;
      if (!hasStarted && signal === null) {
        fail(`The workers cannot start: ${how}. See above.`);
        return;
      }
      const servedMs = listeningAt === undefined ? undefined : performance.now() - listeningAt;
      const { failedStarts, pauseMs } = restarts.ended({ number, code, signal, servedMs });
      if (failedStarts !== undefined) {
        const row = `${String(failedStarts)} workers in a row ended before they listened`;
        fail(`${row}, the last of them: ${how}. See above.`);
      } else if (pauseMs === 0) start(number);
      else {
        write(`rollcall: A ${how}. Another takes its place in ${String(pauseMs)} ms.`, number);
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

/** Has every worker drain; ends those that have not after a time. */
async function stopAll(workers: ReadonlySet<Worker>, deadlineMs: number): Promise<void> {
  const ended = Array.from(workers, (it) => new Promise((resolve) => it.process.once('close', resolve)));
  const signal = (name: NodeJS.Signals): void => {
    for (const { process } of workers) process.kill(name);
  };
  signal('SIGTERM');
  const deadline = setTimeout(signal, deadlineMs, 'SIGKILL');
  await Promise.all(ended);
  clearTimeout(deadline);
}
