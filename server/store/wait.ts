/** Waiting while another process writes to the same database: it is tried again and again, so that the event loop goes on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { StoreBusy } from './store.ts';
import type { MaybePromise } from './store.ts';

export interface Wait {
  /** How long at most, in milliseconds. With 0, it is tried once. */
  readonly ms: number;
  /** Called after the first try, if it was in vain. */
  readonly began?: () => void;
}

/** How long an engine may hold up one try, in milliseconds. */
export const TRY_MS = 250;
const PAUSE_MS = 100;

/** The default. */
export const A_MINUTE: Wait = { ms: 60_000 };

/**
 * Tries something until no other process is in the way.
 * @param attempt throws `StoreBusy` if one is; then it has changed nothing.
 * @throws StoreBusy if one still is when the time is over.
 */
export async function whenFree<T>(wait: Wait, attempt: () => MaybePromise<T>): Promise<T> {
  const deadline = performance.now() + wait.ms;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StoreBusy) || wait.ms === 0) throw error;
      const left = deadline - performance.now();
      if (left <= 0) {
        const seconds = (wait.ms / 1000).toLocaleString('en');
        const message = `Another process was still writing to the database after ${seconds} s. Try again, or wait longer.`;
        throw new StoreBusy(message, { cause: error });
      }
      if (tries === 1) wait.began?.();
      await sleep(Math.min(PAUSE_MS, left));
    }
  }
}
