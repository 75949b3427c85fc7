/** A `fetch` that limits how long the whole answer may take, and tries again where that is safe and can help. */
import { NetworkError, TimeoutError } from './errors.ts';
import type { Describe } from './errors.ts';
import { retryAfterSeconds } from './headers.ts';
import type { CallHeaders } from './headers.ts';
import { isCrossOrigin } from './platform.ts';
import { checkNumbers, sleep, within } from './time.ts';

/** What sends requests: the global `fetch`, or anything like it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RetryOptions {
  /** How many times a request is tried again at most. Default 3. */
  readonly retries?: number | undefined;
  /**
   * How long a request may take in all, its retries and their pauses included, in milliseconds. Default 60000, or
   * `timeoutMs` if that is more.
   */
  readonly totalMs?: number | undefined;
}

export interface FetchOptions {
  /** How long one try may take, until the last byte of its answer, in milliseconds. Default 30000. */
  readonly timeoutMs?: number | undefined;
  /** How to try again after 429, 500, 502, 503, 504, a network failure or a timeout; `false` for not at all. */
  readonly retry?: RetryOptions | false | undefined;
}

/** What can be said of one call. `timeoutMs` and `retry` take the place of the client's, each as a whole. */
export interface CallOptions extends FetchOptions {
  /** Ends the call at once; it then rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Sent with each request of the call. `Authorization` is refused: it is the client's key. */
  readonly headers?: CallHeaders | undefined;
}

interface Try {
  readonly method: string;
  readonly url: string;
  /** 1 for the first try, 2 for the first that is a retry. */
  readonly attempt: number;
}

export interface RequestEvent extends Try {
  /** The headers that will be sent; what is set here is sent too. The key is not among them. */
  readonly headers: Headers;
}

export interface ResponseEvent extends Try {
  readonly status: number;
  readonly headers: Headers;
  /** From sending the request until the last byte of its answer, in milliseconds. */
  readonly durationMs: number;
}

export interface RetryEvent extends Try {
  /** The status that is the reason, if an answer came. */
  readonly status: number | undefined;
  /** Why no answer came, if none did. */
  readonly error: NetworkError | TimeoutError | undefined;
  /** The pause before the next try, in milliseconds. */
  readonly pauseMs: number;
}

/**
 * What a caller is told of requests: for logs, metrics and traces. Hooks may return a promise, which is waited for within the
 * time limits. What a hook throws ends the call: it rejects with that, and nothing is tried again.
 */
export interface Hooks {
  /** Before each try. */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined;
  /** After each answer, whatever its status. */
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined;
  /** After a try that failed, before the pause that the next one follows. */
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined;
}

/** The client's options, those of a call in their place, and how to tell of requests. */
export interface SendOptions extends FetchOptions, Hooks {
  readonly describe: Describe;
}

const UTF_8 = new TextDecoder();

/** A response whose body has arrived. Its text is decoded once; a Response to read again is made only for who asks. */
export class Received {
  readonly text: string;
  readonly #head: Response;
  readonly #body: ArrayBuffer;
  #response: Response | undefined;

  /** @param head has been read; `body` is what it held. */
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

  /** Always the same one. Its body has not been read yet. */
  get response(): Response {
    // A Response with status 304 cannot be made with an empty body, only with none.
    return (this.#response ??= new Response(this.#body.byteLength === 0 ? null : this.#body, this.#head));
  }
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_RETRIES = 3;
const DEFAULT_TOTAL_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
const RETRYABLE: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** @throws TypeError for a limit that is no number, such as from JavaScript. */
export function checkLimits({ timeoutMs, retry }: FetchOptions): void {
  checkNumbers({ timeoutMs, ...(retry === false ? {} : retry) });
}

/**
 * Our own, because a retry library would be another dependency, and would not know `Retry-After` or a total.
 * @returns the response to a GET request. Throws NetworkError, TimeoutError, the reason of an aborted `signal`, and what a hook
 * throws.
 */
export async function send(fetch: Fetch, url: string, init: RequestInit, options: SendOptions): Promise<Received> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS, retry = {}, describe, onRetry } = options;
  const { retries = DEFAULT_RETRIES, totalMs = Math.max(DEFAULT_TOTAL_MS, timeoutMs) } =
    retry === false ? { retries: 0 } : retry;
  const deadline = performance.now() + totalMs;
  const request = describe.request(url);
  const late = (bound: string): string => `No answer came within ${bound}. (${request})`;
  const total = { message: late(`${String(totalMs)} ms in all`), signal: init.signal };

  for (let attempt = 1, leftMs = totalMs; ; attempt += 1, leftMs = deadline - performance.now()) {
    const bound =
      leftMs < timeoutMs
        ? { ...total, ms: leftMs }
        : { ...total, ms: timeoutMs, message: late(`${String(timeoutMs)} ms`) };
    const outcome = await tryOnce(fetch, url, init, { ...options, bound, attempt });
    if (outcome instanceof Received && !RETRYABLE.has(outcome.status)) return outcome;

    const pauseMs = pauseAfter(outcome, attempt);
    // A pause that would outlast the total is not begun: nothing more can come of it.
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

interface TryOptions extends SendOptions {
  readonly bound: Parameters<typeof within>[0];
  readonly attempt: number;
}

/** @returns the response with its whole body, or why there is none. Throws the reason of an aborted signal, and like a hook. */
async function tryOnce(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  { describe, onRequest, onResponse, bound, attempt }: TryOptions,
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

/** @returns the headers with what the hook has set. The key is kept from it: what is handed to a hook may be logged. */
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

/** @returns the response with its whole body. Throws a NetworkError. */
async function fetchWhole(fetch: Fetch, url: string, init: RequestInit, describe: Describe): Promise<Received> {
  try {
    const response = await fetch(url, init);
    return new Received(response, await response.arrayBuffer());
  } catch (cause) {
    const cors = isCrossOrigin(url)
      ? ' A server that does not allow the origin of this page (CORS) looks the same: the console of the browser says which.'
      : '';
    const message = `No answer came: the server cannot be reached, or cut the connection.${cors}`;
    throw new NetworkError(`${message} (${describe.request(url)})`, { cause });
  }
}

/** What the server asks for, else exponential backoff with jitter: up to a half of it is random. */
function pauseAfter(outcome: Received | Error, attempt: number): number {
  const asked = outcome instanceof Received ? retryAfterSeconds(outcome) : undefined;
  if (asked !== undefined) return asked * 1000;
  return Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), MAX_PAUSE_MS) * (1 - Math.random() / 2);
}
