/** Brings a request into the one form that everything after it reads: before the router, the validator and the handlers. */
import type { IncomingMessage } from 'node:http';

/** Normalizes target, method and headers in place. */
export function normalizeRequest(req: IncomingMessage): void {
  req.url = normalizeTarget(req.url ?? '/');
  // The validator does not know HEAD. Node has noted already that the answer has no body.
  if (req.method === 'HEAD') req.method = 'GET';
  // The validator keeps a cache by it, without bound.
  delete req.headers['content-type'];
  // Express takes `no-cache` as a wish not to be told 304; RFC 9110 does not.
  delete req.headers['cache-control'];
}

/**
 * @param target a request target as it was sent, in whatever form.
 * @returns it as `/path?query`: without a fragment, scheme and authority; several leading slashes count as one, because
 *   clients join base URLs carelessly; a path that is not valid percent-encoding is taken as it stands.
 */
export function normalizeTarget(target: string): string {
  const [, path = '', query = ''] = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)(\?[^#]*)?/is.exec(target) ?? [];
  return `/${decodable(path).replace(/^\/+/, '')}${query}`;
}

function decodable(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path.replaceAll('%', '%25');
  }
}
