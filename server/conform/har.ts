/** Reads HAR 1.2: captured traffic as browsers, Playwright, mitmproxy and Charles write it. Every value in a file is validated. */
import { Buffer, isUtf8 } from 'node:buffer';

/** The file is not HAR. The message is a clause that names the place; it has no text of the file. */
export class HarError extends Error {
  override readonly name = 'HarError';
}

/** A request and its response. */
export interface HarEntry {
  /** Its place in the file, such as `log.entries[3]`. */
  readonly place: string;
  /** When it started and ended, in milliseconds since 1970. The end is infinite if its duration is not known. */
  readonly start: number;
  readonly end: number;
  readonly method: string;
  readonly url: string;
  /** By lower-case name; a header that was sent more than once has its values joined by commas. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The decoded body; `undefined` if it was left out. */
  readonly text: string | undefined;
  readonly isUtf8: boolean;
  /** The number of bytes that the body had; `undefined` if it is not known. */
  readonly size: number | undefined;
  /** Whether bytes of a body were received, as far as it is known. */
  readonly isBodyReceived: boolean;
  /** Whether it was aborted, or the response came from the browser itself: from its cache or a service worker. */
  readonly isAborted: boolean;
  readonly isOfBrowser: boolean;
}

export interface Har {
  readonly entries: readonly HarEntry[];
  /** Texts that must not be printed: keys, cookies and passwords. */
  readonly secrets: ReadonlySet<string>;
}

/** @throws HarError */
export function parseHar(text: string): Har {
  const { log } = objectAt(parseJson(text), 'the file');
  const { entries } = objectAt(log, 'log');
  const secrets = new Set<string>();
  return {
    secrets,
    entries: arrayAt(entries, 'log.entries').map((it, at) => entryOf(it, `log.entries[${String(at)}]`, secrets)),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text);
  } catch (error) {
    // The message of the parser quotes the file, which has keys.
    const place = / at position \d+(?: \(line \d+ column \d+\))?/.exec(String(error))?.[0] ?? '';
    throw new HarError(`it is not JSON${place}`);
  }
}

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fail(place: string, what: string): never {
  throw new HarError(`${place} must be ${what}`);
}
const objectAt = (value: unknown, place: string): Members => (isObject(value) ? value : fail(place, 'an object'));
const arrayAt = (value: unknown, place: string): readonly unknown[] =>
  Array.isArray(value) ? value : fail(place, 'an array');
const stringAt = (value: unknown, place: string): string =>
  typeof value === 'string' ? value : fail(place, 'a string');

function headersAt(value: unknown, place: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [at, it] of arrayAt(value, place).entries()) {
    const header = objectAt(it, `${place}[${String(at)}]`);
    const name = stringAt(header['name'], `${place}[${String(at)}].name`).toLowerCase();
    // Chrome has the values of a repeated header on lines of one text.
    const content = stringAt(header['value'], `${place}[${String(at)}].value`).replaceAll('\n', ', ');
    const before = headers.get(name);
    if (!name.startsWith(':')) headers.set(name, before === undefined ? content : `${before}, ${content}`);
  }
  return headers;
}

function entryOf(value: unknown, place: string, secrets: Set<string>): HarEntry {
  const entry = objectAt(value, place);
  const request = objectAt(entry['request'], `${place}.request`);
  const response = objectAt(entry['response'], `${place}.response`);
  const content = objectAt(response['content'] ?? {}, `${place}.response.content`);
  const start = instantAt(entry['startedDateTime'], `${place}.startedDateTime`);
  const { time } = entry;
  const status = response['status'];
  if (typeof status !== 'number' || !Number.isInteger(status)) fail(`${place}.response.status`, 'a whole number');
  const url = stringAt(request['url'], `${place}.request.url`);
  const requestHeaders = headersAt(request['headers'], `${place}.request.headers`);
  const headers = headersAt(response['headers'], `${place}.response.headers`);
  collectSecrets(url, [requestHeaders, headers], [request['cookies'], response['cookies']], secrets);
  return {
    ...{ place, start, end: typeof time === 'number' && time >= 0 ? start + time : Infinity },
    ...{ method: stringAt(request['method'], `${place}.request.method`), url, requestHeaders, status, headers },
    ...bodyAt(content, `${place}.response.content`),
    isBodyReceived: response['bodySize'] !== 0,
    isAborted: isSet(response['_error']) || isSet(response['_failureText']) || isSet(entry['_failureText']),
    isOfBrowser: isSet(entry['_fromCache']) || isSet(response['_fetchedViaServiceWorker']),
  };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== '';

/** @returns milliseconds since 1970, with their fraction, which `Date` drops. */
function instantAt(value: unknown, place: string): number {
  const text = stringAt(value, place);
  const ms = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) fail(place, 'an instant such as 2026-04-16T13:49:40.678Z');
  const micros = /\.\d{3}(\d+)/.exec(text)?.[1] ?? '';
  return ms + Number(`0.${micros}0`);
}

function bodyAt(content: Members, place: string): Pick<HarEntry, 'text' | 'isUtf8' | 'size'> {
  const { text: written, encoding, size: bytes } = content;
  const size = typeof bytes === 'number' && bytes >= 0 ? bytes : undefined;
  if (written === undefined || written === null) return { text: undefined, isUtf8: true, size };
  const text = stringAt(written, `${place}.text`);
  if (!isSet(encoding)) return { text, isUtf8: true, size };
  if (stringAt(encoding, `${place}.encoding`).toLowerCase() !== 'base64') fail(`${place}.encoding`, 'base64');
  const plain = text.replaceAll(/\s+/g, '');
  if (/[^A-Za-z0-9+/=_-]/.test(plain)) fail(`${place}.text`, 'base64');
  const decoded = Buffer.from(plain, 'base64');
  return { text: decoded.toString(), isUtf8: isUtf8(decoded), size };
}

// Not secret, and part of other texts, such as the name of the host.
const COOKIE_ATTRIBUTE =
  /^\s*(domain|path|expires|max-age|samesite|secure|httponly|partitioned|\d\d[ -]\w{3}[ -]\d{4} )/i;
const SECRET_NAME = /auth|key|token|secret|password|session|signature|credential/i;

function collectSecrets(
  url: string,
  headers: readonly ReadonlyMap<string, string>[],
  cookies: readonly unknown[],
  secrets: Set<string>,
): void {
  for (const [name, value] of headers.flatMap((it) => [...it])) {
    if (name === 'cookie' || name === 'set-cookie') {
      secrets.add(value);
      const parts = value.split(/[;,]/).filter((it) => !COOKIE_ATTRIBUTE.test(it));
      for (const it of parts) secrets.add(it.slice(it.indexOf('=') + 1).trim());
    } else if (name !== 'www-authenticate' && name !== 'access-control-allow-headers' && SECRET_NAME.test(name)) {
      const [, scheme = '', rest = value] = /^([\w-]+) +(\S.*)$/.exec(value) ?? [];
      secrets.add(rest);
      if (scheme.toLowerCase() !== 'basic') continue;
      for (const it of Buffer.from(rest, 'base64').toString().split(':')) secrets.add(it);
    }
  }
  for (const it of cookies.flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : [])))
    if (isObject(it) && typeof it['value'] === 'string') secrets.add(it['value']);
  if (!URL.canParse(url)) return;
  const { username, password, searchParams } = new URL(url);
  for (const it of [username, password]) secrets.add(decodeSafely(it));
  for (const [name, value] of searchParams) if (SECRET_NAME.test(name)) secrets.add(value);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// A shorter secret may be a word of any text. It is hidden where it follows its scheme.
const MIN_SECRET = 8;
const MAX_LENGTH = 300;
const ANY_KEY = /rollcall_[0-9a-f]{30,40}/gi;

/** @returns a function that hides secrets in a text, in any usual escape, and then cuts the text to a readable length. */
export function redactorOf(secrets: ReadonlySet<string>): (text: string) => string {
  const all = [...secrets].filter((it) => it.length > 0);
  const forms = (it: string): readonly string[] => [
    it,
    encodeURIComponent(it.toWellFormed()),
    JSON.stringify(it).slice(1, -1),
  ];
  const long = [...new Set(all.filter((it) => it.length >= MIN_SECRET).flatMap(forms))].sort(
    (a, b) => b.length - a.length,
  );
  const short = all.filter((it) => it.length < MIN_SECRET);
  return (text) => {
    const hidden = short
      .reduce((it, secret) => it.replaceAll(`Bearer ${secret}`, 'Bearer <secret>'), text)
      .replaceAll(ANY_KEY, '<key>');
    const shown = long.reduce((it, secret) => it.replaceAll(secret, '<secret>'), hidden);
    return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}… (${String(shown.length)} characters)` : shown;
  };
}
