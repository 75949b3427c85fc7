/** Requests to the API: a single request with all its outcomes, the latest of several requests, and polling. */
import { retryAfterSeconds } from '../../../../client/retry-after.ts';
import { readBody, TooLarge } from '../shared/body.ts';
import { isObject, parse } from '../shared/json.ts';
import { WORDS } from './contract.ts';

export interface ApiResponse {
  readonly body: Record<string, unknown>;
  readonly etag: string | undefined;
}
/**
 * Sends a GET request. Resolves to undefined if the resource still has the ETag `etag`.
 * Rejects with a Failure, or with the reason of the signal.
 */
export type Send = (
  target: string,
  options: { readonly signal: AbortSignal; readonly etag?: string | undefined },
) => Promise<ApiResponse | undefined>;
/** A record. The page relies on no property but its id. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string };

const TIMEOUT_MS = 30_000;
const EXCERPT_LENGTH = 500;
// A longer `Retry-After` may be too long for a timer.
const MAX_WAIT_MS = 300_000;
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

interface Circumstances {
  readonly status?: number;
  readonly requestId?: string | undefined;
  /** Seconds to wait. */
  readonly retryAfter?: number | undefined;
  /** The beginning of a body that does not come from the API. */
  readonly excerpt?: string;
  /** Whether no response came at all. */
  readonly isSilent?: boolean;
}

/** The outcome of a failed request: the error of the API or, if there is none, a description of the failure. */
export class Failure extends Error {
  readonly title: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  readonly excerpt: string | undefined;
  readonly #isSilent: boolean;
  /** When to send the request again, by the clock of the page. */
  #due: number | undefined;

  /** @param title such as `not_found` */
  constructor(
    title: string,
    message: string,
    { status, requestId, retryAfter, excerpt, isSilent = false }: Circumstances = {},
  ) {
    super(message);
    this.title = title;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.excerpt = excerpt;
    this.#isSilent = isSilent;
    if (retryAfter !== undefined) this.retryIn(retryAfter * 1000);
  }

  /** Sets when the request will be sent again. */
  retryIn(ms: number): void {
    this.#due = performance.now() + ms;
  }

  /** Whether the API has rejected the key. */
  get isUnauthorized(): boolean {
    return this.status === 401;
  }

  /** The seconds until the request is sent again; undefined if neither the server nor the console has set a time for that. */
  get secondsLeft(): number | undefined {
    return this.#due === undefined ? undefined : Math.max(0, Math.ceil((this.#due - performance.now()) / 1000));
  }

  /** Whether there is no server, as far as the page or a proxy in front of the server knows. */
  get isUnreachable(): boolean {
    return this.#isSilent || (this.status !== undefined && GATEWAY_ERRORS.has(this.status));
  }

  /** The milliseconds after which to send the request again; undefined if it fails again, or if the server asks for no wait. */
  get waitMs(): number | undefined {
    return this.isPassing && this.retryAfter !== undefined ? Math.min(this.retryAfter * 1000, MAX_WAIT_MS) : undefined;
  }

  /** @returns the milliseconds after which to send a first request again; undefined if a person decides. @param ms the wait while there is no server. */
  waitAfter(ms: number): number | undefined {
    return this.waitMs ?? (this.isUnreachable ? ms : undefined);
  }

  /** Whether the same request may succeed later. */
  get isPassing(): boolean {
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}

/**
 * @param base URL of the API, with a slash at its end.
 * @param key called for each request; returns an empty text if there is no key.
 */
export const createSend =
  (base: string, key: () => string): Send =>
  async (target, { signal, etag }) => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      // A variable, because the tests compile this with the types of Node, which do not know `cache`.
      const init = {
        headers: {
          ...(key() === '' ? {} : { authorization: `Bearer ${key()}` }),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
        },
        cache: 'no-store', // No data of an account stays on the disk.
        signal: AbortSignal.any([signal, timeout]),
      } as const;
      const response = await fetch(new URL(`.${target}`, base), init);
      return response.status === 304 ? undefined : await read(response);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Failure) throw error;
      if (error instanceof TooLarge) throw new Failure('Too large', error.message);
      if (timeout.aborted) {
        const words = `The server has not responded within ${String(TIMEOUT_MS / 1000)} seconds.`;
        throw new Failure('No response', words, { isSilent: true });
      }
      throw new Failure('Network failure', 'The server is unreachable, or the connection was closed.', {
        isSilent: true,
      });
    }
  };

/** @throws {Failure} */
async function read(response: Response): Promise<ApiResponse> {
  const { ok, status, headers } = response;
  const text = await readBody(response);
  const body = parsed(text);
  if (ok && isObject(body)) return { body, etag: headers.get('etag') ?? undefined };

  const more = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterSeconds(response),
  };
  if (!ok && isObject(body) && typeof body['name'] === 'string' && typeof body['message'] === 'string') {
    throw new Failure(body['name'], body['message'], more);
  }
  const excerpt = text.slice(0, EXCERPT_LENGTH);
  throw new Failure('Unexpected response', 'The response does not come from the API. It starts with:', {
    ...more,
    excerpt,
  });
}

/** @returns the parsed text; undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** @throws {Failure} if the value is not a record. */
export function itemOf(value: unknown): Item {
  if (isObject(value) && typeof value[WORDS.id] === 'string') return value as Item; // It has an id.
  throw new Failure('Unexpected response', 'A record in the response has no `id`.');
}

/** @throws {Failure} if the body is not a list. */
export function itemsOf(body: Record<string, unknown> | undefined): readonly Item[] {
  const data = body?.[WORDS.data];
  if (!Array.isArray(data)) {
    throw new Failure('Unexpected response', 'The response has no `data`.');
  }
  return data.map(itemOf);
}

/** Runs one task at a time: a new task aborts the previous one, so that no late response overwrites a newer one. */
export class Latest {
  #controller = new AbortController();

  /** @param failed called with an error, unless the task was aborted. */
  async run(task: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void): Promise<void> {
    this.stop();
    const { signal } = (this.#controller = new AbortController());
    try {
      await task(signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  stop(): void {
    this.#controller.abort();
  }
}

const FIRST_MS = 1000;
const MAX_MS = 5000;
const GROWTH = 1.5;
// How often a resource is polled in which nothing is running.
const IDLE_MS = 10_000;
// The maximum after failures without `Retry-After`.
const MAX_BACKOFF_MS = 60_000;

/** @returns how long to wait after a failure without `Retry-After`. @param ms how long it was before. */
export const backoff = (ms: number): number => Math.min(Math.max(ms, FIRST_MS) * 2, MAX_BACKOFF_MS);

/** The outcome of a request: something is running and has changed or not, nothing is running, or polling is over. */
export type Outcome = 'changed' | 'unchanged' | 'idle' | 'over';

/**
 * Sends a request repeatedly: less and less often while nothing changes, and seldom while nothing is running.
 * @param report called with a failure, and with undefined when a request succeeds again.
 * @param sleep rejects when polling is to end.
 * @param first the outcome of the request before.
 * @returns a promise that resolves when the outcome is 'over'. It rejects if `sleep` rejects, or if `send` rejects with anything but a
 *   failure that may pass.
 */
export async function poll(
  send: () => Promise<Outcome>,
  report: (failure: Failure | undefined) => void,
  sleep: (ms: number) => Promise<void>,
  first: Outcome = 'changed',
): Promise<void> {
  let pauseMs = first === 'idle' ? IDLE_MS : FIRST_MS;
  let hasFailed = false;
  for (;;) {
    await sleep(pauseMs);
    try {
      const outcome = await send();
      if (hasFailed) report(undefined);
      hasFailed = false;
      if (outcome === 'over') return;
      if (outcome === 'idle') pauseMs = IDLE_MS;
      else pauseMs = outcome === 'changed' ? FIRST_MS : Math.min(pauseMs * GROWTH, MAX_MS);
    } catch (error) {
      if (!(error instanceof Failure) || !error.isPassing) throw error;
      hasFailed = true;
      pauseMs = Math.max(backoff(pauseMs), error.waitMs ?? 0);
      error.retryIn(pauseMs);
      report(error);
    }
  }
}
