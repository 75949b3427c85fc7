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
  const passOn = (): void => {
    controller.abort(outer?.reason);
  };
  outer?.addEventListener('abort', passOn);
  const abort = (): void => {
    controller.abort();
  };
  const timer = ms > MAX_TIMER_MS ? undefined : setTimeout(abort, ms);
  // Listens before the work starts, which may abort the outer signal immediately.
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', reject);
  });
  try {
    return await Promise.race([work(signal), aborted]);
  } catch (error) {
    outer?.throwIfAborted();
    if (signal.aborted) return late();
    throw error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', passOn);
  }
}

/** Resolves after `ms` milliseconds; rejects with the reason of `signal` as soon as it is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const forever = (): Promise<void> => new Promise(() => undefined);
  return within({ ms: Math.min(ms, MAX_TIMER_MS), late: () => undefined, signal }, forever);
}
