/** One request of a named operation: it ends with JSON that the server sent, or with an error. */
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { ApiError, NetworkError } from './errors.ts';
import type { Fetch } from './fetch.ts';

export interface Params {
  readonly path?: Record<string, string>;
  readonly query?: Record<string, unknown>;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** The tag of an answer that is known already. */
  readonly etag?: string | undefined;
}

export interface Answer {
  /** The path of the contract. */
  readonly path: string;
  /** Parsed JSON, not checked yet. `undefined` if the answer with the `etag` is still the same. */
  readonly body: unknown;
  readonly response: Response;
}

/** Asks for a path of the contract. Rejects with an ApiError, a NetworkError, and like a Fetch. */
export type Ask = (path: string, params: Params, options: AskOptions) => Promise<Answer>;

/**
 * @param baseUrl has no slash at its end.
 * @param headers go with every request.
 */
export function createAsk(baseUrl: string, headers: Readonly<Record<string, string>>, send: Fetch): Ask {
  const serializers = { pathSerializer: defaultPathSerializer, querySerializer: createQuerySerializer() };
  return async (path, params, { signal, etag }) => {
    const url = createFinalURL(path, { baseUrl, params, ...serializers });
    const response = await send(url, {
      method: 'GET',
      headers: etag === undefined ? { ...headers } : { ...headers, 'If-None-Match': etag },
      signal: signal ?? null,
    });
    if (response.status === 304 && etag !== undefined) return { path, body: undefined, response };

    const body: unknown = await response.json().catch((cause: unknown) => {
      if (response.ok) throw new NetworkError('The answer is not JSON.', { cause });
    });
    if (!response.ok) throw new ApiError(response, body);
    return { path, body, response };
  };
}
