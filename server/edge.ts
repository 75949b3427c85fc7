/** What every request gets before anything looks at it: an id, and a request target in one form. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Schema } from './spec.ts';

const REQUEST_ID = 'X-Request-Id';

/**
 * Names the request in `X-Request-Id`: as the caller does, if that fits the header's schema, or anew.
 */
export function identify({ pattern, maxLength }: Schema): RequestHandler {
  const allowed = new RegExp(pattern ?? '');
  return (req, res, next) => {
    const given = req.get(REQUEST_ID) ?? '';
    res.set(REQUEST_ID, allowed.test(given) && given.length <= (maxLength ?? 0) ? given : randomUUID());
    next();
  };
}

/**
 * Brings the request target into the form `/path?query`, so that router and validator see the same path:
 * `http://host/path` loses its authority, several leading slashes count as one (clients join base URLs carelessly), and
 * a path that is not valid percent-encoding is taken as it stands.
 */
export const normalizeTarget: RequestHandler = (req, _res, next) => {
  const [, path = '', query = ''] = /^(?:[a-z]+:\/\/[^/?]*)?([^?]*)(.*)$/is.exec(req.url) ?? [];
  req.url = `/${decodable(path).replace(/^\/+/, '')}${query}`;
  next();
};

function decodable(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}

/** Makes a GET of what is one in effect, and drops the headers that must not matter. */
export const asPlainGet: RequestHandler = (req, _res, next) => {
  // The validator does not know HEAD. Node has already noted that it is not to be sent a body.
  req.method = 'GET';
  // The validator keeps a cache by it, without bound.
  delete req.headers['content-type'];
  // Express takes `no-cache` as a wish not to be told 304; RFC 9110 does not.
  delete req.headers['cache-control'];
  next();
};
