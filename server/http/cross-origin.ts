/** Cross-origin use (CORS): which sites' scripts may call the API and read its answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';

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
const PREFLIGHT_SECONDS = 600;

/**
 * @param origins such as `https://app.example`, or `*` for all.
 * @param allow the methods of every path.
 * @returns what sets the headers of an answer, and says whether the request is a preflight, which wants nothing else.
 */
export function createCrossOrigin(
  origins: readonly string[],
  allow: string,
): (req: IncomingMessage, res: ServerResponse) => boolean {
  const allowed = new Set(origins);
  const isAny = allowed.has(ANY_ORIGIN);
  return ({ method, headers }, res) => {
    if (!isAny) res.setHeader('Vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !(isAny || allowed.has(origin))) return false;
    res.setHeader('Access-Control-Allow-Origin', isAny ? ANY_ORIGIN : origin);
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) {
      res.setHeader('Access-Control-Expose-Headers', EXPOSED_HEADERS);
      return false;
    }
    res.setHeader('Access-Control-Allow-Methods', allow);
    res.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    res.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    return true;
  };
}
