/** One request: of a named operation, which ends with JSON that the server sent or with an error, or by openapi-fetch's GET. */
import createFetchClient, { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { paths } from '../generated/openapi.ts';
import { ApiError, NetworkError, isProblem } from './errors.ts';
import type { Describe } from './errors.ts';
import { checkLimits } from './fetch.ts';
import type { CallOptions, Fetch, FetchOptions, Received } from './fetch.ts';
import { headersOf } from './headers.ts';
import type { Envelope } from './list.ts';

export interface Params {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, unknown>;
}

export interface AskOptions extends CallOptions {
  /** The tag of an answer that is known already. */
  readonly etag?: string | undefined;
}

export interface Answer {
  /** Parsed JSON, not checked yet. `undefined` if the answer with the `etag` is still the same. */
  readonly body: unknown;
  readonly received: Received;
  /** @returns the error that says what the body should be, and what it is. */
  readonly isNot: (what: string) => NetworkError;
}

/** Asks for a path of the contract. Rejects with an ApiError, a NetworkError, a TypeError for wrong options, and like `send`. */
export type Ask = (path: string, params: Params, options: AskOptions) => Promise<Answer>;

/** Sends a request with the limits of the client, or of a call. */
export type Send = (url: string, init: RequestInit, options: CallOptions) => Promise<Received>;

/**
 * @param baseUrl has no slash at its end.
 * @param headers go with every request; their names are in lower case.
 */
export function createAsk(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  send: Send,
  describe: Describe,
): Ask {
  return async (path, params, { etag, ...options }) => {
    checkLimits(options);
    const url = urlOf(baseUrl, path, params);
    const condition = etag === undefined ? {} : { 'if-none-match': etag };
    const sent = { ...headers, ...headersOf(options.headers), ...condition };
    const received = await send(url, { method: 'GET', headers: sent, signal: options.signal ?? null }, options);
    const { ok, status, text } = received;
    const from = `(${String(status)} from ${describe.request(url)})`;
    const isNot = (what: string, cause?: unknown): NetworkError =>
      new NetworkError(`The answer is not ${what}: ${describe.body(text)} ${from}`, { cause });
    if (status === 304 && etag !== undefined) return { body: undefined, received, isNot };

    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch (cause) {
      if (ok) throw isNot('JSON', cause);
    }
    if (ok) return { body, received, isNot };
    if (isProblem(body, status))
      throw new ApiError(`${describe.redact(body.message)} ${from}`, received.response, body);
    throw new ApiError(
      `The answer is an error that is not of the contract: ${describe.body(text)} ${from}`,
      received.response,
    );
  };
}

/** @throws TypeError for a parameter that no URL can have, such as from JavaScript. */
function urlOf(baseUrl: string, path: string, params: Params): string {
  for (const [name, value] of Object.entries<unknown>(params.path ?? {})) {
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`\`${name}\` must be a string that is not empty.`);
  }
  const serializers = { pathSerializer: defaultPathSerializer, querySerializer: createQuerySerializer() };
  try {
    return createFinalURL(path, { baseUrl, params, ...serializers });
  } catch (cause) {
    throw unwritable(cause);
  }
}

/** @returns the error for a value that openapi-fetch could not write, such as a lone surrogate. */
export const unwritable = (cause: unknown): TypeError =>
  new TypeError('A parameter cannot be written into a URL: it must be a number or well-formed text.', { cause });

/** Checks of what the client itself relies on in an answer, which may come from a proxy or from another service. */
export interface Item {
  readonly id: string;
}

/** @returns the list that came. Throws a NetworkError if it is none. */
export function envelopeOf({ body, isNot }: Answer): Envelope<Item> {
  if (isEnvelope(body)) return body;
  throw isNot('a list of the contract, which has `has_more`, and `data` of items with an `id`');
}

/** @returns the item that came. Throws a NetworkError if it is none. */
export function itemOf({ body, isNot }: Answer): Item {
  if (isItem(body)) return body;
  throw isNot('an item of the contract, which has an `id`');
}

function isEnvelope(body: unknown): body is Envelope<Item> {
  return (
    isObject(body) &&
    'has_more' in body &&
    typeof body.has_more === 'boolean' &&
    'data' in body &&
    Array.isArray(body.data) &&
    body.data.every(isItem)
  );
}

function isItem(body: unknown): body is Item {
  return isObject(body) && 'id' in body && typeof body.id === 'string';
}

function isObject(body: unknown): body is object {
  return typeof body === 'object' && body !== null;
}

export type Get = Client<paths>['GET'];

interface GetOptions extends FetchOptions {
  /** As openapi-fetch has it: a `fetch` for this call alone, which is handed a Request. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly signal?: AbortSignal | null;
}

/** @param sendBy adds the time limits, retries and hooks of the client to a `fetch`. */
export function createGet(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  fetch: Fetch,
  sendBy: (fetch: Fetch) => Send,
): Get {
  const { GET } = createFetchClient<paths>({ baseUrl, headers });
  // Its types depend on the path, so they can only be passed on as a whole.
  const call = GET as (path: string, init: object) => Promise<unknown>;
  const get = async (path: string, options: GetOptions = {}): Promise<unknown> => {
    const { fetch: own, signal = null, timeoutMs, retry, ...init } = options;
    const limits = { timeoutMs, retry };
    checkLimits(limits);
    const send = sendBy(own === undefined ? fetch : (url, init) => own(new Request(url, init)));
    // The signal is kept out of openapi-fetch's Request, which would listen to it until it is garbage-collected.
    const fetchThis = async (request: Request) => {
      const received = await send(request.url, { ...initOf(request), signal }, limits);
      return received.response;
    };
    try {
      return await call(path, { ...init, fetch: fetchThis });
    } catch (error) {
      throw error instanceof URIError ? unwritable(error) : error;
    }
  };
  return get as Get;
}

/** A Request as the second argument of `fetch`: a plain object, which the `fetch` of a caller can spread. */
function initOf(request: Request): RequestInit {
  const { method, headers, cache, credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy } =
    request;
  const known = { method, headers, cache, credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy };
  // Options that a Request does not know, such as Node's `dispatcher`, are its own properties: openapi-fetch adds them.
  return Object.assign({}, request, known);
}
