/** GET requests: openapi-fetch writes the URL and the headers, and the `send` of the client sends them. */
import createFetchClient, {
  createFinalURL,
  createQuerySerializer,
  defaultPathSerializer as pathSerializer,
  mergeHeaders,
  removeTrailingSlash,
} from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { Problem } from '../generated/models.ts';
import type { paths } from '../generated/openapi.ts';
import type { Result } from './call.ts';
import { ApiError, NetworkError } from './client-errors.ts';
import { checkLimits, send } from './fetch.ts';
import type { CallOptions, FetchOptions, Init, SendOptions } from './fetch.ts';
import { checkCallHeaders } from './headers.ts';
import type { CallHeaders } from './headers.ts';
import { checkPlatform } from './platform.ts';

export type Get = Client<paths>['GET'];

export interface Params {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, unknown>;
}

export interface RequestOptions extends CallOptions {
  /** The ETag of a response that the caller already has. */
  readonly etag?: string | undefined;
}

/** What the client itself relies on in a body, which may come from a proxy or from another service. */
export interface Kind<T> {
  readonly what: string;
  readonly is: (body: unknown) => body is T;
}

/**
 * Requests a path of the contract, for a body of a kind, or for none if the response still has the ETag of the request
 * (304). Rejects with an ApiError, a NetworkError, a TypeError for invalid options, and like `send`.
 */
export interface Requester {
  <T>(path: string, params: Params, options: CallOptions, kind: Kind<T>): Promise<Result<T>>;
  <T>(path: string, params: Params, options: RequestOptions, kind: Kind<T>): Promise<Result<T | undefined>>;
}

interface GetOptions extends FetchOptions {
  /** A `fetch` for this call alone. As in openapi-fetch, it receives a Request. */
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly middleware?: readonly unknown[];
  readonly signal?: AbortSignal | null | undefined;
}

interface Written {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What openapi-fetch makes of a call instead of a Request, which costs as much as the call. It adds the other options itself. */
class Prepared {
  readonly url: string;
  readonly headers: Headers;

  constructor(url: string, { headers }: { readonly headers: Headers }) {
    this.url = url;
    this.headers = headers;
  }
}

/**
 * @param baseUrl absolute.
 * @param usual the headers that are sent with every request, with lower-case names.
 * @returns openapi-fetch's own GET, and the requests of the named methods.
 */
export function createRequests(
  baseUrl: string,
  usual: Readonly<Record<string, string>>,
  options: SendOptions,
): { readonly GET: Get; readonly request: Requester } {
  const { describe } = options;
  /** @returns the options of the client, with those of a call that replace them. @throws TypeError if they cannot be used. */
  const optionsOf = ({
    fetch = options.fetch,
    timeoutMs = options.timeoutMs,
    retry = options.retry,
  }: Omit<SendOptions, 'describe'>): SendOptions => {
    checkLimits({ timeoutMs, retry });
    checkPlatform('Headers', 'Response', ...(fetch === undefined ? ['fetch'] : []));
    return { ...options, fetch, timeoutMs, retry };
  };

  const { GET } = createFetchClient<paths>({ baseUrl, headers: usual });
  // The types of GET depend on the path, so they can only be passed on as a whole.
  const call = GET as unknown as (path: string, init: object) => Promise<unknown>;
  const get = async (
    path: string,
    { fetch: own, signal = null, timeoutMs, retry, ...init }: GetOptions = {},
  ): Promise<unknown> => {
    const fetch = own && ((url: string, init: RequestInit) => own(new Request(url, init)));
    const sendOptions = optionsOf({ fetch, timeoutMs, retry });
    let isWritten = init.middleware !== undefined;
    const sendThis = async (request: Prepared | Request): Promise<Response> => {
      isWritten = true;
      // openapi-fetch does not get the signal: a Request would listen to it until it is garbage-collected.
      return (await send(request.url, { ...initOf(request), signal }, sendOptions)).response;
    };
    try {
      const Request = isWritten ? globalThis.Request : Prepared; // A middleware may replace its Request.
      return await call(path, { Request, ...init, fetch: sendThis });
    } catch (cause) {
      throw isWritten ? cause : unwritable();
    }
  };

  const [root, querySerializer] = [removeTrailingSlash(baseUrl), createQuerySerializer()];
  /** Writes a request as openapi-fetch does, without what the named methods do not need: its middleware and its reading of the body. */
  const write = (path: string, params: Params, own: CallHeaders | undefined, etag: string | undefined): Written => {
    try {
      const url = createFinalURL(path, { baseUrl: root, params, querySerializer, pathSerializer });
      // Headers cost as much as a fifth of the call.
      if (own === undefined && etag === undefined) return { url, headers: { ...usual } };
      return { url, headers: Object.fromEntries(mergeHeaders(usual, own, { 'if-none-match': etag })) };
    } catch {
      throw unwritable();
    }
  };
  const request = async <T>(
    path: string,
    params: Params,
    { etag, headers: own, signal, timeoutMs, retry }: RequestOptions,
    { what, is }: Kind<T>,
  ): Promise<Result<T | undefined>> => {
    for (const [name, value] of Object.entries<unknown>(params.path ?? {})) {
      if (typeof value !== 'string' || value === '') throw new TypeError(`\`${name}\` must be a non-empty string.`);
    }
    checkCallHeaders(own);
    const sendOptions = optionsOf({ timeoutMs, retry });
    const { url, headers } = write(path, params, own, etag);
    const received = await send(url, { method: 'GET', headers, signal: signal ?? null }, sendOptions);
    const { ok, status, content } = received;
    if (status === 304 && etag !== undefined) return { data: undefined, received };
    const { data, cause } = parsed(content);
    if (ok && cause === undefined && is(data)) return { data, received };
    const [body, from] = [describe.body(content), `(${String(status)} from ${describe.request(url)})`];
    if (!ok) {
      const problem = isProblem(data, status) ? data : undefined;
      const reason = problem?.message ?? `The response is an error that does not match the contract: ${body}`;
      const { pathname } = new URL(baseUrl);
      const isElsewhere = status === 404 && pathname !== '/' && (problem?.message ?? NO_PATH) === NO_PATH;
      const hint = isElsewhere ? ` Is the path of \`baseUrl\` right, ${pathname}?` : '';
      throw new ApiError(`${describe.redact(reason + hint)} ${from}`, received.response, problem);
    }
    const expected = cause === undefined ? what : 'JSON';
    throw new NetworkError(`The response is not ${expected}: ${body} ${from}`, { cause, status });
  };
  return {
    GET: get as unknown as Get,
    request: request, // Without an `etag`, it always has a body.
  };
}

/** Without the cause, which may repeat a header. */
const unwritable = (): TypeError =>
  new TypeError(
    'The request cannot be written: a parameter must be a number or well-formed text, and a header valid in HTTP.',
  );

function parsed(text: string): { readonly data?: unknown; readonly cause?: unknown } {
  try {
    return { data: JSON.parse(text) };
  } catch (cause) {
    return { cause };
  }
}

/** The server's message for a path that the contract does not have. A client that sends it has another path before it. */
const NO_PATH = 'This path does not exist.';

/** @returns a Request as the second argument of `fetch`: a plain object, which the `fetch` of a caller can spread. */
function initOf(request: Prepared | Request): Omit<Init, 'signal'> {
  // openapi-fetch adds options that Request does not support, such as Node's `dispatcher`, as own properties.
  const { url: _url, ...own } = Object.assign({}, request);
  const headers = Object.fromEntries(request.headers);
  if (request instanceof Prepared) return { ...own, headers };
  const { method, cache, credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy } = request;
  const known = { method, cache, credentials, integrity, keepalive, mode, redirect, referrer, referrerPolicy };
  return { ...own, ...known, headers };
}

/** The properties of an item that the client itself relies on. */
export interface Item {
  readonly id: string;
}

export const isItem = (value: unknown): value is Item => typeof (value as Item | null | undefined)?.id === 'string';

function isProblem(body: unknown, status: number): body is Problem {
  const { statusCode, name, message } = (body ?? {}) as Readonly<Record<string, unknown>>;
  return statusCode === status && typeof name === 'string' && typeof message === 'string';
}
