/** Cross-origin requests (CORS): which sites' scripts may call the API and read its responses. */
import type { IncomingMessage } from 'node:http';

/** The wildcard for all origins. */
export const ANY_ORIGIN = '*';

/** @returns whether a text is an origin as browsers write it (scheme, host and port alone), or the wildcard. */
export const isOrigin = (text: string): boolean =>
  text === ANY_ORIGIN || (URL.canParse(text) && new URL(text).origin === text);

// The headers that the API reads, and `Content-Type`, which some clients send anyway.
const REQUEST_HEADERS = 'Authorization, Content-Type, If-None-Match, X-Request-Id';
const EXPOSED_HEADERS =
  'ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy';
// Chrome's maximum is two hours. With a shorter time, a change of the settings takes effect sooner.
const PREFLIGHT_SECONDS = '600';

type Request = Pick<IncomingMessage, 'method' | 'headers'>;

export interface CrossOrigin {
  /** The request headers that responses depend on, besides those of the contract. */
  readonly vary: readonly string[];
  /** Whether a request is a preflight of an allowed origin. The response to a preflight needs only headers. */
  isPreflight(request: Request): boolean;
  /** @returns the headers of a response besides `Vary`. @param request `undefined` if the message could not be parsed. */
  headersOf(request?: Request): Readonly<Record<string, string>>;
}

/**
 * @param allow the methods of every path, such as `GET, HEAD, OPTIONS`.
 * @param origins such as `https://app.example`, or `*` for all.
 * @returns the CORS headers of every response; `undefined` without origins, because responses then have no CORS headers.
 */
export function createCrossOrigin(allow: string, origins: readonly string[]): CrossOrigin | undefined {
  if (origins.length === 0) return undefined;
  const isAny = origins.includes(ANY_ORIGIN);
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && (isAny || origins.includes(origin));
  const isPreflight: CrossOrigin['isPreflight'] = ({ method, headers }) =>
    method === 'OPTIONS' && headers['access-control-request-method'] !== undefined && isAllowed(headers.origin);
  const preflightHeaders = {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': REQUEST_HEADERS,
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  };
  const otherHeaders = { 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
  return {
    vary: isAny ? [] : ['Origin'],
    isPreflight,
    headersOf: (request) => {
      const origin = request?.headers.origin;
      const more = request !== undefined && isPreflight(request) ? preflightHeaders : otherHeaders;
      if (isAny) return { 'Access-Control-Allow-Origin': ANY_ORIGIN, ...more };
      return isAllowed(origin) ? { 'Access-Control-Allow-Origin': origin, ...more } : {};
    },
  };
}
