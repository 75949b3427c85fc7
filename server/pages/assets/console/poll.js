/** Asks again and again, less and less often while nothing changes, and not at all while nobody looks. */
import { Failure } from './api.js';

const FIRST_MS = 1000;
const MAX_MS = 5000;
const GROWTH = 1.5;
// After failures. No timer can measure the longest `Retry-After`.
const MAX_BACKOFF_MS = 60_000;

/**
 * @param {() => Promise<'changed' | 'unchanged' | 'over'>} ask
 * @param {(failure: Failure | undefined) => void} tell of a failure, and of the end of it.
 * @param {(ms: number) => Promise<void>} sleep rejects when it is to end.
 * @returns {Promise<void>} when it is over, or nothing more is to be had. Rejects like `sleep`, and like `ask` but for passing failures.
 */
export async function poll(ask, tell, sleep) {
  let pauseMs = FIRST_MS;
  let hasFailed = false;
  for (;;) {
    await sleep(pauseMs);
    try {
      const outcome = await ask();
      if (hasFailed) tell(undefined);
      hasFailed = false;
      if (outcome === 'over') return;
      pauseMs = outcome === 'changed' ? FIRST_MS : Math.min(pauseMs * GROWTH, MAX_MS);
    } catch (error) {
      if (!(error instanceof Failure) || !error.isPassing) throw error;
      hasFailed = true;
      tell(error);
      const backoffMs = Math.min(Math.max(pauseMs, FIRST_MS) * 2, MAX_BACKOFF_MS);
      pauseMs = Math.max(backoffMs, Math.min((error.retryAfter ?? 0) * 1000, MAX_BACKOFF_MS * 5));
    }
  }
}

/** @param {AbortSignal} signal @returns {(ms: number) => Promise<void>} a pause that lasts until the page is seen, too. */
export const pauseWhile = (signal) => async (ms) => {
  await until(signal, (done) => {
    const timer = setTimeout(done, ms);
    return () => {
      clearTimeout(timer);
    };
  });
  if (!document.hidden) return;
  await until(signal, (done) => {
    document.addEventListener('visibilitychange', done);
    return () => {
      document.removeEventListener('visibilitychange', done);
    };
  });
};

/**
 * @param {AbortSignal} signal
 * @param {(done: () => void) => () => void} start returns what undoes it.
 * @returns {Promise<void>}
 */
function until(signal, start) {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const end = () => {
      stop();
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const abort = () => {
      stop();
      reject(signal.reason);
    };
    const stop = start(end);
    signal.addEventListener('abort', abort, { once: true });
  });
}
