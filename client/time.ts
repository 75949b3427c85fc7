/** Time limits and pauses. However they end, they leave neither a timer nor a listener behind. */
import { TimeoutError } from './errors.ts';

// A timer of more milliseconds than 31 bits hold fires at once.
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws TypeError for what is given and is no number of 0 or more, such as from JavaScript. */
export function checkNumbers(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue;
    throw new TypeError(`\`${name}\` must be a number, 0 or more.`);
  }
}

export interface Bound {
  /** How long it may take, in milliseconds. More than a timer can measure (24 days) is without end. */
  readonly ms: number;
  /** The message of the TimeoutError. */
  readonly message: string;
  /** Ends it early. */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * @param work is given a signal that is aborted when the bound is passed. If it ignores that, it is not waited for.
 * @returns what `work` returns. Rejects like `work`, with the reason of the bound's signal, or with a TimeoutError.
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
  const aborted = untilAborted(signal); // Before the work: that may abort the outer signal at once.
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
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the caller of abort() chose it
      reject(signal.reason);
    });
  });
}

/** @returns after `ms` milliseconds; rejects with the reason of `signal` as soon as that is aborted. */
export function sleep(ms: number, signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as the caller of abort() chose it
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
