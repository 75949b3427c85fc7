/** Time limits and pauses. They always remove their timer and their listener. */
import { TimeoutError } from './errors.ts';

// A longer timer, of more than 31 bits, fires immediately.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws TypeError for a value that is neither undefined nor a number of 0 or more. JavaScript may pass any value. */
export function checkNumbers(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    throw new TypeError(`\`${name}\` must be a number, 0 or more.`);
  }
}

export interface Bound {
  /** The time limit in milliseconds. More than a timer supports (24 days) means no limit. */
  readonly ms: number;
  /** The message of the TimeoutError. */
  readonly message: string;
  /** Aborts the work. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * @param work receives a signal that is aborted at the time limit. If it ignores the signal, it is not awaited.
 * @returns the result of `work`. Rejects like `work`, with the reason of the bound's signal, or with a TimeoutError.
 */
export async function within<T>(
  { ms, message, signal: outer }: Bound,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const passOn = (): void => {
    controller.abort(outer?.reason);
  };
  outer?.addEventListener('abort', passOn);
  const timer =
    ms > MAX_TIMER_MS
      ? undefined
      : setTimeout(() => {
          controller.abort();
        }, ms);
  const aborted = untilAborted(signal); // Listens before the work starts, which may abort the outer signal immediately.
  try {
    return await Promise.race([work(signal), aborted]);
  } catch (error) {
    outer?.throwIfAborted();
    throw signal.aborted ? new TimeoutError(message) : error;
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener('abort', passOn);
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller of abort() chooses the reason
      reject(signal.reason);
    });
  });
}

/** Resolves after `ms` milliseconds; rejects with the reason of `signal` as soon as it is aborted. */
export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller of abort() chooses the reason
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    signal?.addEventListener('abort', stop, { once: true });
  });
}
