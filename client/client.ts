/** The client: the collections of the contract by name, and openapi-fetch's GET. */
import { removeTrailingSlash } from 'openapi-fetch';
import type { components } from '../generated/openapi.ts';
import { createAsk } from './ask.ts';
import { createCollections } from './collections.ts';
import type { Collections } from './collections.ts';
import { createFetch } from './fetch.ts';
import type { Fetch, FetchOptions } from './fetch.ts';
import { createGet } from './get.ts';
import type { Get } from './get.ts';
import { waitUntilEnded } from './wait.ts';
import type { WaitOptions } from './wait.ts';

export type Automation = components['schemas']['Automation'];
export type ContactProperty = components['schemas']['ContactProperty'];
export type ContactImport = components['schemas']['ContactImport'];

export interface ClientOptions extends FetchOptions {
  /** Where the API is, such as `https://api.example.com`; a path and a trailing slash are fine. */
  readonly baseUrl: string;
  /** The key of the account to read. */
  readonly apiKey: string;
  /** What to send requests with. Default: the global `fetch`. */
  readonly fetch?: Fetch;
}

export interface RollcallClient extends Collections {
  readonly contactImports: Collections['contactImports'] & {
    /**
     * Asks for an import until it is `completed` or `failed`, with growing pauses, and cheaply while it does not change.
     * Rejects like `get`, and with a TimeoutError after `timeoutMs`.
     */
    waitUntilEnded(id: string, options?: WaitOptions): Promise<ContactImport>;
  };
  /**
   * openapi-fetch's own call, typed from the contract, with the time limits and retries of the client. It answers
   * `{ data, error, response }` instead of rejecting with an ApiError, rejects with a SyntaxError for an answer that is not
   * JSON, and does not check the body. A `fetch` of the call and its `middleware` are handed a real Request.
   */
  readonly GET: Get;
}

/**
 * Makes a client. Its calls reject with ApiError, NetworkError, TimeoutError, or the reason of an aborted signal, and with
 * nothing else; `GET` as it says.
 * @throws TypeError for a `baseUrl` that is no URL and an `apiKey` that cannot be sent.
 */
export function createClient({ baseUrl, apiKey, fetch = globalFetch, ...options }: ClientOptions): RollcallClient {
  checkOptions(baseUrl, apiKey);
  const root = removeTrailingSlash(baseUrl);
  const headers = { Authorization: `Bearer ${apiKey}` };
  const bound = (send: Fetch): Fetch => createFetch(send, options);
  const ask = createAsk(root, headers, bound(fetch));
  const collections = createCollections(ask);
  return {
    ...collections,
    contactImports: {
      ...collections.contactImports,
      waitUntilEnded: (id, options = {}) => waitUntilEnded(ask, id, options),
    },
    GET: createGet(root, headers, fetch, bound),
  };
}

// Looked up at each call, because tests and frameworks replace it.
const globalFetch: Fetch = (url, init) => globalThis.fetch(url, init);

/** JavaScript may give anything. No message repeats a value: it may be the key, even in the place of the URL. */
function checkOptions(baseUrl: unknown, apiKey: unknown): void {
  if (typeof baseUrl !== 'string' || !isUrl(baseUrl)) {
    throw new TypeError('baseUrl must be a string with a URL such as https://api.example.com.');
  }
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a string of printable ASCII without spaces.');
  }
}

function isUrl(text: string): boolean {
  try {
    // In a browser it may be relative.
    new URL(text, (globalThis as { location?: { href: string } }).location?.href);
    return true;
  } catch {
    return false;
  }
}
