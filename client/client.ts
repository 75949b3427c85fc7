/** The client: the collections of the contract by name, and openapi-fetch's GET. */
import type { ContactImport } from '../generated/models.ts';
import { Call } from './call.ts';
import { createCollections } from './collections.ts';
import type { Collections } from './collections.ts';
import { checkLimits } from './fetch.ts';
import type { Fetch, FetchOptions, Hooks } from './fetch.ts';
import { USER_AGENT } from './headers.ts';
import { Describe } from './messages.ts';
import { fromEnvironment, pageUrl } from './platform.ts';
import { createRequests } from './request.ts';
import type { Get } from './request.ts';
import { waitUntilEnded } from './wait.ts';
import type { WaitOptions } from './wait.ts';

export interface ClientOptions extends FetchOptions, Hooks {
  /**
   * The URL of the API, such as `https://api.example.com`, with or without a path and a trailing slash. Default: the
   * environment variable ROLLCALL_BASE_URL, if the platform has environment variables.
   */
  readonly baseUrl?: string | undefined;
  /**
   * The API key of the account. Default: the environment variable ROLLCALL_API_KEY, if the platform has environment
   * variables.
   */
  readonly apiKey?: string | undefined;
  /** The function that sends requests. Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

export interface RollcallClient extends Collections {
  readonly contactImports: Collections['contactImports'] & {
    /**
     * Polls an import until it is `completed` or `failed`, with conditional requests. Rejects like `get`, and with a
     * TimeoutError after `timeoutMs`.
     */
    waitUntilEnded(id: string, options?: WaitOptions): Call<ContactImport>;
  };
  /**
   * openapi-fetch's own call, typed from the contract, with the time limits, retries and hooks of the client; the call may
   * have its own `timeoutMs` and `retry`. It returns `{ data, error, response }` instead of rejecting with an ApiError,
   * rejects with a SyntaxError for a response that is not JSON, and does not validate the body. A `fetch` of the call and
   * its `middleware` receive a real Request. Unlike the other calls, it is sent at once.
   */
  readonly GET: Get;
}

/**
 * Creates a client. Its calls reject only with ApiError, NetworkError, TimeoutError, the reason of an aborted signal, an
 * error thrown by a hook, or a TypeError, which is not retried, for values that cannot be sent: a limit that is not a number, an id with a
 * lone surrogate, or headers with `Authorization` or a name that `fetch` refuses; also if the platform has no `fetch`, or another
 * `AbortSignal` than `fetch` (jsdom). `GET` rejects as documented there.
 * @throws TypeError for a `baseUrl` that is not a URL or has credentials, a query or a fragment, for an `apiKey` that cannot
 * be sent, and for limits that are not numbers.
 */
export function createClient(options: ClientOptions = {}): RollcallClient {
  const { baseUrl = fromEnvironment('ROLLCALL_BASE_URL'), apiKey = fromEnvironment('ROLLCALL_API_KEY') } = options;
  const root = rootOf(baseUrl, hint(options, 'baseUrl'));
  checkKey(apiKey, hint(options, 'apiKey'));
  checkLimits(options);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    // In a browser, the header would need a preflight that allows it.
    ...(pageUrl() === undefined && { 'user-agent': USER_AGENT }),
  };
  const { GET, request } = createRequests(root, headers, { ...options, describe: new Describe(apiKey) });
  const collections = createCollections(request);
  return {
    ...collections,
    contactImports: {
      ...collections.contactImports,
      waitUntilEnded: (id, options = {}) => new Call(() => waitUntilEnded(request, id, options)),
    },
    GET,
  };
}

// JavaScript may pass any value. No message repeats a value, because any of them may be the key, even the URL.

/** @returns a hint if an option is given as undefined, like a property of a promise. */
const hint = (options: ClientOptions, name: keyof ClientOptions): string =>
  name in options && options[name] === undefined ? ' It is undefined: is an `await` missing?' : '';

/** @returns the URL without a blank around it, and absolute: in a browser, it may be relative. */
function rootOf(baseUrl: unknown, undefinedHint: string): string {
  const url = typeof baseUrl === 'string' && baseUrl !== '' ? parsed(baseUrl) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      `baseUrl must be an http: or https: URL such as https://api.example.com; or set ROLLCALL_BASE_URL.${undefinedHint}`,
    );
  }
  if (url.username + url.password + url.search + url.hash !== '') {
    throw new TypeError('baseUrl must have neither a user name, a password, a query nor a fragment.');
  }
  return url.origin + url.pathname;
}

function checkKey(apiKey: unknown, undefinedHint: string): asserts apiKey is string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError(
      `apiKey must be a string of printable ASCII without spaces, not the … of an example; or set ROLLCALL_API_KEY.${undefinedHint}`,
    );
  }
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text, pageUrl());
  } catch {
    return undefined;
  }
}
