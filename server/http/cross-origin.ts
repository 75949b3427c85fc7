/** Cross-origin use (CORS): which sites' scripts may call the API and read its answers. */
import type { IncomingMessage } from 'node:http';

/** The origin that stands for all. */
export const ANY_ORIGIN = '*';

/** @returns whether a text is an origin as browsers write it: scheme, host and port alone; or the one that stands for all. */
export const isOrigin = (text: string): boolean =>
  text === ANY_ORIGIN || (URL.canParse(text) && new URL(text).origin === text);

// What the API reads of a request, and `Content-Type`, which some clients send regardless.
const REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, X-Request-Id';
const EXPOSED_HEADERS =
  'ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy';
// Chrome's maximum is two hours; a change of the settings is seen sooner.
const PREFLIGHT_SECONDS = '600';

type Request = Pick<IncomingMessage, 'method' | 'headers'>;

export interface CrossOrigin {
  /** The request headers that responses depend on, beside those of the contract. */
  readonly vary: readonly string[];
  /** Whether a request is a preflight of an allowed origin: it wants nothing but the headers of its response. */
  isPreflight(request: Request): boolean;
  /** @returns the headers of a response beside `Vary`; without a request, of one to what could not be read. */
  headersOf(request?: Request): Readonly<Record<string, string>>;
}

/**
 * @param allow the methods of every path, such as `GET, HEAD, OPTIONS`.
 * @param origins such as `https://app.example`, or `*` for all.
 * @returns what every response says of them; `undefined` if there are none, because then nothing is said.
 */
export function createCrossOrigin(allow: string, origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined;
  const isAny = origins.includes(ANY_ORIGIN);
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (isAny || origins.includes(origin));
  const isPreflight: CrossOrigin['isPreflight'] = ({ method, headers }) =>
    method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && isAllowed(headers.origin);
  const ofPreflight = {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
  const ofOthers = { 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
  return {
    vary: isAny ? [] : ['Origin'],
    isPreflight,
    headersOf: (request) => {
      const origin = request?.headers.origin;
      const more = request !== undefined && isPreflight(request) ? ofPreflight : ofOthers;
      if (isAny) return { 'Access-Control-Allow-Origin': ANY_ORIGIN, ...more };
      return isAllowed(origin) ? { 'Access-Control-Allow-Origin': origin, ...more } : {};
    },
  };
}
