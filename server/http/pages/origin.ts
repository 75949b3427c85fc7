/** Where a caller has reached this server, as its request tells: what a client made from the served contract then asks. */
import type { IncomingMessage } from 'node:http';

/** What a proxy adds to a request, and the origin depends on. */
export const FORWARDED = ['X-Forwarded-Proto', 'X-Forwarded-Prefix'] as const;

// Anything else is from no honest client, and would be a sentence of a hostile one in our document.
const HOST = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;
const PREFIX = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]{1,64}){0,8}$/;

/** @returns such as `https://api.example.com/rollcall`; `/` unless all that a request says of it is plain. */
export function originOf({ headers: { host = '', ...headers } }: IncomingMessage): string {
  const [protocol = '', prefix = ''] = FORWARDED.map((name) => String(headers[name.toLowerCase()] ?? ''));
  const path = prefix.replace(/\/$/, '');
  if (!HOST.test(host) || !PREFIX.test(path)) return '/';
  // Of several proxies the first is the one that the caller has reached.
  const scheme = /^https *(?:,|$)/i.test(protocol) ? 'https' : 'http';
  return `${scheme}://${host}${path}`;
}
