/** A profile: how a list paginates, as a user writes it in YAML, or as `infer` finds it. */
import { parse, stringify } from 'yaml';
import { code, joined, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { isPlainHeader, isSecretName, paramsOf, withRaw } from './target.ts';

/** A profile is wrong. The message names what, and what is allowed. */
export class ProfileError extends Error {}

type Values = Readonly<Record<string, unknown>>;
type Env = Readonly<Record<string, string | undefined>>;

/** Reads a value. @param what its name. @throws ProfileError that names it. */
type Read<T> = (what: string, value: unknown, env: Env) => T;

const plain: Read<string | number | boolean> = (what, value) => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new ProfileError(`${what} must be a text`);
};
const text: Read<string> = (...value) => String(plain(...value));

/** A text in which `${NAME}` is a value of the environment. */
const filled: Read<string> = (what, value, env) =>
  text(what, value, env).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const found = env[name] ?? '';
    if (found === '') throw new ProfileError(`the environment has no ${name}`);
    return found;
  });

const count: Read<number> = (what, value) => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
  throw new ProfileError(`${what} must be a whole number`);
};

const oneOf =
  <const T>(...allowed: readonly T[]): Read<T> =>
  (what, value) => {
    const found = allowed.find((it) => it === value);
    if (found === undefined) throw new ProfileError(`${what} must be ${allowed.map(String).join(' or ')}`);
    return found;
  };

/** A text that must look like something. @param message what it must be. */
const like =
  (isRight: (it: string) => boolean, message: string): Read<string> =>
  (...value) => {
    const it = text(...value);
    if (!isRight(it)) throw new ProfileError(message);
    return it;
  };

export function objectOf(what: string, value: unknown): Values {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProfileError(`${what} must be an object`);
  return value as Values; // An object.
}

const map: Read<Readonly<Record<string, string>>> = (what, value, env) =>
  Object.fromEntries(
    Object.entries(objectOf(what, value)).map(([name, it]) => [name, filled(`${what}.${name}`, it, env)]),
  );

type ReadValues<T extends Readonly<Record<string, Read<unknown>>>, R extends keyof T> = {
  readonly [K in R]: ReturnType<T[K]>;
} & { readonly [K in Exclude<keyof T, R>]?: ReturnType<T[K]> };

/** An object that has no other keys than these. */
const shape =
  <T extends Readonly<Record<string, Read<unknown>>>, R extends keyof T & string = never>(
    keys: T,
    ...required: readonly R[]
  ): Read<ReadValues<T, R>> =>
  (what, value, env) => {
    const at = (key: string): string => (what === '' ? key : `${what}.${key}`);
    const values = objectOf(what === '' ? 'a profile' : what, value);
    const unknown = Object.keys(values).find((it) => !Object.hasOwn(keys, it));
    if (unknown !== undefined)
      throw new ProfileError(`unknown key ${at(unknown)}; the keys are ${Object.keys(keys).join(', ')}`);
    const missing = required.find((it) => values[it] === undefined);
    if (missing !== undefined) throw new ProfileError(`${at(missing)} is missing`);
    const read = Object.entries(keys).flatMap(([key, of]) =>
      values[key] === undefined ? [] : [[key, of(at(key), values[key], env)]],
    );
    return Object.fromEntries(read) as ReadValues<T, R>; // Each key was read, if it is there.
  };

const SIZE = shape(
  {
    ...{ param: text, min: count, max: count, default: count },
    /** What becomes of a size above the maximum. */
    above: oneOf('reject', 'clamp'),
    /** What becomes of 0, -1 and text: they are rejected, or the page has the default size. */
    invalid: oneOf('reject', 'default'),
    /** Whether every page but the last has exactly the size that was asked for. */
    exact: oneOf(true, false),
  },
  'param',
);
export type Size = ReturnType<typeof SIZE>;
const sizeOf: Read<Size> = (what, value, env) => {
  const size = SIZE(what, typeof value === 'string' ? { param: value } : value, env);
  if (size.above !== undefined && size.max === undefined) throw new ProfileError(`${what}.above needs ${what}.max`);
  return size;
};

const ORDER = 'order must be like -created,id or [{ by: -created, type: time, nulls: last }, id]';
const SORT_KEY = shape(
  {
    /** The path of a property in an item, with `-` before it if the list is descending. */
    by: like((it) => /^-?[^-]/.test(it), ORDER),
    /** How its values compare; `bytes` is text by its code points. Detected if undefined. */
    type: oneOf('number', 'time', 'text', 'bytes'),
    nulls: oneOf('first', 'last'),
  },
  'by',
);
export type SortKey = ReturnType<typeof SORT_KEY>;
const orderOf: Read<readonly SortKey[]> = (what, value, env) => {
  const keys: unknown = typeof value === 'string' ? value.split(',') : value;
  if (!Array.isArray(keys) || keys.length === 0) throw new ProfileError(ORDER);
  return keys.map((it: unknown) => SORT_KEY(what, typeof it === 'string' ? { by: it.trim() } : it, env));
};

const WAYS = {
  // Of all: `more` is the path of a flag that is false on the last page.
  /** The id of the last item is the cursor, in a parameter. */
  id: shape({ id: text, more: text }, 'id'),
  /** A parameter takes a token from the body. The end is no token, or this one; with `same`, the one that was sent. */
  token: shape({ token: text, from: text, end: plain, more: text }, 'token', 'from'),
  /** Several parameters take tokens from the body, those that are there. */
  tokens: shape({ tokens: map, more: text }, 'tokens'),
  /** A URL in the body; a path is behind the URL at `base`, if there is one. */
  url: shape({ url: text, base: text, more: text }, 'url'),
  /** A relation of the Link header. `until` is a text that the link has on the last page. */
  link: shape({ link: text, until: text, more: text }, 'link'),
  /** A header with a URL. */
  header: shape({ header: text, more: text }, 'header'),
  /** A page number; `first` is that of the first page, 1 by default. */
  page: shape({ page: text, first: count, more: text }, 'page'),
  /** The number of an item; `first` is that of the first one, 0 by default. */
  offset: shape({ offset: text, first: count, more: text }, 'offset'),
} as const;
/** The way to the next page, or to the previous one. Paths name values of the body. */
export type Way = ReturnType<(typeof WAYS)[keyof typeof WAYS]>;
const WAY_EXAMPLE = '{ token: cursor, from: meta.next } or { link: next }';
const wayOf: Read<Way> = (what, value, env) => {
  const values = objectOf(what, value);
  const read = Object.entries(WAYS).find(([kind]) => kind in values)?.[1];
  if (read === undefined)
    throw new ProfileError(`${what} must have one of ${Object.keys(WAYS).join(', ')}: ${WAY_EXAMPLE}`);
  return read(what, values, env);
};

/** Whether a text is the URL of a list. */
export const isHttp = (url: string): boolean => /^https?:\/\//i.test(url) && URL.canParse(url);
const isPath = (it: string): boolean => it.startsWith('/') || isHttp(it);

const OTHER = shape({
  url: like(isPath, 'other.url must be a path or a URL such as /customers'),
  headers: map,
});
const otherOf: Read<ReturnType<typeof OTHER>> = (what, value, env) => {
  const other = OTHER(what, value, env);
  if (Object.keys(other).length === 0) throw new ProfileError('other needs url or headers');
  return other;
};

const sampleOf: Read<object> = (what, value) => {
  if (typeof value === 'object' && value !== null) return value;
  throw new ProfileError(`${what} must be an object or an array`);
};

/** Reads a profile. @param what nothing. */
export const profileOf = shape({
  url: like(isHttp, 'url must be a URL such as http://localhost:8000/orders'),
  headers: map,
  /** `user:password`. */
  auth: filled,
  /** Parameters that every request has. */
  params: map,
  /** The path of the items; empty for the body itself. */
  items: text,
  /** The path of an item's id; empty for the item itself. */
  id: text,
  ...{ size: sizeOf, next: wayOf, previous: wayOf },
  /** Values by their paths: a body that has one of them is an error, whatever its status. */
  error: objectOf,
  /** With `same`, a link to another origin is a failure. */
  origin: oneOf('same'),
  /** With `exact`, a wrong total is a failure: it is no estimate. */
  total: oneOf('exact'),
  /** What the list is ordered by: items that are equal in one property are ordered by the next. */
  order: orderOf,
  /** A filter: parameters and their values. Items have properties of these names. */
  filter: map,
  /** The path of an item, with `{id}` in it. */
  get: like((it) => it.includes('{id}') && isPath(it), 'get must be a path with {id}, such as /orders/{id}'),
  /** Another list of the same API, the headers of another account, or both. */
  other: otherOf,
  /** The body of a page with one or several items, which `fake` serves. */
  sample: sampleOf,
});

/** What a profile says of a list. */
export type Told = ReturnType<typeof profileOf>;
/** What a user says of a list. */
export type Given = Told & { readonly url: string };
/** A list, as far as it is known: what a user says of it, and what was found. */
export type Profile = Given & { readonly items: string; readonly id: string; readonly next: Way };

/**
 * @param yaml a profile.
 * @param env replaces `${NAME}` in headers, auth, params and filter.
 * @throws ProfileError that names the key.
 */
export const parseProfile = (yaml: string, env: Env): Told => profileOf('', parseYaml(yaml), env);

/** @throws ProfileError if a text is not YAML. */
export function parseYaml(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch (error) {
    throw new ProfileError(`it is not YAML: ${String((error as Error).message.split('\n')[0])}`); // The library throws only errors.
  }
}

/** @param yaml a way as an option of the command line: `token: cursor, from: meta.next`. @throws ProfileError if it is none. */
export function parseWay(what: string, yaml: string): Way {
  try {
    return wayOf(what, parse(yaml.trim().startsWith('{') ? yaml : `{ ${yaml} }`), {});
  } catch (error) {
    if (error instanceof ProfileError) throw error;
    throw new ProfileError(`${what} must be like ${WAY_EXAMPLE}`);
  }
}

/** @returns a URL, or a path, without a user, and without the parameters that are named like keys. */
export const withoutKeys = (url: string): string =>
  [...paramsOf(url).keys()].filter(isSecretName).reduce((it, name) => withRaw(it, name), withoutUser(url));

/** @returns a profile with `${NAME}` in place of what came from a header, a password or a key in the query; without it in other URLs. */
export function withoutSecrets(profile: Profile): Profile {
  const { url, headers = {}, auth, params = {}, get, other, ...others } = profile;
  const hidden = (values: Readonly<Record<string, string>>, end = ''): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        isPlainHeader(name) ? value : placeholder(name + end, value),
      ]),
    );
  const keys = Object.entries({ ...Object.fromEntries(paramsOf(url)), ...params }).filter(([it]) => isSecretName(it));
  const { username, password } = new URL(url);
  const isEmpty = Object.keys(headers).length === 0;
  return {
    url: withoutKeys(url),
    ...(!isEmpty && { headers: hidden(headers) }),
    ...((auth !== undefined || username + password !== '') && { auth: '${USER}:${PASSWORD}' }),
    ...(Object.keys(params).length + keys.length > 0 && {
      params: { ...params, ...hidden(Object.fromEntries(keys)) },
    }),
    ...others,
    ...(get !== undefined && { get: withoutKeys(get) }),
    ...(other !== undefined && {
      other: {
        ...other,
        ...(other.url !== undefined && { url: withoutKeys(other.url) }),
        ...(other.headers !== undefined && { headers: hidden(other.headers, '_2') }),
      },
    }),
  };
}

/** @returns a profile as YAML that `parseProfile` reads, without secrets. */
export function formatProfile(profile: Profile): string {
  return Object.entries(withoutSecrets(profile))
    .map(([name, it]) =>
      name === 'sample'
        ? stringify({ sample: it }, { lineWidth: 0 })
        : `${name}: ${stringify(it, { collectionStyle: 'flow', lineWidth: 0 })}`,
    )
    .join('');
}

/** @returns the names of the environment that a saved profile needs. */
export const namesIn = (saved: string): readonly string[] => [
  ...new Set([...saved.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => name)),
];

function placeholder(name: string, value: string): string {
  const scheme = /^(?:Bearer|Basic|Token|Bot|SSWS) /i.exec(value)?.[0] ?? '';
  return `${scheme}\${${name.toUpperCase().replaceAll(/\W+/g, '_')}}`;
}

/** @returns a URL, or a path, without a user and a password. */
export function withoutUser(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || parsed.username + parsed.password === '') return url;
  [parsed.username, parsed.password] = ['', ''];
  return parsed.href;
}

/** @returns the way in a few words, ``token `cursor` from `next_page` ``: its kind, its name, and the rest. */
export function wordsOf(way: Way): readonly [kind: Text, name: Text, rest: Text] {
  const from = (first: number | undefined): Text => (first === undefined ? say`` : say` from ${first}`);
  const more = way.more === undefined ? say`` : say`, while ${code(way.more)}`;
  if ('id' in way) return [say`the last id as `, code(way.id), more];
  if ('token' in way) return [say`token `, code(way.token), say` from ${code(way.from)}${more}`];
  if ('tokens' in way)
    return [
      say`tokens `,
      joined(Object.keys(way.tokens).map(code)),
      say` from ${joined(Object.values(way.tokens).map(code))}${more}`,
    ];
  if ('url' in way)
    return [say`the URL in `, code(way.url), way.base === undefined ? more : say` behind ${code(way.base)}${more}`];
  if ('link' in way) return [say`Link header `, code(way.link), more];
  if ('header' in way) return [say`the URL in header `, code(way.header), more];
  if ('page' in way) return [say`page number `, code(way.page), say`${from(way.first ?? 1)}${more}`];
  return [say`offset `, code(way.offset), say`${from(way.first)}${more}`];
}
export const describeWay = (way: Way): Text => joined(wordsOf(way), '');
