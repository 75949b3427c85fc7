/**
 * Waits while another process writes to the same database, by repeated short attempts that leave the event loop free.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreBusy } from './store.ts';
import type { MaybePromise } from './store.ts';

export interface Wait {
  /** The maximum wait after the first attempt, in milliseconds. With 0, there is only one attempt. */
  readonly ms: number;
  /** Called when the wait begins: after the first attempt, if another process was writing. */
  readonly began?: () => void;
}

/** How long an engine may block during one attempt, in milliseconds. */
export const TRY_MS = 250;
const PAUSE_MS = 100;

/** The default. */
export const A_MINUTE: Wait = { ms: 60_000 };

/**
 * Repeats an attempt until no other process is writing.
 * @param attempt throws `StoreBusy` if another process is writing. It must then have changed nothing.
 * @throws StoreBusy if another process is still writing when the wait is over.
 */
export async function whenFree<T>(wait: Wait, attempt: () => MaybePromise<T>): Promise<T> {
  let deadline: number | undefined;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreBusy) || wait.ms === 0) throw error;
      if (deadline === undefined) {
        wait.began?.();
        deadline = performance.now() + wait.ms; // On a busy machine, the first attempt alone may take a second.
      }
      const left = deadline - performance.now();
      if (left <= 0) {
        const seconds = (wait.ms / 1000).toLocaleString('en');
        const message = `Another process was still writing to the database after ${seconds} s. Try again, or wait longer.`;
        throw new StoreBusy(message, { cause: error });
      }
      await sleep(Math.min(PAUSE_MS, left));
    }
  }
}
