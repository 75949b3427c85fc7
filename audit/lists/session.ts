/** The session of an audit: sends, bounds and counts GET requests to one origin, and hides what is secret in them. */
import { NoResponse } from '../session/client.ts';
import { createRedaction } from '../session/redact.ts';
import type { Redact } from '../session/redact.ts';
import { openSession as openAnySession } from '../session/session.ts';
import type { Bounds, Clock } from '../session/session.ts';
import { withoutUser } from './profile.ts';
import type { Given } from './profile.ts';
import { decoded, isPlainHeader, isSecretName, paramsOf, queryOf, resolve } from './target.ts';

/** @returns the usual bounds: on loopback the server is the user's own. */
export const boundsOf = (url: string): Bounds =>
  isLoopback(url) ? { ...TIMES, requests: 1000 } : { ...TIMES, requests: 300, perSecond: 5 };
const TIMES = { requestMs: 10_000, runMs: 600_000, waitMs: 120_000 };

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
  /** Whether the bytes of the text are UTF-8. */
  readonly isUtf8: boolean;
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
   * @throws Untestable if the bounds are reached, or the server is gone.
   */
  readonly get: (target: string, who?: Who) => Promise<Answer>;
  /** @returns a text without secrets, cut to a readable length. */
  readonly redact: Redact;
  readonly close: () => void;
}

// A shorter text may stand in a link by chance.
const MIN_SECRET = 8;
const MAX_REDIRECTS = 3;
// A server of another kind of JSON, such as application/vnd.api+json, may reject what does not allow it.
const ACCEPT = 'application/json, */*;q=0.1';
const NOTES: Readonly<Record<Who, string>> = {
  user: '',
  other: ' (as the other account)',
  nobody: ' (without the key)',
};

/**
 * @param trace called with every request in one line before it is sent.
 * @param seen called with every response that no redirect follows.
 */
export function openSession(
  { url, headers = {}, auth, params = {}, other }: Given,
  bounds: Bounds,
  trace?: (request: string) => void,
  clock?: Clock,
  seen?: (answer: Answer) => void,
): Session {
  const { origin, username, password } = new URL(url);
  const user = auth ?? (username === '' ? undefined : `${decoded(username)}:${decoded(password)}`);
  const given = Object.entries(headers);
  const keyed = given.filter(([name]) => !isPlainHeader(name));
  const plain = given.filter(([name]) => isPlainHeader(name));
  const others = Object.entries(other?.headers ?? {});
  const isOther = (name: string): boolean => others.some(([it]) => it.toLowerCase() === name.toLowerCase());
  if (user !== undefined) keyed.push(['authorization', `Basic ${Buffer.from(user).toString('base64')}`]);
  const inQuery = [...paramsOf(url), ...Object.entries(params)].filter(([name]) => isSecretName(name));
  const [, name = '', ownPassword = ''] = /^([^:]*):?(.*)$/s.exec(user ?? '') ?? [];
  const secrets = [...[...keyed, ...others].flatMap(([header, value]) => secretsIn(header, value)), ownPassword].filter(
    (it) => it.length >= MIN_SECRET,
  );
  const hidden = [...secrets, ownPassword, name, ...inQuery.map(([, value]) => value)].filter((it) => it.length > 2);
  const withoutSecrets = createRedaction(hidden.map((secret) => [secret, '…']));
  const session = openAnySession(origin, bounds, trace, clock);
  const own = new Set<string>();
  const redact = (text: string): string => withoutSecrets(withoutKeys(text, (param) => own.has(param)));
  const headersOf = (who: Who): Readonly<Record<string, string>> => {
    const keys = { user: keyed, other: [...keyed.filter(([it]) => !isOther(it)), ...others], nobody: [] };
    return { accept: ACCEPT, ...Object.fromEntries([...plain, ...keys[who]]) };
  };
  const answerTo = async (target: string, who: Who): Promise<Answer> => {
    const request = `GET ${redact(target)}${NOTES[who]}`;
    const outgoing = { method: 'GET', path: target, headers: headersOf(who), line: request, account: who };
    const none = {
      target,
      request,
      status: 0,
      headers: new Map(),
      text: '',
      isUtf8: true,
      body: undefined,
      failure: undefined,
    };
    try {
      return await session.send(outgoing, ({ status, headers: its, text, isUtf8, body }) => {
        return { ...none, status, headers: its, text, isUtf8, body };
      });
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      return { ...none, failure: error.message };
    }
  };

  return {
    origin,
    get sent() {
      return session.sent['GET'] ?? 0;
    },
    get left() {
      return session.left;
    },
    hasKey: keyed.length > 0,
    secrets,
    redact,
    own: (param) => own.add(param),
    close: session.close,
    get: async (asked, who = 'user') => {
      let target = asked;
      for (let redirects = 0; ; redirects += 1) {
        const answer = await answerTo(target, who);
        const { status, headers: received } = answer;
        const location = status >= 301 && status <= 308 ? received.get('location') : undefined;
        const to = location === undefined ? undefined : resolve(location, target, origin);
        if (to === undefined || to.origin !== undefined || redirects >= MAX_REDIRECTS) {
          seen?.(answer);
          return answer;
        }
        ({ target } = to);
      }
    },
  };
}

/** @returns the path and the query of a URL, as they stand in it. */
export function firstTarget(url: string): string {
  const query = queryOf(withoutUser(url));
  return `${new URL(url).pathname}${query === '' ? '' : `?${query}`}`;
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
