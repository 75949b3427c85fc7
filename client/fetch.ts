/** A `fetch` that waits for the whole answer within a time, and tries again where that is safe and of use. */
import { NetworkError, TimeoutError, retryAfterSeconds } from './errors.ts';
import { sleep } from './sleep.ts';

/** What sends requests: the global `fetch`, or anything like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RetryOptions {
  /** How many times a request is tried again at most. Default 3. */
  readonly retries?: number;
  /** How long a request may take in all, its retries and their pauses included, in milliseconds. Default 60000. */
  readonly totalMs?: number;
}

export interface FetchOptions {
  /** How long one try may take, until the last byte of its answer, in milliseconds. Default 30000. */
  readonly timeoutMs?: number;
  /** How to try again after 429, 502, 503, 504, a network failure or a timeout; `false` for not at all. */
  readonly retry?: RetryOptions | false;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
const DEFAULT_TOTAL_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const WORTH_A_RETRY: ReadonlySet<number> = new Set([429, 502, 503, 504]);
// The reason of a request that took too long. No error yet: one is dear, and most requests are in time.
const LATE = Symbol('late');
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/**
 * Our own, because a retry library would be a package more, and would still know nothing of `Retry-After` or of a total.
 * @returns the `fetch` for GET requests. It throws NetworkError, TimeoutError, or the reason of an aborted `signal`.
 */
export function createFetch(send: Fetch, { timeoutMs = DEFAULT_TIMEOUT_MS, retry = {} }: FetchOptions): Fetch {
  const { retries = DEFAULT_RETRIES, totalMs = DEFAULT_TOTAL_MS } = retry === false ? { retries: 0 } : retry;
  return async (url, init) => {
    const started = Date.now();
    for (let tried = 0; ; tried += 1) {
      const outcome = await attempt(send, url, init, timeoutMs);
      if (outcome instanceof Response && !WORTH_A_RETRY.has(outcome.status)) return outcome;

      const pauseMs = pauseAfter(outcome, tried);
      if (tried >= retries || Date.now() - started + pauseMs > totalMs) {
        if (outcome instanceof Response) return outcome;
        throw outcome;
      }
      await sleep(pauseMs, init.signal);
    }
  };
}

/** @returns the answer with its whole body, or why there is none. Throws only the reason of an aborted signal. */
async function attempt(
  send: Fetch,
  url: string,
  init: RequestInit,
  timeoutMs: number,
): Promise<Response | NetworkError | TimeoutError> {
  const { signal } = init;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const passOn = (): void => {
    controller.abort(signal?.reason);
  };
  signal?.addEventListener('abort', passOn);
  const timer = setTimeout(() => {
    controller.abort(LATE);
  }, timeoutMs);
  try {
    const response = await send(url, { ...init, signal: controller.signal });
    const body = await response.arrayBuffer();
    return new Response(WITHOUT_BODY.has(response.status) ? null : body, response);
  } catch (cause) {
    signal?.throwIfAborted();
    if (controller.signal.reason === LATE) {
      return new TimeoutError(`No answer came within ${String(timeoutMs)} ms.`, { cause });
    }
    return new NetworkError('No answer came: the server cannot be reached, or cut the connection.', { cause });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', passOn);
  }
}

/** As long as the server asks for, else twice as long each time, of which up to a half is left to chance. */
function pauseAfter(outcome: Response | Error, tried: number): number {
  const asked = outcome instanceof Response ? retryAfterSeconds(outcome) : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(FIRST_PAUSE_MS * 2 ** tried, MAX_PAUSE_MS) * (1 - Math.random() / 2);
}
