/** A profile: how a list paginates, as a user writes it in YAML, or as `infer` finds it. */
import { parse, stringify } from 'yaml';
import { isSecretName, paramsOf, withRaw } from './target.ts';

/** The way to the next page, or to the previous one. Paths name values of the body. */
export type Way =
  /** The id of the last item is the cursor, in a parameter; `more` is the path of a flag. */
  | { readonly id: string; readonly more?: string | undefined }
  /** A parameter takes a token from the body. The end is no token, or this one. */
  | { readonly token: string; readonly from: string; readonly end?: string | number | boolean | undefined }
  /** A URL in the body. */
  | { readonly url: string }
  /** A relation of the Link header. `until` is a text that the link has on the last page. */
  | { readonly link: string; readonly until?: string | undefined }
  /** A header with a URL. */
  | { readonly header: string }
  /** A page number. */
  | { readonly page: string; readonly first?: number | undefined }
  | { readonly offset: string };

export interface Size {
  readonly param: string;
  readonly max?: number | undefined;
  readonly default?: number | undefined;
  /** What becomes of a size above the maximum. */
  readonly above?: 'reject' | 'clamp' | undefined;
  /** What becomes of 0, -1 and text: they are rejected, or the page has the default size. */
  readonly invalid?: 'reject' | 'default' | undefined;
  /** Whether every page but the last has exactly the size that was asked for. */
  readonly exact?: boolean | undefined;
}

/** A property that a list is ordered by. */
export interface SortKey {
  /** Its path in an item, with `-` before it if it is descending. */
  readonly by: string;
  /** How its values compare; `bytes` is text by its code points. Detected if undefined. */
  readonly type?: 'number' | 'time' | 'text' | 'bytes' | undefined;
  readonly nulls?: 'first' | 'last' | undefined;
}

export interface Profile {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** `user:password`. */
  readonly auth?: string | undefined;
  /** Parameters that every request has. */
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** The path of the items; empty for the body itself. */
  readonly items: string;
  /** The path of an item's id; empty for the item itself. */
  readonly id: string;
  readonly size?: Size | undefined;
  readonly next: Way;
  readonly previous?: Way | undefined;
  /** Values by their paths: a body that has one of them is an error, whatever its status. */
  readonly error?: Readonly<Record<string, unknown>> | undefined;
  /** With `same`, a link to another origin is a failure. */
  readonly origin?: 'same' | undefined;
  /** What the list is ordered by: items that are equal in one property are ordered by the next. */
  readonly order?: readonly SortKey[] | undefined;
  /** A filter: parameters and their values. Items have properties of these names. */
  readonly filter?: Readonly<Record<string, string>> | undefined;
  /** The path of an item, with `{id}` in it. */
  readonly get?: string | undefined;
  /** Another list of the same API, the headers of another account, or both. */
  readonly other?: Other | undefined;
}

export interface Other {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** What a user says of a list. */
export type Given = Partial<Profile> & Pick<Profile, 'url'>;

/** A profile is wrong. The message names what, and what is allowed. */
export class ProfileError extends Error {}

const KEYS = [
  ...['url', 'headers', 'auth', 'params', 'items', 'id', 'size', 'next', 'previous', 'error', 'origin'],
  ...['order', 'filter', 'get', 'other'],
];
const WAYS: Readonly<Record<string, readonly string[]>> = {
  id: ['more'],
  token: ['from', 'end'],
  url: [],
  link: ['until'],
  header: [],
  page: ['first'],
  offset: [],
};
const WAY_EXAMPLE = '{ token: cursor, from: meta.next } or { link: next }';

type Values = Readonly<Record<string, unknown>>;

/**
 * @param text a profile in YAML.
 * @param env replaces `${NAME}` in headers, auth and params.
 * @throws ProfileError that names the key.
 */
export const parseProfile = (text: string, env: Readonly<Record<string, string | undefined>>): Partial<Profile> =>
  profileOf(objectOf('a profile', parseYaml(text)), env);

/** @throws ProfileError if a text is not YAML. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new ProfileError(`it is not YAML: ${String((error as Error).message.split('\n')[0])}`); // The library throws only errors.
  }
}

/** The same as `parseProfile`, of what was read. */
export function profileOf(values: Values, env: Readonly<Record<string, string | undefined>>): Partial<Profile> {
  const unknown = Object.keys(values).find((it) => !KEYS.includes(it));
  if (unknown !== undefined)
    throw new ProfileError(`unknown key ${JSON.stringify(unknown)}; the keys are ${KEYS.join(', ')}`);
  const filled = (what: string, it: unknown): string => fill(scalar(what, it), env);
  const map = (what: string, it: unknown): Record<string, string> =>
    Object.fromEntries(Object.entries(objectOf(what, it)).map(([name, of]) => [name, filled(`${what}.${name}`, of)]));
  const { url, headers, auth, params, items, id, size, next, previous, error, origin } = values;
  const { order, filter, get, other } = values;
  if (url !== undefined && !isHttp(scalar('url', url)))
    throw new ProfileError('url must be a URL such as http://localhost:8000/orders');
  if (origin !== undefined && origin !== 'same') throw new ProfileError('origin must be `same`');
  return {
    ...(url !== undefined && { url: scalar('url', url) }),
    ...(headers !== undefined && { headers: map('headers', headers) }),
    ...(auth !== undefined && { auth: filled('auth', auth) }),
    ...(params !== undefined && { params: map('params', params) }),
    ...(items !== undefined && { items: scalar('items', items) }),
    ...(id !== undefined && { id: scalar('id', id) }),
    ...(size !== undefined && { size: sizeOf(size) }),
    ...(next !== undefined && { next: wayOf('next', next) }),
    ...(previous !== undefined && { previous: wayOf('previous', previous) }),
    ...(error !== undefined && { error: objectOf('error', error) }),
    ...(origin !== undefined && { origin }),
    ...(order !== undefined && { order: orderOf(order) }),
    ...(filter !== undefined && { filter: map('filter', filter) }),
    ...(get !== undefined && { get: itemPath(scalar('get', get)) }),
    ...(other !== undefined && { other: otherOf(other, map) }),
  };
}

/** Whether a text is the URL of a list. */
export const isHttp = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);

/** @param text a way as an option of the command line: `token: cursor, from: meta.next`. @throws ProfileError if it is none. */
export function parseWay(what: string, text: string): Way {
  try {
    return wayOf(what, parse(text.trim().startsWith('{') ? text : `{ ${text} }`));
  } catch (error) {
    if (error instanceof ProfileError) throw error;
    throw new ProfileError(`${what} must be like ${WAY_EXAMPLE}`);
  }
}

function fill(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = env[name];
    if (value === undefined || value === '') throw new ProfileError(`the environment has no ${name}`);
    return value;
  });
}

export function objectOf(what: string, value: unknown): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProfileError(`${what} must be an object`);
  return value as Values; // An object.
}

function scalar(what: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ProfileError(`${what} must be a text`);
}

function count(what: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new ProfileError(`${what} must be a whole number`);
}

/** @returns the values of an object that has no other keys than these. */
function known<K extends string>(what: string, value: unknown, keys: readonly K[]): Readonly<Record<K, unknown>> {
  const values = objectOf(what, value);
  const other = Object.keys(values).find((it) => !keys.some((key) => key === it));
  if (other !== undefined) throw new ProfileError(`unknown key ${what}.${other}; the keys are ${keys.join(', ')}`);
  return values; // It has no others.
}

function oneOf<T>(what: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((it) => it === value);
  if (found === undefined) throw new ProfileError(`${what} must be ${allowed.map(String).join(' or ')}`);
  return found;
}

function sizeOf(value: unknown): Size {
  if (typeof value === 'string') return { param: value };
  const keys = ['param', 'max', 'default', 'above', 'invalid', 'exact'] as const;
  const { param, max, default: usual, above, invalid, exact } = known('size', value, keys);
  if (above !== undefined && max === undefined) throw new ProfileError('size.above needs size.max');
  return {
    param: scalar('size.param', param),
    ...(max !== undefined && { max: count('size.max', max) }),
    ...(usual !== undefined && { default: count('size.default', usual) }),
    ...(above !== undefined && { above: oneOf('size.above', above, ['reject', 'clamp']) }),
    ...(invalid !== undefined && { invalid: oneOf('size.invalid', invalid, ['reject', 'default']) }),
    ...(exact !== undefined && { exact: oneOf('size.exact', exact, [true, false]) }),
  };
}

const ORDER_EXAMPLE = '-created,id or [{ by: -created, type: time, nulls: last }, id]';

function orderOf(value: unknown): readonly SortKey[] {
  const keys: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(keys) || keys.length === 0) throw new ProfileError(`order must be like ${ORDER_EXAMPLE}`);
  return keys.map((it: unknown): SortKey => {
    const { by, type, nulls } = known('order', typeof it === 'string' ? { by: it.trim() } : it, [
      'by',
      'type',
      'nulls',
    ]);
    if (typeof by !== 'string' || !/^-?[^-]/.test(by)) throw new ProfileError(`order must be like ${ORDER_EXAMPLE}`);
    return {
      by,
      ...(type !== undefined && { type: oneOf('order.type', type, ['number', 'time', 'text', 'bytes']) }),
      ...(nulls !== undefined && { nulls: oneOf('order.nulls', nulls, ['first', 'last']) }),
    };
  });
}

function itemPath(get: string): string {
  if (get.includes('{id}') && (get.startsWith('/') || isHttp(get))) return get;
  throw new ProfileError('get must be a path with {id}, such as /orders/{id}');
}

function otherOf(value: unknown, map: (what: string, it: unknown) => Readonly<Record<string, string>>): Other {
  const { url, headers } = known('other', value, ['url', 'headers']);
  if (url === undefined && headers === undefined) throw new ProfileError('other needs url or headers');
  const at = url === undefined ? undefined : scalar('other.url', url);
  if (at !== undefined && !at.startsWith('/') && !isHttp(at))
    throw new ProfileError('other.url must be a path or a URL such as /customers');
  return {
    ...(at !== undefined && { url: at }),
    ...(headers !== undefined && { headers: map('other.headers', headers) }),
  };
}

function wayOf(what: string, value: unknown): Way {
  const values = objectOf(what, value);
  const kind = Object.keys(WAYS).find((it) => it in values);
  if (kind === undefined)
    throw new ProfileError(`${what} must have one of ${Object.keys(WAYS).join(', ')}: ${WAY_EXAMPLE}`);
  const more = WAYS[kind] ?? [];
  const other = Object.keys(values).find((it) => it !== kind && !more.includes(it));
  if (other !== undefined)
    throw new ProfileError(`unknown key ${what}.${other}; ${kind} may have ${more.join(', ') || 'no other'}`);
  if (kind === 'token' && values['from'] === undefined) throw new ProfileError(`${what}.token needs ${what}.from`);
  const texts = Object.fromEntries(
    Object.entries(values).map(([name, it]) => {
      if (name === 'first') return [name, count(`${what}.first`, it)];
      const text = scalar(`${what}.${name}`, it);
      return [name, name === 'end' ? it : text];
    }),
  );
  return texts as unknown as Way; // It has the keys of one way, and no others.
}

/** @returns a profile with `${NAME}` in place of what came from a header, a password or a key in the query. */
export function withoutSecrets(profile: Profile): Profile {
  const { url, headers = {}, auth, params = {}, other, ...others } = profile;
  const hidden = (values: Readonly<Record<string, string>>, end = ''): Record<string, string> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, placeholder(name + end, value)]));
  const keys = Object.entries({ ...Object.fromEntries(paramsOf(url)), ...params }).filter(([it]) => isSecretName(it));
  const { username, password } = new URL(url);
  const isEmpty = Object.keys(headers).length === 0;
  return {
    url: keys.reduce((it, [name]) => withRaw(it, name), withoutUser(url)),
    ...(!isEmpty && { headers: hidden(headers) }),
    ...((auth !== undefined || username + password !== '') && { auth: '${USER}:${PASSWORD}' }),
    ...(Object.keys(params).length + keys.length > 0 && {
      params: { ...params, ...hidden(Object.fromEntries(keys)) },
    }),
    ...others,
    ...(other !== undefined && {
      other: { ...other, ...(other.headers !== undefined && { headers: hidden(other.headers, '_2') }) },
    }),
  };
}

/** @returns a profile as YAML that `parseProfile` reads, without secrets. */
export function formatProfile(profile: Profile): string {
  const isEmpty = (it: unknown): boolean => typeof it === 'object' && it !== null && Object.keys(it).length === 0;
  const lines = Object.entries(withoutSecrets(profile)).filter(([, it]) => it !== undefined && !isEmpty(it));
  return lines.map(([name, it]) => `${name}: ${stringify(it, { collectionStyle: 'flow', lineWidth: 0 })}`).join('');
}

/** @returns the names of the environment that a saved profile needs. */
export const namesIn = (saved: string): readonly string[] => [
  ...new Set([...saved.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)),
];

function placeholder(name: string, value: string): string {
  const scheme = /^(?:Bearer|Basic|Token|Bot|SSWS) /i.exec(value)?.[0] ?? '';
  return `${scheme}\${${name.toUpperCase().replaceAll(/\W+/g, '_')}}`;
}

export function withoutUser(url: string): string {
  const parsed = new URL(url);
  if (parsed.username === '' && parsed.password === '') return url;
  [parsed.username, parsed.password] = ['', ''];
  return parsed.href;
}

/** @returns the way in a few words: ``token `cursor` from `next_page` ``. */
export function describeWay(way: Way): string {
  if ('id' in way) return `the last id as \`${way.id}\`${way.more === undefined ? '' : `, while \`${way.more}\``}`;
  if ('token' in way) return `token \`${way.token}\` from \`${way.from}\``;
  if ('url' in way) return `the URL in \`${way.url}\``;
  if ('link' in way) return `Link header \`${way.link}\``;
  if ('header' in way) return `the URL in header \`${way.header}\``;
  if ('page' in way) return `page number \`${way.page}\` from ${String(way.first ?? 1)}`;
  return `offset \`${way.offset}\``;
}
