/** The typed client of the Rollcall listing API. */
import createFetchClient from 'openapi-fetch';
import type { Client } from 'openapi-fetch';
import type { components, operations, paths } from '../generated/openapi.ts';

export type { components, operations, paths };

export interface ClientOptions {
  /** Where the API is, such as `https://api.example.com`; a path and a trailing slash are fine. */
  readonly baseUrl: string;
  /** The key of the account to read. */
  readonly apiKey: string;
  /** What to send requests with, instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * @returns the openapi-fetch client of the API: `GET(path, { params })` answers `{ data, error, response }`, all typed from
 *   the contract. It throws only what `fetch` throws.
 */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): Client<paths> {
  return createFetchClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${apiKey}` },
    ...(fetch === undefined ? {} : { fetch }),
  });
}
