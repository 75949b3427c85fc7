/** Sends one request: to a path of the contract, for JSON or an error, or by openapi-fetch's own GET. */
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

export interface RequestOptions extends CallOptions {
  /** The ETag of a response that the caller already has. */
  readonly etag?: string | undefined;
}

export interface JsonResponse {
  /** Parsed JSON, not validated yet. `undefined` if the response still has the ETag of the request (304). */
  readonly body: unknown;
  readonly received: Received;
  /** @returns an error with the expected kind of body and the start of the actual body. */
  readonly mismatch: (what: string) => NetworkError;
}

/** Requests a path of the contract. Rejects with an ApiError, a NetworkError, a TypeError for invalid options, and like `send`. */
export type Requester = (path: string, params: Params, options: RequestOptions) => Promise<JsonResponse>;

/** Sends a request with the limits of the client or of the call. */
export type Send = (url: string, init: RequestInit, options: CallOptions) => Promise<Received>;

/**
 * @param baseUrl without a trailing slash.
 * @param headers sent with every request, with lower-case names.
 */
export function createRequester(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  send: Send,
  describe: Describe,
): Requester {
  return async (path, params, { etag, ...options }) => {
    checkLimits(options);
    const url = urlOf(baseUrl, path, params);
    const condition = etag === undefined ? {} : { 'if-none-match': etag };
    const sent = { ...headers, ...headersOf(options.headers), ...condition };
    const received = await send(url, { method: 'GET', headers: sent, signal: options.signal ?? null }, options);
    const { ok, status, text } = received;
    const from = `(${String(status)} from ${describe.request(url)})`;
    const mismatch = (what: string, cause?: unknown): NetworkError =>
      new NetworkError(`The response is not ${what}: ${describe.body(text)} ${from}`, { cause, status });
    if (status === 304 && etag !== undefined) return { body: undefined, received, mismatch };

    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch (cause) {
      if (ok) throw mismatch('JSON', cause);
    }
    if (ok) return { body, received, mismatch };
    if (isProblem(body, status))
      throw new ApiError(`${describe.redact(body.message)} ${from}`, received.response, body);
    throw new ApiError(
      `The response is an error that does not match the contract: ${describe.body(text)} ${from}`,
      received.response,
    );
  };
}

/** @throws TypeError for a parameter that cannot be part of a URL. JavaScript may pass any value. */
function urlOf(baseUrl: string, path: string, params: Params): string {
  for (const [name, value] of Object.entries<unknown>(params.path ?? {})) {
    if (typeof value !== 'string' || value === '') throw new TypeError(`\`${name}\` must be a non-empty string.`);
  }
  const serializers = { pathSerializer: defaultPathSerializer, querySerializer: createQuerySerializer() };
  try {
    return createFinalURL(path, { baseUrl, params, ...serializers });
  } catch (cause) {
    throw unwritableParameter(cause);
  }
}

/** @returns the error for a value that openapi-fetch cannot encode, such as a lone surrogate. */
const unwritableParameter = (cause: unknown): TypeError =>
  new TypeError('A parameter cannot be encoded in a URL: it must be a number or well-formed text.', { cause });

/** The properties of an item that the client itself relies on. A response may come from a proxy or from another service. */
export interface Item {
  readonly id: string;
}

/** @returns the body as a list. @throws NetworkError if it is not a list. */
export function envelopeOf({ body, mismatch }: JsonResponse): Envelope<Item> {
  if (isEnvelope(body)) return body;
  throw mismatch('a list of the contract, with `has_more`, and `data` whose items have an `id`');
}

/** @returns the body as an item. @throws NetworkError if it is not an item. */
export function itemOf({ body, mismatch }: JsonResponse): Item {
  if (isItem(body)) return body;
  throw mismatch('an item of the contract, with an `id`');
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
  /** A `fetch` for this call alone. As in openapi-fetch, it receives a Request. */
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
  // The types of GET depend on the path, so they can only be passed on as a whole.
  const call = GET as (path: string, init: object) => Promise<unknown>;
  const get = async (path: string, options: GetOptions = {}): Promise<unknown> => {
    const { fetch: own, signal = null, timeoutMs, retry, ...init } = options;
    const limits = { timeoutMs, retry };
    checkLimits(limits);
    const send = sendBy(own === undefined ? fetch : (url, init) => own(new Request(url, init)));
    // openapi-fetch does not get the signal: its Request would listen to it until it is garbage-collected.
    const fetchThis = async (request: Request) => {
      const received = await send(request.url, { ...initOf(request), signal }, limits);
      return received.response;
    };
    try {
      return await call(path, { ...init, fetch: fetchThis });
    } catch (error) {
      throw error instanceof URIError ? unwritableParameter(error) : error;
    }
  };
  return get as Get;
}

/** @returns a Request as the second argument of `fetch`: a plain object, which the `fetch` of a caller can spread. */
function initOf(request: Request): RequestInit {
  const { method, headers, cache, credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy } =
    request;
  const known = { method, headers, cache, credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy };
  // openapi-fetch adds options that Request does not support, such as Node's `dispatcher`, as own properties.
  return Object.assign({}, request, known);
}
