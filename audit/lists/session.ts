/** The session of an audit: sends, bounds and counts GET requests to one origin, and hides what is secret in them. */
import { setTimeout } from 'node:timers/promises';
import { retryAfterSeconds } from '../../contract/retry-after.ts';
import { counted } from '../../contract/wording.ts';
import { NoResponse, TooSlow, createClient } from '../conform/client.ts';
import type { HttpResponse } from '../conform/client.ts';
import { Untestable } from '../conform/session.ts';
import type { Clock } from '../conform/session.ts';
import { copiesOf } from '../report/copies.ts';
import { withoutUser } from './profile.ts';
import type { Given } from './profile.ts';
import { decoded, isSecretName, paramsOf, queryOf, resolve } from './target.ts';

/** The requests or the time are used up. */
export class Exhausted extends Untestable {}

/** The bounds of an audit. */
export interface Bounds {
  /** The maximum number of requests. */
  readonly requests: number;
  /** The maximum number of requests in a second; no limit if undefined. */
  readonly perSecond?: number | undefined;
  /** How long a request, and the whole audit, may take, in milliseconds. */
  readonly requestMs: number;
  readonly runMs: number;
}

/** @returns the usual bounds: on loopback the server is the user's own. */
export const boundsOf = (url: string): Bounds =>
  isLoopback(url) ? { ...TIMES, requests: 1000 } : { ...TIMES, requests: 300, perSecond: 5 };
const TIMES = { requestMs: 10_000, runMs: 600_000 };

export const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname) || new URL(url).hostname.endsWith('.localhost');

/** A response, or the reason why there is none. */
export interface Answer {
  /** The target of the request. */
  readonly target: string;
  /** The request in one line, without secrets. */
  readonly request: string;
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** The body, if it is JSON. */
  readonly body: unknown;
  /** Why there is no response. */
  readonly failure: string | undefined;
}

/** Whose key a request has: that of the list, that of the other account, or none. */
export type Who = 'user' | 'other' | 'nobody';

export interface Session {
  readonly origin: string;
  readonly sent: number;
  /** How many requests are left. */
  readonly left: number;
  /** Whether requests have a key: a header that is not one of content negotiation, or a user. */
  readonly hasKey: boolean;
  /** What no link may hold: keys and passwords, but not the name of a user, which may stand in a path. */
  readonly secrets: readonly string[];
  /** Shows the values of a parameter from now on, whatever its name is: it belongs to the pagination. */
  readonly own: (param: string) => void;
  /**
   * Redirects to the same origin, such as to a trailing slash, are followed.
   * @throws Exhausted if the bounds are reached, Untestable if the server is gone.
   */
  readonly get: (target: string, who?: Who) => Promise<Answer>;
  /** @returns a text without secrets, cut to a readable length. */
  readonly redact: (text: string) => string;
  readonly close: () => void;
}

// A shorter text may stand in a link by chance.
const MIN_SECRET = 8;
const MAX_UNAVAILABLE = 3;
const MAX_REDIRECTS = 3;
const MAX_UNRESPONSIVE = 3;
const MAX_WAIT_MS = 120_000;
// Headers that say what a client wants or is, not who it is.
const PLAIN = /^(accept(-.*)?|user-agent|content-type|x-requested-with|prefer|.*version.*)$/i;
const NOTES: Readonly<Record<Who, string>> = {
  user: '',
  other: ' (as the other account)',
  nobody: ' (without the key)',
};
const CLOCK: Clock = { now: () => performance.now(), pause: setTimeout };

/**
 * @param trace called with every request in one line before it is sent.
 */
export function openSession(
  { url, headers = {}, auth, params = {}, other }: Given,
  bounds: Bounds,
  trace: (request: string) => void = () => undefined,
  { now, pause }: Clock = CLOCK,
): Session {
  const { origin, username, password } = new URL(url);
  const user = auth ?? (username === '' ? undefined : `${decoded(username)}:${decoded(password)}`);
  const given = Object.entries(headers);
  const keyed = given.filter(([name]) => !PLAIN.test(name));
  const plain = given.filter(([name]) => PLAIN.test(name));
  const others = Object.entries(other?.headers ?? {});
  const isOther = (name: string): boolean => others.some(([it]) => it.toLowerCase() === name.toLowerCase());
  if (user !== undefined) keyed.push(['authorization', `Basic ${Buffer.from(user).toString('base64')}`]);
  const inQuery = [...paramsOf(url), ...Object.entries(params)].filter(([name]) => isSecretName(name));
  const [, name = '', ownPassword = ''] = /^([^:]*):?(.*)$/s.exec(user ?? '') ?? [];
  const secrets = [...[...keyed, ...others].flatMap(([header, value]) => secretsIn(header, value)), ownPassword].filter(
    (it) => it.length >= MIN_SECRET,
  );
  const hidden = [...secrets, ownPassword, name, ...inQuery.map(([, value]) => value)].filter((it) => it.length > 2);
  const forms = hidden.flatMap(copiesOf).map((it) => new RegExp(it.replaceAll(/[^\w ]/g, '\\$&'), 'gi'));
  const client = createClient(origin);
  const own = new Set<string>();
  const deadline = now() + bounds.runMs;
  let [sent, unresponsive, next, windowEnd] = [0, 0, 0, 0];

  const redact = (text: string): string =>
    redacted(
      withoutKeys(text, (it) => own.has(it)),
      forms,
    );
  const endOfTime = (): Exhausted =>
    new Exhausted(`The audit did not end within ${String(bounds.runMs / 1000)} s (--timeout).`);
  const maxWait = (): number => Math.min(MAX_WAIT_MS, deadline - now() - 1);
  const pace = async (): Promise<void> => {
    const at = Math.max(next, windowEnd);
    const ms = at - now();
    if (bounds.perSecond !== undefined) next = Math.max(next, now()) + 1000 / bounds.perSecond;
    if (windowEnd - now() > maxWait())
      throw new Exhausted(
        `The rate limit of the server allows no requests for ${String(Math.ceil((windowEnd - now()) / 1000))} s.`,
      );
    if (ms > 0) await pause(ms);
  };
  const readPace = ({ headers: received }: HttpResponse): void => {
    const value = (name: string): string | undefined =>
      received.get(`ratelimit-${name}`) ?? received.get(`x-ratelimit-${name}`);
    const reset = Number(value('reset') ?? 0);
    const seconds = reset > 1e9 ? reset - Date.now() / 1000 : reset; // An instant, or a duration.
    windowEnd = value('remaining') === '0' && seconds > 0 ? now() + seconds * 1000 : 0;
  };
  const sendOnce = async (target: string, line: string, who: Who): Promise<HttpResponse | string> => {
    if (sent >= bounds.requests)
      throw new Exhausted(`The audit requires more than ${counted(bounds.requests, 'requests')} (--max-requests).`);
    await pace();
    const leftMs = deadline - now();
    if (leftMs <= 0) throw endOfTime();
    trace(line);
    sent += 1;
    const keys = { user: keyed, other: [...keyed.filter(([it]) => !isOther(it)), ...others], nobody: [] };
    const all = [...plain, ...keys[who]];
    try {
      const wire = { method: 'GET', path: target, headers: { accept: 'application/json', ...Object.fromEntries(all) } };
      const response = await client.send(wire, Math.min(bounds.requestMs, leftMs));
      readPace(response);
      return response;
    } catch (error) {
      if (error instanceof TooSlow && leftMs < bounds.requestMs) throw endOfTime();
      if (error instanceof NoResponse) return error.message;
      throw error;
    }
  };

  return {
    origin,
    get sent() {
      return sent;
    },
    get left() {
      return bounds.requests - sent;
    },
    hasKey: keyed.length > 0,
    secrets,
    redact,
    own: (param) => own.add(param),
    close: client.close,
    get: async (asked, who = 'user') => {
      let target = asked;
      for (let [unavailable, redirects] = [0, 0]; ;) {
        const request = `GET ${redact(target)}${NOTES[who]}`;
        const response = await sendOnce(target, request, who);
        if (typeof response === 'string') {
          unresponsive += 1;
          const isGone =
            unresponsive > MAX_UNRESPONSIVE && typeof (await sendOnce(firstTarget(url), request, 'user')) === 'string';
          if (isGone) throw new Untestable(`The server no longer responds: ${request}: ${response}.`);
          return { target, request, status: 0, headers: new Map(), text: '', body: undefined, failure: response };
        }
        unresponsive = 0;
        const { status, headers: received, text } = response;
        const location = status >= 301 && status <= 308 ? received.get('location') : undefined;
        const to = location === undefined ? undefined : resolve(location, target, origin);
        if (to !== undefined && to.origin === undefined && redirects < MAX_REDIRECTS) {
          redirects += 1;
          ({ target } = to);
          continue;
        }
        const isTemporary = status === 429 || (status === 503 && unavailable < MAX_UNAVAILABLE);
        if (!isTemporary)
          return { target, request, status, headers: received, text, body: json(text), failure: undefined };
        if (status === 503) unavailable += 1;
        const seconds = retryAfterSeconds(received.get('retry-after')) ?? 1;
        if (seconds * 1000 > maxWait())
          throw new Exhausted(`${request} returned ${String(status)}, retry after ${String(seconds)} s.`);
        await pause(seconds * 1000);
      }
    },
  };
}

/** @returns the path and the query of a URL, as they stand in it. */
export function firstTarget(url: string): string {
  const query = queryOf(withoutUser(url));
  return `${new URL(url).pathname}${query === '' ? '' : `?${query}`}`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @returns the secrets in the value of a header: all of it but the scheme, and each value of a cookie. */
function secretsIn(header: string, value: string): readonly string[] {
  const cookies = header.toLowerCase() === 'cookie' ? [...value.matchAll(/=([^;]*)/g)].map(([, it = '']) => it) : [];
  return [value.replace(/^\w+ /, ''), ...cookies];
}

/** @returns a text without the values of parameters that are named like keys. */
const withoutKeys = (text: string, isOwn: (name: string) => boolean): string =>
  text.replaceAll(/([?&])([^=&?#\s]+)=([^&#\s"'<>]+)/g, (pair, mark: string, name: string) =>
    isSecretName(decoded(name)) && !isOwn(decoded(name)) ? `${mark}${name}=…` : pair,
  );

const MAX_LENGTH = 300;

function redacted(text: string, secrets: readonly RegExp[]): string {
  const hidden = secrets.reduce((it, secret) => it.replaceAll(secret, '…'), text);
  return hidden.length > MAX_LENGTH ? `${hidden.slice(0, MAX_LENGTH)}… (${String(hidden.length)} characters)` : hidden;
}
