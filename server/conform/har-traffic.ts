/** Selects the captured exchanges of the API that can be checked, and finds the base URL, account and operation of each. */
import { createHash } from 'node:crypto';
import type { Contract, Operation } from '../contract/document.ts';
import { opaque } from './client.ts';
import type { HarEntry } from './har.ts';
import type { Exchange } from './session.ts';

/** An exchange of the API that can be checked. */
export interface Captured {
  readonly entry: HarEntry;
  /** The response that the server sent. */
  readonly exchange: Exchange;
  /** The response that the client got: for a 304, the cached one, if the file has it. Otherwise the same object as `exchange`. */
  readonly received: Exchange;
  readonly operation: Operation;
  /** The base URL that it is below. */
  readonly base: string;
  /** Different for each account; the key of the account cannot be derived from it. */
  readonly account: string;
  readonly query: URLSearchParams;
}

export interface Traffic {
  readonly captured: readonly Captured[];
  readonly bases: readonly string[];
  /** How many exchanges are not checked, by the reason, which follows the number: `3 of other paths`. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** How many of the checked ones show no key: they count as one account. */
  readonly withoutKey: number;
}

interface Located {
  readonly entry: HarEntry;
  readonly url: URL;
  readonly operation: Operation;
  readonly base: string;
  /** The body as JSON; `undefined` if it is not JSON, or if the status has none. */
  readonly body: unknown;
}

/**
 * @param entries in the order of time.
 * @param only the base URL of the API. Without it, it is any below which a path of the contract responded with a JSON object.
 */
export function selectTraffic(contract: Contract, entries: readonly HarEntry[], only?: string): Traffic {
  const leftOut = new Map<string, number>();
  const leave = (reason: string): void => void leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1);
  const locate = locatorOf(contract, only);
  const located: Located[] = [];
  const unlocated: unknown[] = [];
  for (const entry of entries) {
    const found = locate(entry);
    if (found === undefined) unlocated.push(entry);
    else located.push(found);
  }
  const isApi = (it: Located): boolean => typeof it.body === 'object';
  const bases = new Set(only === undefined ? located.filter(isApi).map((it) => it.base) : located.map((it) => it.base));

  const captured: Captured[] = [];
  for (const it of located) {
    const reason = bases.has(it.base) ? reasonToLeaveOut(it) : OTHER_PATHS;
    if (reason === undefined) captured.push(capture(it));
    else leave(reason);
  }
  if (unlocated.length > 0) leftOut.set(OTHER_PATHS, (leftOut.get(OTHER_PATHS) ?? 0) + unlocated.length);
  const withoutKey = captured.filter((it) => it.account === UNKNOWN_ACCOUNT && it.exchange.status !== 401).length;
  return { captured, bases: [...bases].sort(), leftOut, withoutKey };
}

const OTHER_PATHS = 'of other paths';

/** @returns a function that finds the operation of an exchange: the end of its path is that of the contract. */
function locatorOf({ operations }: Contract, only?: string): (entry: HarEntry) => Located | undefined {
  const patterns = operations.map((operation) => {
    const path = operation.path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+');
    return { operation, pattern: new RegExp(`^(.*?)${path}$`, 's') };
  });
  const baseOf = (url: URL, prefix = url.pathname): string => url.origin + prefix.replace(/\/+$/, '');
  const wanted = only === undefined ? undefined : baseOf(new URL(only));
  return (entry) => {
    const url = URL.canParse(entry.url) ? new URL(entry.url) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
    const found = patterns
      .flatMap(({ operation, pattern }) => {
        const prefix = pattern.exec(url.pathname)?.[1];
        return prefix === undefined ? [] : [{ entry, url, operation, base: baseOf(url, prefix) }];
      })
      .filter((it) => wanted === undefined || it.base === wanted);
    // Of several, the one with the longest path of the contract.
    const [longest] = found.sort((a, b) => a.base.length - b.base.length);
    return longest && { ...longest, body: bodyOf(entry) };
  };
}

const MAX_DEPTH = 100;
const NO_BODY = [204, 304];

/** @returns why an exchange cannot be checked, as a phrase that follows a number; `undefined` if it can. */
function reasonToLeaveOut({ entry, url, operation, body }: Located): string | undefined {
  const { method, status, headers, text, size } = entry;
  if (method === 'OPTIONS') return 'OPTIONS';
  if (method !== 'GET') return 'of methods other than GET';
  if (status <= 0 || entry.isAborted) return 'without a response';
  if (entry.isOfBrowser) return "from the browser's cache or a service worker";
  if (headers.size === 0) return 'with the headers left out';
  if (isUpgrade(url, headers.get('location'))) return 'redirected to https';
  if (isDeep(body)) return `with a body of more than ${String(MAX_DEPTH)} levels`;
  if (NO_BODY.includes(status)) return undefined;
  const isExpected = operation.responses.get(status)?.content !== undefined;
  const isEmpty = text === undefined || text === '';
  const isSentEmpty = headers.get('content-length') === '0' || (text === '' && (size ?? 0) === 0);
  if (isExpected && isEmpty && !isSentEmpty) return 'with the body left out';
  if (text === undefined) return undefined;
  return body === undefined && size !== undefined && Buffer.byteLength(text) < size ? 'with the body cut' : undefined;
}

/** Whether a response sends a browser to the same URL by https: a proxy, or the browser itself, does that. */
function isUpgrade(from: URL, location = ''): boolean {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  return (
    from.protocol === 'http:' &&
    to?.protocol === 'https:' &&
    to.hostname === from.hostname &&
    to.pathname === from.pathname
  );
}

/** @returns the body as JSON; `undefined` if it is not JSON. */
function bodyOf({ text = '' }: HarEntry): unknown {
  try {
    const body: unknown = JSON.parse(text);
    return body ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value nests too deeply for functions that call themselves. */
function isDeep(body: unknown): boolean {
  let level = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const it of Object.values(value)) if (typeof it === 'object' && it !== null) next.push(it);
    }
    level = next;
  }
  return false;
}

const UNKNOWN_ACCOUNT = 'unknown';
// Placeholders that tools write instead of a key.
const REDACTED = /^(\W*(redacted|hidden|removed|masked|filtered|sanitized|secret)\W*|.*\*\*.*|x+|<.*>|\[.*\])$/i;

function accountOf({ requestHeaders }: HarEntry): string {
  const [, key] = /^bearer +(\S+)$/i.exec(requestHeaders.get('authorization') ?? '') ?? [];
  if (key === undefined || REDACTED.test(key)) return UNKNOWN_ACCOUNT;
  return createHash('sha256').update(key).digest('hex');
}

function capture({ entry, url, operation, base, body }: Located): Captured {
  const { status, headers, method, isUtf8, text = '' } = entry;
  const account = accountOf(entry);
  const path = url.pathname.slice(new URL(base).pathname.replace(/\/+$/, '').length).replace(/^\/+/, '/');
  const received: Exchange = {
    ...{ status, headers, method, isUtf8, text, body, mentions: [] },
    source: { key: account, path: entry.url, requestId: entry.requestHeaders.get('x-request-id') },
    request: `${method} ${path}${shownQuery(url, operation)} (${entry.place})`,
  };
  const sent = isRevalidated(entry) ? 304 : status;
  const exchange = NO_BODY.includes(sent) ? { ...received, status: sent, text: '', body: undefined } : received;
  const cached = text === '' ? exchange : { ...received, status: 200 };
  return {
    ...{ entry, exchange, operation, base, account, query: url.searchParams },
    received: sent === 304 ? cached : exchange,
  };
}

/** Whether a browser shows a 304 as its cached 200: no body bytes were received, and the tag is one of the request. */
function isRevalidated({ status, requestHeaders, headers, isBodyReceived, text = '' }: HarEntry): boolean {
  const [etag, tags] = [opaque(headers.get('etag')), requestHeaders.get('if-none-match') ?? ''];
  return status === 200 && !isBodyReceived && text !== '' && etag !== '' && tags.includes(etag);
}

/** @returns a query with the values of the parameters that the operation has; those of others may be secret. */
function shownQuery({ searchParams }: URL, { parameters }: Operation): string {
  const known = new Set(parameters.filter((it) => it.in === 'query').map((it) => it.name));
  const pairs = [...searchParams].map(([name, value]) => `${name}=${known.has(name) ? value : '…'}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
