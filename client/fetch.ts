/** Sends a request with time limits that include the whole body, retries it where that is safe, and calls the hooks. */
import { NetworkError, TimeoutError } from './errors.ts';
import type { Describe } from './errors.ts';
import { retryAfterSeconds } from './headers.ts';
import type { CallHeaders } from './headers.ts';
import { isCrossOrigin } from './platform.ts';
import { checkNumbers, sleep, within } from './time.ts';

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
  /** How long one attempt may take, until the last byte of the response, in milliseconds. Default: 30000. */
  readonly timeoutMs?: number | undefined;
  /** How to retry after 429, 500, 502, 503, 504, a network failure or a timeout; `false` disables retries. */
  readonly retry?: RetryOptions | false | undefined;
}

/** Options of one call. `timeoutMs` and `retry` each replace the client's option as a whole. */
export interface CallOptions extends FetchOptions {
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Sent with each request of the call. `Authorization` is rejected: the client sends its `apiKey` there. */
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
  readonly describe: Describe;
}

const UTF_8 = new TextDecoder();

/** A response whose body has arrived. Its text is decoded once; a new Response is created only on demand. */
export class Received {
  readonly text: string;
  readonly #head: Response;
  readonly #body: ArrayBuffer;
  #response: Response | undefined;

  /** @param head a Response whose body has been consumed. @param body the content of that body. */
  constructor(head: Response, body: ArrayBuffer) {
    this.text = UTF_8.decode(body);
    this.#head = head;
    this.#body = body;
  }

  get ok(): boolean {
    return this.#head.ok;
  }

  get status(): number {
    return this.#head.status;
  }

  get headers(): Headers {
    return this.#head.headers;
  }

  /** Always the same Response. Its body has not been consumed. */
  get response(): Response {
    // The constructor of Response rejects an empty body for status 304, but accepts null.
    return (this.#response ??= new Response(this.#body.byteLength === 0 ? null : this.#body, this.#head));
  }
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
 * @returns the response. Rejects with NetworkError, TimeoutError, the reason of an aborted `signal`, and
 * errors of hooks.
 */
export async function send(fetch: Fetch, url: string, init: RequestInit, options: SendOptions): Promise<Received> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, retry = {}, describe, onRetry } = options;
  const { retries = DEFAULT_RETRIES, totalMs = Math.max(DEFAULT_TOTAL_MS, timeoutMs) } =
    retry === false ? { retries: 0 } : retry;
  const deadline = performance.now() + totalMs;
  const request = describe.request(url);
  const timeoutMessage = (bound: string): string => `No response arrived within ${bound}. (${request})`;
  const total = { message: timeoutMessage(`${String(totalMs)} ms in total`), signal: init.signal };

  for (let attempt = 1, leftMs = totalMs; ; attempt += 1, leftMs = deadline - performance.now()) {
    const bound =
      leftMs < timeoutMs
        ? { ...total, ms: leftMs }
        : { ...total, ms: timeoutMs, message: timeoutMessage(`${String(timeoutMs)} ms`) };
    const outcome = await attemptOnce(fetch, url, init, { ...options, bound, attempt });
    if (outcome instanceof Received && !RETRYABLE.has(outcome.status)) return outcome;

    const pauseMs = pauseAfter(outcome, attempt);
    // A pause that would exceed the total limit is not started: no attempt could follow.
    if (attempt > retries || performance.now() + pauseMs >= deadline) {
      if (outcome instanceof Received) return outcome;
      throw outcome;
    }
    await within({ ...total, ms: deadline - performance.now() }, async (signal) => {
      const why =
        outcome instanceof Received
          ? { status: outcome.status, error: undefined }
          : { status: undefined, error: outcome };
      await onRetry?.({ method: 'GET', url, attempt, ...why, pauseMs });
      await sleep(pauseMs, signal);
    });
  }
}

interface AttemptOptions extends SendOptions {
  readonly bound: Parameters<typeof within>[0];
  readonly attempt: number;
}

/** @returns the response, or the error of an attempt that may be retried. Rejects with the reason of an aborted signal, and errors of hooks. */
async function attemptOnce(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  { describe, onRequest, onResponse, bound, attempt }: AttemptOptions,
): Promise<Received | NetworkError | TimeoutError> {
  const about = { method: 'GET', url, attempt };
  try {
    return await within(bound, async (signal) => {
      const headers = onRequest === undefined ? init.headers : await withHook(onRequest, about, init.headers);
      const sent = performance.now();
      const response = await fetchWhole(fetch, url, { ...init, ...(headers && { headers }), signal }, describe);
      const { status, headers: received } = response;
      await onResponse?.({ ...about, status, headers: received, durationMs: performance.now() - sent });
      return response;
    });
  } catch (error) {
    init.signal?.throwIfAborted();
    if (error instanceof NetworkError || error instanceof TimeoutError) return error;
    throw error;
  }
}

/** @returns the headers with those that the hook has set. The hook does not receive the key, because it may log all headers. */
async function withHook(
  onRequest: NonNullable<Hooks['onRequest']>,
  about: Omit<RequestEvent, 'headers'>,
  init: RequestInit['headers'],
): Promise<Record<string, string>> {
  const headers = new Headers(init);
  const key = headers.get('authorization');
  headers.delete('authorization');
  await onRequest({ ...about, headers });
  if (key !== null) headers.set('authorization', key);
  return Object.fromEntries(headers);
}

/** @returns the response with its whole body. Rejects with a NetworkError. */
async function fetchWhole(fetch: Fetch, url: string, init: RequestInit, describe: Describe): Promise<Received> {
  let status: number | undefined;
  try {
    const response = await fetch(url, init);
    ({ status } = response);
    return new Received(response, await response.arrayBuffer());
  } catch (cause) {
    const cors = isCrossOrigin(url)
      ? ' The server may also not allow the origin of this page (CORS): see the console of the browser.'
      : '';
    const message = `No response arrived: the server is unreachable or closed the connection.${cors}`;
    throw new NetworkError(`${message} (${describe.request(url)})`, { cause, status });
  }
}

/** The `Retry-After` of the server, otherwise exponential backoff with jitter: up to half of the pause is random. */
function pauseAfter(outcome: Received | Error, attempt: number): number {
  const retryAfter = outcome instanceof Received ? retryAfterSeconds(outcome) : undefined;
  if (retryAfter !== undefined) return retryAfter * 1000;
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS) * (1 - Math.random() / 2);
}
