/** The origin that is requested: what a server, a document or an id says never decides it. */

/** Whether a URL leads to this machine. */
export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname) || new URL(url).hostname.endsWith('.localhost');

/**
 * Whether a request leads to an origin, whoever has made its path.
 * @param base the address that the path follows, without a trailing slash.
 */
export const leadsTo = (origin: string, base: string, path: string): boolean =>
  path.startsWith('/') && URL.canParse(base + path) && new URL(base + path).origin === origin;

/** @returns a component of a URL; the text as it is if it has a broken escape. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
