/** The client: the collections of the contract by name, and openapi-fetch's GET. */
import { removeTrailingSlash } from 'openapi-fetch';
import type { ContactImport } from '../generated/models.ts';
import { Call } from './call.ts';
import { createCollections } from './collections.ts';
import type { Collections } from './collections.ts';
import { createDescribe } from './errors.ts';
import { checkLimits, send } from './fetch.ts';
import type { Fetch, FetchOptions, Hooks } from './fetch.ts';
import { USER_AGENT } from './headers.ts';
import { fromEnvironment, pageUrl } from './platform.ts';
import { createAsk, createGet } from './request.ts';
import type { Get, Send } from './request.ts';
import { waitUntilEnded } from './wait.ts';
import type { WaitOptions } from './wait.ts';

export interface ClientOptions extends FetchOptions, Hooks {
  /**
   * Where the API is, such as `https://api.example.com`; a path and a trailing slash are fine. Default: the environment
   * variable ROLLCALL_BASE_URL, where there is an environment.
   */
  readonly baseUrl?: string | undefined;
  /** The key of the account to read. Default: the environment variable ROLLCALL_API_KEY, where there is an environment. */
  readonly apiKey?: string | undefined;
  /** What to send requests with. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

export interface RollcallClient extends Collections {
  readonly contactImports: Collections['contactImports'] & {
    /**
     * Asks for an import until it is `completed` or `failed`, and cheaply while it does not change. Rejects like `get`, and
     * with a TimeoutError after `timeoutMs`.
     */
    waitUntilEnded(id: string, options?: WaitOptions): Call<ContactImport>;
  };
  /**
   * openapi-fetch's own call, typed from the contract, with the time limits, retries and hooks of the client; the call may
   * have its own `timeoutMs` and `retry`. It answers `{ data, error, response }` instead of rejecting with an ApiError,
   * rejects with a SyntaxError for an answer that is not JSON, and does not check the body. A `fetch` of the call and its
   * `middleware` are handed a real Request.
   */
  readonly GET: Get;
}

/**
 * Makes a client. Its calls reject with ApiError, NetworkError, TimeoutError, the reason of an aborted signal, what a hook
 * throws, a TypeError for what cannot be sent, and with nothing else; `GET` as it says.
 * @throws TypeError for a `baseUrl` that is no URL or has more than an address, an `apiKey` that cannot be sent, and limits
 * that are no numbers.
 */
export function createClient(options: ClientOptions = {}): RollcallClient {
  const {
    baseUrl = fromEnvironment('ROLLCALL_BASE_URL'),
    apiKey = fromEnvironment('ROLLCALL_API_KEY'),
    fetch = globalFetch,
  } = options;
  checkBaseUrl(baseUrl);
  checkKey(apiKey);
  checkLimits(options);
  const root = removeTrailingSlash(baseUrl);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    // In a browser it would take a preflight that allows it.
    ...(pageUrl() === undefined && { 'user-agent': USER_AGENT }),
  };
  const describe = createDescribe(apiKey);
  const sendBy =
    (fetch: Fetch): Send =>
    (url, init, { timeoutMs = options.timeoutMs, retry = options.retry }) =>
      send(fetch, url, init, { ...options, timeoutMs, retry, describe });
  const ask = createAsk(root, headers, sendBy(fetch), describe);
  const collections = createCollections(ask);
  return {
    ...collections,
    contactImports: {
      ...collections.contactImports,
      waitUntilEnded: (id, options = {}) => {
        const ended = waitUntilEnded(ask, id, options);
        return new Call(() => ended);
      },
    },
    GET: createGet(root, headers, fetch, sendBy),
  };
}

// Looked up at each call, because tests and frameworks replace it.
const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);

// JavaScript may give anything. No message repeats a value: it may be the key, even in the place of the URL.

function checkBaseUrl(baseUrl: unknown): asserts baseUrl is string {
  const url = typeof baseUrl === 'string' ? parsed(baseUrl) : undefined;
  if (url === undefined) {
    throw new TypeError(
      'baseUrl must be a string with a URL such as https://api.example.com; or set ROLLCALL_BASE_URL.',
    );
  }
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError('baseUrl must have neither a user name, a password, a query nor a fragment.');
  }
}

function checkKey(apiKey: unknown): asserts apiKey is string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a string of printable ASCII without spaces; or set ROLLCALL_API_KEY.');
  }
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text, pageUrl()); // In a browser it may be relative.
  } catch {
    return undefined;
  }
}
