/** openapi-fetch's own GET, typed from the contract, with the time limits and retries of the client. */
import createFetchClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { paths } from '../generated/openapi.ts';
import { unwritable } from './ask.ts';
import type { Send } from './ask.ts';
import { checkLimits } from './fetch.ts';
import type { Fetch, FetchOptions } from './fetch.ts';

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
