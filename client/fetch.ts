/** A `fetch` that limits how long the whole answer may take, and tries again where that is safe and can help. */
import { NetworkError, TimeoutError, retryAfterSeconds } from './errors.ts';
import { sleep, within } from './time.ts';
import type { Bound } from './time.ts';

/** What sends requests: the global `fetch`, or anything like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RetryOptions {
  /** How many times a request is tried again at most. Default 3. */
  readonly retries?: number;
  /**
   * How long a request may take in all, its retries and their pauses included, in milliseconds. Default 60000, or
   * `timeoutMs` if that is more.
   */
  readonly totalMs?: number;
}

export interface FetchOptions {
  /** How long one try may take, until the last byte of its answer, in milliseconds. Default 30000. */
  readonly timeoutMs?: number;
  /** How to try again after 429, 500, 502, 503, 504, a network failure or a timeout; `false` for not at all. */
  readonly retry?: RetryOptions | false;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
const DEFAULT_TOTAL_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const RETRYABLE: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/**
 * Our own, because a retry library would be another dependency, and would not know `Retry-After` or a total.
 * @returns the `fetch` for GET requests. It throws NetworkError, TimeoutError, or the reason of an aborted `signal`.
 */
export function createFetch(send: Fetch, { timeoutMs = DEFAULT_TIMEOUT_MS, retry = {} }: FetchOptions): Fetch {
  const { retries = DEFAULT_RETRIES, totalMs = Math.max(DEFAULT_TOTAL_MS, timeoutMs) } =
    retry === false ? { retries: 0 } : retry;
  return async (url, init) => {
    const deadline = performance.now() + totalMs;
    for (let tried = 0, leftMs = totalMs; ; tried += 1, leftMs = deadline - performance.now()) {
      const bound =
        leftMs < timeoutMs
          ? { ms: leftMs, message: `No answer came within ${String(totalMs)} ms in all.` }
          : { ms: timeoutMs, message: `No answer came within ${String(timeoutMs)} ms.` };
      const outcome = await attempt(send, url, init, bound);
      if (outcome instanceof Response && !RETRYABLE.has(outcome.status)) return outcome;

      const pauseMs = pauseAfter(outcome, tried);
      // A pause that would outlast the total is not begun: nothing more can come of it.
      if (tried >= retries || performance.now() + pauseMs >= deadline) {
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
  bound: Bound,
): Promise<Response | NetworkError | TimeoutError> {
  try {
    return await within({ ...bound, signal: init.signal }, async (signal) => {
      const response = await send(url, { ...init, signal });
      const body = await response.arrayBuffer();
      // A Response with status 304 cannot be made with an empty body, only with none.
      return new Response(body.byteLength === 0 ? null : body, response);
    });
  } catch (cause) {
    init.signal?.throwIfAborted();
    if (cause instanceof TimeoutError) return cause;
    return new NetworkError('No answer came: the server cannot be reached, or cut the connection.', { cause });
  }
}

/** What the server asks for, else exponential backoff with jitter: up to a half of it is random. */
function pauseAfter(outcome: Response | Error, tried: number): number {
  const asked = outcome instanceof Response ? retryAfterSeconds(outcome) : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(FIRST_PAUSE_MS * 2 ** tried, MAX_PAUSE_MS) * (1 - Math.random() / 2);
}
