/** Several processes that serve on one port: started, replaced where they end, and stopped together. */
import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { notify } from './output.ts';
import { Refusal } from './refusal.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;
// A crash loop: so many crashes with less than so long between each and the next.
const MAX_CRASHES = 5;
const CALM_MS = 30_000;
// More than a server takes to stop.
const STOP_DEADLINE_MS = 15_000;

/** Whether this process is one of the workers. */
export const isWorker = cluster.isWorker;

/** What a worker says: where it serves, and that it has stopped. */
type Report = { readonly url: string } | { readonly hasStopped: true };

/** Tells the process that started this worker where it serves. */
export function tellServing(url: string): void {
  cluster.worker?.send({ url } satisfies Report);
}

/**
 * Lets a worker that has stopped serving end. It waits for the process that started it, which may have handed it more
 * connections meanwhile: while it is there they are handed back, afterwards they would be answered by nobody.
 */
export function leave(): void {
  cluster.worker?.send({ hasStopped: true } satisfies Report);
}

/**
 * Runs workers with the arguments of this process until it is told to stop. One that ends is replaced.
 * @param started told where they serve, once all do.
 * @param stopped resolves when this process is told to stop.
 * @throws Refusal if a worker cannot start, or if they keep crashing.
 */
export async function superviseWorkers(
  count: number,
  started: (url: string) => void,
  stopped: Promise<void>,
): Promise<void> {
  const serving = new Set<Worker>();
  let [hasStarted, isStopping, crashes, lastCrash] = [false, false, 0, -Infinity];
  let fail: (error: Refusal) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));

  const start = (): void => {
    if (isStopping) return;
    const worker = cluster.fork();
    worker.on('error', () => undefined); // Its end says all.
    worker.on('message', (report: Report) => {
      if ('hasStopped' in report) {
        worker.disconnect();
        return;
      }
      serving.add(worker);
      if (hasStarted || serving.size < count) return;
      hasStarted = true;
      started(report.url);
    });
    worker.once('exit', (code: number | null, signal: string | null) => {
      serving.delete(worker);
      if (isStopping) return;
      if (code === 0) {
        start(); // It was told to stop by itself.
        return;
      }
      const how = `worker ${String(worker.process.pid)} ended ${signal === null ? `with code ${String(code)}` : `by ${signal}`}`;
      if (!hasStarted) {
        fail(new Refusal(`The workers cannot start: ${how}. See above.`));
        return;
      }
      const now = performance.now();
      crashes = now - lastCrash < CALM_MS ? crashes + 1 : 1;
      lastCrash = now;
      if (crashes >= MAX_CRASHES) {
        fail(
          new Refusal(`The workers crash again and again, ${String(crashes)} times now: the last ${how}. See above.`),
        );
        return;
      }
      const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (crashes - 1), MAX_PAUSE_MS);
      notify(`rollcall: A ${how}. Another takes its place in ${String(pauseMs)} ms.`);
      setTimeout(start, pauseMs);
    });
  };

  for (let at = 0; at < count; at += 1) start();
  try {
    await Promise.race([stopped, failed]);
  } finally {
    isStopping = true;
    await stopAll();
  }
}

/** Has every worker drain; ends those that do not. */
async function stopAll(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((it) => it !== undefined);
  const ended = workers.map((it) => new Promise((resolve) => it.once('exit', resolve)));
  for (const { process } of workers) process.kill('SIGTERM');
  const deadline = setTimeout(() => {
    for (const { process } of workers) process.kill('SIGKILL');
  }, STOP_DEADLINE_MS);
  await Promise.all(ended);
  clearTimeout(deadline);
}
