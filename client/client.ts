/** The client: the operations by name, over the typed client of openapi-fetch. */
import createFetchClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { components, operations, paths } from '../generated/openapi.ts';
import { ApiError, NetworkError } from './errors.ts';
import { createFetch } from './fetch.ts';
import type { Fetch, FetchOptions } from './fetch.ts';
import { List } from './list.ts';
import type { Cursor, FetchPage, Page, WalkOptions } from './list.ts';
import { OutgoingRequest } from './outgoing-request.ts';
import { waitUntilEnded } from './wait.ts';
import type { FetchIfChanged, WaitOptions } from './wait.ts';

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

type Query<Op extends keyof operations> = NonNullable<operations[Op]['parameters']['query']>;
/** Filters of a list, and what a walk takes. */
export type ListOptions<Op extends keyof operations> = Omit<Query<Op>, keyof WalkOptions | keyof Cursor> &
  WalkOptions &
  Cursor;

export interface RollcallClient extends Pick<Client<paths>, 'GET'> {
  readonly automations: {
    /** The account's automations, newest first. */
    list(options?: ListOptions<'listAutomations'>): List<Automation>;
  };
  readonly contactProperties: {
    /** The account's contact properties, newest first. */
    list(options?: ListOptions<'listContactProperties'>): List<ContactProperty>;
  };
  readonly contactImports: {
    /** The account's contact imports, newest first. */
    list(options?: ListOptions<'listContactImports'>): List<ContactImport>;
    /** One contact import. Rejects with an ApiError `not_found` if there is none with this id. */
    get(id: string, options?: { readonly signal?: AbortSignal }): Promise<ContactImport>;
    /**
     * Asks for an import until it is `completed` or `failed`, with growing pauses, and cheaply while it does not change.
     * Rejects like `get`, and with a TimeoutError after `timeoutMs`.
     */
    waitUntilEnded(id: string, options?: WaitOptions): Promise<ContactImport>;
  };
}

/**
 * Makes a client. Its calls reject with ApiError, NetworkError, TimeoutError, or the reason of an aborted signal, and with
 * nothing else. `GET` is openapi-fetch's own, typed from the contract: it answers `{ data, error, response }` instead of
 * rejecting with an ApiError, and rejects with a SyntaxError for an answer that is not JSON.
 * @throws TypeError for a `baseUrl` that is no URL and an `apiKey` that cannot be sent.
 */
export function createClient({ baseUrl, apiKey, fetch, ...options }: ClientOptions): RollcallClient {
  checkOptions(baseUrl, apiKey);
  const send = createFetch(fetch ?? ((url, init) => globalThis.fetch(url, init)), options);
  const raw = createFetchClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    // openapi-fetch makes a request of its own kind, if it is given one, and hands it to `fetch`.
    Request: OutgoingRequest as unknown as typeof Request,
    fetch: (request) => {
      const { url, init } = request as unknown as OutgoingRequest;
      return send(url, init);
    },
  });

  return {
    GET: raw.GET,
    automations: { list: lister((query, init) => raw.GET('/automations', { params: { query }, ...init })) },
    contactProperties: {
      list: lister((query, init) => raw.GET('/contact-properties', { params: { query }, ...init })),
    },
    contactImports: {
      list: lister((query, init) => raw.GET('/contacts/imports', { params: { query }, ...init })),
      get: async (id, { signal } = {}) =>
        (await unwrap(raw.GET('/contacts/imports/{id}', { params: { path: { id } }, signal: signal ?? null }))).data,
      waitUntilEnded: (id, options = {}) =>
        waitUntilEnded((etag, signal) => getIfChanged(raw, id, etag, signal), options),
    },
  };
}

/** What openapi-fetch answers. */
interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @returns the data of an answer. Throws an ApiError where there is none. */
async function unwrap<T>(asking: Promise<Answer<T>>): Promise<{ readonly data: T; readonly response: Response }> {
  const { data, error, response } = await asking.catch((thrown: unknown) => {
    throw thrown instanceof SyntaxError ? new NetworkError('The answer is not JSON.', { cause: thrown }) : thrown;
  });
  if (data === undefined) throw new ApiError(response, error);
  return { data, response };
}

interface Init {
  readonly signal: AbortSignal | null;
}

/** @returns the `list` of a collection, from how one page of it is asked for. */
function lister<Item extends { readonly id: string }, Q extends object>(
  ask: (query: Q, init: Init) => Promise<Answer<Omit<Page<Item>, 'response'>>>,
): (options?: Omit<Q, keyof WalkOptions | keyof Cursor> & WalkOptions & Cursor) => List<Item> {
  return (options = {} as WalkOptions & Cursor & Q) => {
    const { limit: _limit, max: _max, signal = null, after: _after, before: _before, ...filter } = options;
    const fetchPage: FetchPage<Item> = async (cursor, limit) => {
      // The filter, the cursor and the limit are the query; openapi-fetch leaves out what is undefined.
      const { data, response } = await unwrap(ask({ ...filter, ...cursor, limit } as unknown as Q, { signal }));
      return { ...data, response };
    };
    return new List(fetchPage, options);
  };
}

async function getIfChanged(
  raw: Pick<Client<paths>, 'GET'>,
  id: string,
  etag: string | undefined,
  signal: AbortSignal,
): ReturnType<FetchIfChanged> {
  const headers = etag === undefined ? {} : { 'If-None-Match': etag };
  const asked = await raw.GET('/contacts/imports/{id}', { params: { path: { id } }, headers, signal });
  if (asked.response.status === 304) return { changed: undefined, etag };
  const { data, response } = await unwrap(Promise.resolve(asked));
  return { changed: data, etag: response.headers.get('etag') ?? undefined };
}

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
