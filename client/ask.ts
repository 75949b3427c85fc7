/** One request of a named operation: it ends with JSON that the server sent, or with an error. */
import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import type { Describe } from './describe.ts';
import { ApiError, NetworkError, isProblem } from './errors.ts';
import { checkLimits } from './fetch.ts';
import type { CallOptions, Received } from './fetch.ts';
import { headersOf } from './headers.ts';

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
