/** Time limits and pauses. They always remove their timer and their listener. */

// A longer timer, of more than 31 bits, fires immediately.
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Bound<T> {
  /** The time limit in milliseconds. More than a timer supports (24 days) means no limit. */
  readonly ms: number;
  /** Called at the time limit, for the result or the error. */
  readonly late: () => T;
  /** Aborts the work. */
  readonly signal: AbortSignal | null | undefined;
}

/**
 * @param work receives a signal that is aborted at the time limit. If it ignores the signal, it is not awaited.
 * @returns the result of `work` or `late`. Rejects like them, and with the reason of the bound's signal.
 */
export async function within<T>(
  { ms, late, signal: outer }: Bound<T>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  let reject = (_reason: unknown): void => undefined; // Replaced below.
  const stop = (): void => {
    reject(outer?.reason);
    controller.abort(outer?.reason);
  };
  // Listens before the work starts, which may abort the outer signal immediately.
  outer?.addEventListener('abort', stop);
  const timer = ms > MAX_TIMER_MS ? undefined : setTimeout(stop, ms);
  try {
    // Unlike Promise.race and a listener to the inner signal, one promise costs next to nothing.
    return await new Promise<T>((resolve, rejectWork) => {
      reject = rejectWork;
      work(signal).then(resolve, reject);
    });
  } catch (error) {
    outer?.throwIfAborted();
    if (signal.aborted) return late();
    throw error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', stop);
  }
}

/** Resolves after `ms` milliseconds; rejects with the reason of `signal` as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const forever = (): Promise<void> => new Promise(() => undefined);
  return within({ ms: Math.min(ms, MAX_TIMER_MS), late: () => undefined, signal }, forever);
}
