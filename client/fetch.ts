/** Sends a request with time limits that include the whole body, retries it where that is safe, and calls the hooks. */
import { checkNumbers } from './checks.ts';
import { NetworkError, TimeoutError } from './client-errors.ts';
import { checkNames } from './headers.ts';
import type { CallHeaders } from './headers.ts';
import type { Describe } from './messages.ts';
import { isCrossOrigin } from './platform.ts';
import { retryAfterSeconds } from './retry-after.ts';
import { Received } from './call.ts';
import { sleep, within } from './time.ts';

/** Sends requests: the global `fetch`, or a function like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RetryOptions {
  /** The maximum number of retries of a request. Default: 3. */
  readonly retries?: number | undefined;
  /**
   * How long a request may take in total, including its retries and their pauses, in milliseconds. Default: 60000, or
   * `timeoutMs` if that is more.
   */
  readonly totalMs?: number | undefined;
}

export interface FetchOptions {
  /** How long one attempt may take, until the last byte of the response, in milliseconds; then it is aborted. Default: 30000. */
  readonly timeoutMs?: number | undefined;
  /**
   * How to retry after 429, 500, 502, 503, 504, a network failure or a timeout; `false` disables retries. The pauses increase, or are as
   * long as `Retry-After` says; a value that is neither a number nor a date of HTTP counts as absent.
   */
  readonly retry?: RetryOptions | false | undefined;
}

/** Options of one call. `timeoutMs` and `retry` each replace the client's option as a whole. */
export interface CallOptions extends FetchOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sent with each request of the call. `Authorization` is rejected: the client sends its `apiKey` there. Outside browsers, the default
   * `User-Agent` is `rollcall-client/` and the version.
   */
  readonly headers?: CallHeaders | undefined;
}

interface Attempt {
  readonly method: string;
  readonly url: string;
  /** 1 for the first attempt, 2 for the first retry. */
  readonly attempt: number;
}

export interface RequestEvent extends Attempt {
  /** The headers of the request, without the API key. Headers that the hook sets are sent too. */
  readonly headers: Headers;
}

export interface ResponseEvent extends Attempt {
  readonly status: number;
  readonly headers: Headers;
  /** From sending the request until the last byte of the response, in milliseconds. */
  readonly durationMs: number;
}

export interface RetryEvent extends Attempt {
  /** The status that caused the retry, if a response arrived. */
  readonly status: number | undefined;
  /** The error that caused the retry, if no response arrived. */
  readonly error: NetworkError | TimeoutError | undefined;
  /** The pause before the next attempt, in milliseconds. */
  readonly pauseMs: number;
}

/**
 * Hooks for logs, metrics and traces. A hook may return a promise, which is awaited within the time limits. If a hook
 * throws, the call rejects with that error and is not retried.
 */
export interface Hooks {
  /** Called before each attempt. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** Called after each response with any status. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** Called after a failed attempt, before the pause and the next attempt. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
}

/** The options of the client, or the options of the call that replace them, and the formatter for messages. */
export interface SendOptions extends FetchOptions, Hooks {
  readonly fetch?: Fetch | undefined;
  readonly describe: Describe;
}

/** The second argument of `fetch`. */
export interface Init extends RequestInit {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | null;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
const DEFAULT_TOTAL_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const RETRYABLE: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** @throws TypeError for a limit that is not a number. JavaScript may pass any value. */
export function checkLimits({ timeoutMs, retry }: FetchOptions): void {
  checkNumbers({ timeoutMs, ...(retry === false ? {} : retry) });
}

/**
 * Sends a GET request, with retries. A retry library would be another dependency, and would not support `Retry-After` or a
 * total limit.
 * @returns the response. Rejects with NetworkError, TimeoutError, the reason of an aborted `signal`, errors of hooks, and
 * a TypeError for a request that `fetch` refuses.
 */
export async function send(url: string, init: Init, options: SendOptions): Promise<Received> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, retry = {}, describe, onRetry } = options;
  const { retries = DEFAULT_RETRIES, totalMs = Math.max(DEFAULT_TOTAL_MS, timeoutMs) } =
    retry === false ? { retries: 0 } : retry;
  const deadline = performance.now() + totalMs;
  const { signal } = init;
  const timeout = (bound: string): TimeoutError =>
    new TimeoutError(`No response arrived within ${bound}. (${describe.request(url)})`);
  const late = (): TimeoutError => timeout(`${String(timeoutMs)} ms`);
  const tooLate = (): TimeoutError => timeout(`${String(totalMs)} ms in total`);

  for (let attempt = 1, leftMs = totalMs; ; attempt += 1, leftMs = deadline - performance.now()) {
    const bound = leftMs < timeoutMs ? { ms: leftMs, late: tooLate } : { ms: timeoutMs, late };
    const about = { method: 'GET', url, attempt };
    const outcome = await within<Outcome>({ ...bound, signal }, (signal) => attemptOnce(about, init, signal, options));
    const isError = outcome instanceof Error;
    if (!isError && !RETRYABLE.has(outcome.status)) return outcome;

    const pauseMs = pauseAfter(outcome, attempt);
    leftMs = deadline - performance.now();
    // A pause that would exceed the total limit is not started: no attempt could follow.
    if (attempt > retries || pauseMs >= leftMs) {
      if (isError) throw outcome;
      return outcome;
    }
    const why = isError ? { status: undefined, error: outcome } : { status: outcome.status, error: undefined };
    const inTime = await within({ ms: leftMs, late: () => false, signal }, async (signal) => {
      await onRetry?.({ ...about, ...why, pauseMs });
      await sleep(pauseMs, signal);
      return true;
    });
    if (!inTime) throw tooLate();
  }
}

/** The response of an attempt, or the error, after which it may be retried. */
type Outcome = Received | NetworkError | TimeoutError;

/** Rejects with errors that are not retried: of hooks, and of a request that `fetch` refuses. */
async function attemptOnce(about: Attempt, init: Init, signal: AbortSignal, options: SendOptions): Promise<Outcome> {
  // The global is read at each attempt, because tests and frameworks replace it.
  const { describe, onRequest, onResponse, fetch = globalThis.fetch } = options;
  const headers = onRequest === undefined ? init.headers : await withHook(onRequest, about, init.headers);
  checkNames(headers);
  const sent = performance.now();
  const outcome = await fetchWhole(fetch, about.url, { ...init, headers, signal }, describe);
  if (outcome instanceof Error) return outcome;
  const { status, headers: received } = outcome;
  await onResponse?.({ ...about, status, headers: received, durationMs: performance.now() - sent });
  return outcome;
}

/** @returns the headers with those that the hook has set. The hook does not receive the key, because it may log all headers. */
async function withHook(
  onRequest: NonNullable<Hooks['onRequest']>,
  about: Attempt,
  { authorization, ...others }: Init['headers'],
): Promise<Record<string, string>> {
  const headers = new Headers(others);
  await onRequest({ ...about, headers });
  headers.delete('authorization');
  return { ...(authorization !== undefined && { authorization }), ...Object.fromEntries(headers) };
}

async function fetchWhole(fetch: Fetch, url: string, init: Init, describe: Describe): Promise<Received | NetworkError> {
  let status: number | undefined;
  try {
    const response = await fetch(url, init);
    ({ status } = response);
    return new Received(url, response, await response.text());
  } catch (cause) {
    if (status === undefined) checkRequest(url, init);
    const cors =
      status === undefined && isCrossOrigin(url)
        ? ' The server may also not allow the origin of this page (CORS): see the console of the browser.'
        : '';
    const what = status === undefined ? 'No response arrived' : 'The response was cut';
    const message = `${what}: ${describe.reason(cause)}.${cors} (${describe.request(url)})`;
    return new NetworkError(message, { cause, status });
  }
}

/**
 * Called after `fetch` has failed, because it costs as much as a request.
 * @throws TypeError if the platform refuses the request before it sends it, such as an AbortSignal of another realm.
 */
function checkRequest(url: string, init: Init): void {
  try {
    new Request(url, init);
  } catch (cause) {
    const { name, message } = cause as Error; // As the constructor throws it.
    if (name !== 'TypeError') return; // The platform has no Request.
    throw new TypeError(`\`fetch\` refuses the request before it is sent: ${message}`, { cause });
  }
}

/** The `Retry-After` of the server, otherwise exponential backoff with jitter: up to half of the pause is random. */
function pauseAfter(outcome: Outcome, attempt: number): number {
  const retryAfter = outcome instanceof Error ? undefined : retryAfterSeconds(outcome);
  if (retryAfter !== undefined) return retryAfter * 1000;
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS) * (1 - Math.random() / 2);
}
