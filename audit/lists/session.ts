/** The session of an audit: sends, bounds and counts the requests to one origin, and hides what is secret in them. */
import { NoResponse } from '../session/connection.ts';
import { say } from '../rules/text.ts';
import type { Shown, Text } from '../rules/text.ts';
import { decoded, isLoopback } from '../session/origin.ts';
import { secretsOfProxy } from '../session/proxy.ts';
import type { Proxy } from '../session/proxy.ts';
import { createRedaction } from '../session/redact.ts';
import type { Redaction, Secret } from '../session/redact.ts';
import { openSession as openAnySession } from '../session/session.ts';
import type { Bounds, SessionOptions as AnySessionOptions } from '../session/session.ts';
import { membersOf } from './body.ts';
import { Parameters } from './parameters.ts';
import type { Given } from './profile.ts';
import { isPlainHeader, isSecretName, paramsOf, resolve } from './target.ts';

/** @returns the usual bounds: on loopback the server is the user's own. */
export const boundsOf = (url: string): Bounds =>
  isLoopback(url) ? { ...TIMES, requests: 1000 } : { ...TIMES, requests: 300, perSecond: 5 };
const TIMES = { requestMs: 10_000, runMs: 600_000, waitMs: 120_000 };

/** A response, or the reason why there is none. */
export interface Answer {
  /** The target of the request. */
  readonly target: string;
  /** The request in one line. */
  readonly request: Text;
  /** 0 if there was no response. */
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  /** Whether the bytes of the text are UTF-8. */
  readonly isUtf8: boolean;
  /** The body, if it is JSON. */
  readonly body: unknown;
  /** Why there is no response. */
  readonly failure: Text | undefined;
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
  /** What no link may hold: see `secretsOf`. */
  readonly forbidden: readonly string[];
  /** Shows the values of a parameter from now on, whatever its name is: it belongs to the pagination. */
  readonly own: (param: string) => void;
  /** Sends the values of a parameter as strings from now on: see `Parameters`. */
  readonly asText: (param: string) => void;
  /**
   * Redirects of a GET to the same origin, such as to a trailing slash, are followed.
   * @throws Untestable if the bounds are reached, or the server is gone.
   */
  readonly get: (target: string, who?: Who) => Promise<Answer>;
  readonly redaction: Redaction;
  /** Whether a name that the server chose holds a key. That of a user may stand in it. */
  readonly hides: Redaction['hides'];
  /** @returns a session for one document at another origin, which gets no header of this one. */
  readonly elsewhere: (url: string) => Session;
  readonly close: () => void;
}

// A shorter secret may stand in a link by chance.
const MIN_FORBIDDEN = 8;
const MAX_REDIRECTS = 3;
// A server of another kind of JSON, such as application/vnd.api+json, may reject what does not allow it.
const ACCEPT = 'application/json, */*;q=0.1';
const NOTES = { user: '', other: ' (as the other account)', nobody: ' (without the key)' } as const;

export interface SessionOptions extends Pick<AnySessionOptions, 'origin' | 'maxBodyBytes' | 'clock'> {
  /** @returns the proxy of a URL. */
  readonly proxyOf?: ((url: string) => Proxy | undefined) | undefined;
  /** Called with every request in one line before it is sent. */
  readonly trace?: ((request: Shown) => void) | undefined;
  /** Called with every response that no redirect follows. */
  readonly seen?: ((answer: Answer) => void) | undefined;
}

export function openSession(given: Given, bounds: Bounds, options: SessionOptions = {}): Session {
  const { trace = () => undefined, seen, proxyOf = () => undefined, ...sending } = options;
  const { origin } = new URL(given.url);
  const proxy = proxyOf(origin);
  const { plain, keyed, others } = headersIn(given);
  const isOther = (name: string): boolean => others.some(([it]) => it.toLowerCase() === name.toLowerCase());
  const { keys, users, inQuery } = secretsOf(given);
  const own = new Set<string>();
  const parameters = new Parameters(given);
  const redaction = redactionOf([given], secretsOfProxy(proxy), (param) => own.has(param));
  const session = openAnySession(origin, bounds, {
    ...sending,
    proxy,
    trace: (line) => {
      trace(redaction.show(line));
    },
  });
  const headersOf = (who: Who): Readonly<Record<string, string>> => {
    const keys = { user: keyed, other: [...keyed.filter(([it]) => !isOther(it)), ...others], nobody: [] };
    return { accept: ACCEPT, ...Object.fromEntries([...plain, ...keys[who]]) };
  };
  const answerTo = async (target: string, who: Who): Promise<Answer> => {
    const { line, headers, ...placed } = parameters.requestOf(target);
    const request = say`${line}${NOTES[who]}`;
    const outgoing = { ...placed, headers: { ...headersOf(who), ...headers }, line: request, account: who };
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
      return { ...none, failure: error.text };
    }
  };

  return {
    origin,
    get sent() {
      return Object.values(session.sent).reduce((sum, count) => sum + count, 0);
    },
    get left() {
      return session.left;
    },
    hasKey: keyed.length > 0,
    forbidden: keys.filter((it) => it.length >= MIN_FORBIDDEN && !users.includes(it)),
    redaction,
    hides: createRedaction([...keys, ...inQuery].map(asSecret)).hides,
    own: (param) => own.add(param),
    asText: (param) => {
      parameters.asText(param);
    },
    elsewhere: (url) =>
      openSession(
        { url },
        { ...boundsOf(url), requests: 1 + MAX_REDIRECTS },
        { proxyOf, ...sending, origin: undefined },
      ),
    close: session.close,
    get: async (asked, who = 'user') => {
      let target = asked;
      for (let redirects = 0; ; redirects += 1) {
        const answer = await answerTo(target, who);
        const { status, headers: received } = answer;
        const location =
          !parameters.isPosted(target) && status >= 301 && status <= 308 ? received.get('location') : undefined;
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

type Headers = readonly (readonly [name: string, value: string])[];

/** @returns the headers of a list: those of content negotiation, those with its keys, and those of the other account. */
function headersIn({ url, headers = {}, auth, other }: Given): Readonly<Record<'plain' | 'keyed' | 'others', Headers>> {
  const { username, password } = new URL(url);
  const user = auth ?? (username === '' ? undefined : `${decoded(username)}:${decoded(password)}`);
  const all = Object.entries(headers);
  const basic = user === undefined ? [] : [['authorization', `Basic ${Buffer.from(user).toString('base64')}`] as const];
  return {
    plain: all.filter(([name]) => isPlainHeader(name)),
    keyed: [...all.filter(([name]) => !isPlainHeader(name)), ...basic],
    others: Object.entries(other?.headers ?? {}),
  };
}

/**
 * @param more what else is secret.
 * @param isOwn whether a parameter belongs to the pagination: its values are shown, whatever its name is.
 * @returns what hides the keys of lists.
 */
export const redactionOf = (
  lists: readonly Given[],
  more: readonly string[] = [],
  isOwn: (param: string) => boolean = () => false,
): Redaction =>
  createRedaction([...more, ...lists.flatMap((it) => Object.values(secretsOf(it)).flat())].map(asSecret), (text) =>
    withoutKeys(text, isOwn),
  );
const asSecret = (secret: string): Secret => [secret, '…'];

/**
 * @returns what is secret in the requests of a list. No message shows it. `keys` are the value of each header with a key, what stands behind its
 *   scheme, each parameter and cookie in it, and a password; a link may hold none of them that is too long to be there by chance. `users` may
 *   stand in a path. `inQuery` are the parameters that are named like keys.
 */
function secretsOf(given: Given): Readonly<Record<'keys' | 'users' | 'inQuery', readonly string[]>> {
  const { url, params = {}, body = {}, get = '', other } = given;
  const { keyed, others } = headersIn(given);
  const users: string[] = [];
  const keys = [...keyed, ...others].flatMap(([, value]) => {
    const [, scheme = '', rest = value] = /^([\w-]+)\s+(.*)$/s.exec(value) ?? [];
    const parts = [...value.matchAll(/(?<==)\s*(?:"([^"]*)"|([^",;\s]+))/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    );
    const basic = decodedBasic(scheme, rest);
    const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(basic) ?? [];
    if (password !== '') users.push(user);
    return [value, rest, rest.replace(/=+$/, ''), ...parts, basic, password === '' ? user : password];
  });
  const inQuery = [
    ...[url, get, other?.url ?? ''].flatMap((it) => [...paramsOf(it)]),
    ...Object.entries(params),
    ...membersOf(body),
  ].flatMap(([name, value]) => (isSecretName(name) && value !== '' ? [String(value)] : []));
  return { keys, users, inQuery };
}

/** @returns what `Basic` hides; nothing for another scheme. */
const decodedBasic = (scheme: string, value: string): string =>
  /^basic$/i.test(scheme) ? Buffer.from(value, 'base64').toString() : '';

/** @returns a text without the values of parameters that are named like keys. */
const withoutKeys = (text: string, isOwn: (name: string) => boolean): string =>
  text.replaceAll(/([?&])([^=&?#\s]+)=([^&#\s"'<>]+)/g, (pair, mark: string, name: string) =>
    isSecretName(decoded(name)) && !isOwn(decoded(name)) ? `${mark}${name}=…` : pair,
  );
