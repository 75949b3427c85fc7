/** A profile: how a list paginates, as a user writes it in YAML, or as `infer` finds it. */
import { parse } from 'yaml';
import { code, joined, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import type { Body } from './body.ts';
import {
  ProfileError,
  count,
  filled,
  filledIn,
  like,
  map,
  objectOf,
  oneOf,
  parseYaml,
  plain,
  shape,
  text,
} from './profile-values.ts';
import type { Env, Read } from './profile-values.ts';

const MAX_SORTS = 4;
const sortsOf: Read<readonly string[]> = (what, value, env) => {
  const sorts: readonly unknown[] = Array.isArray(value) ? value : [];
  if (sorts.length === 0 || sorts.length > MAX_SORTS)
    throw new ProfileError(`${what} must have one to ${String(MAX_SORTS)} parameters, such as [sort=score]`);
  const read = like((sort) => /^[^=]+=/.test(sort), `${what} must be like [sort=score]`);
  return sorts.map((sort) => read(what, sort, env));
};

const isHeaderName = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name);
const SIZE = shape({
  ...{ param: text, min: count, max: count, default: count },
  /** The header that has the size, in place of a parameter. */
  header: like(isHeaderName, 'size.header must be the name of a header, such as Prefer'),
  /** The value of the header, such as `odata.maxpagesize={size}`. */
  value: like(
    (text) => /^[\x20-\x7e]*\{size\}[\x20-\x7e]*$/.test(text),
    'size.value must have {size}, as odata.maxpagesize={size}',
  ),
  /** What becomes of a size above the maximum. */
  above: oneOf('reject', 'clamp'),
  /** What becomes of 0, -1 and text: they are rejected, or the page has the default size. */
  invalid: oneOf('reject', 'default'),
  /** Whether every page but the last has exactly the size that was asked for. */
  exact: oneOf(true, false),
});
/** Its `param` is the name of the header, if it stands in one. */
export type Size = ReturnType<typeof SIZE> & { readonly param: string };
const sizeOf: Read<Size> = (what, value, env) => {
  const size = SIZE(what, typeof value === 'string' ? { param: value } : value, env);
  const param = size.param ?? size.header;
  if (param === undefined || (size.param !== undefined && size.header !== undefined))
    throw new ProfileError(`${what} must have a param or a header`);
  if (size.value !== undefined && size.header === undefined)
    throw new ProfileError(`${what}.value needs ${what}.header`);
  if (size.above !== undefined && size.max === undefined) throw new ProfileError(`${what}.above needs ${what}.max`);
  return { ...size, param };
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

const bodyOf: Read<Body> = (what, value, env) =>
  typeof value === 'string' ? filled(what, value, env) : objectOf(what, filledIn(what, value, env));
const PROFILE = shape({
  url: like(isHttp, 'url must be a URL such as http://localhost:8000/orders'),
  /** A list that is read by POST. A profile alone never posts: the user of a run must allow it. */
  method: oneOf('POST'),
  /** What is posted: an object, or a form as a string. Its plain values are parameters as those of a query are. */
  body: bodyOf,
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
  /** With `array`, every page has the array of items: 204, `{}` and null are no page. */
  empty: oneOf('array'),
  /** What the list is ordered by: items that are equal in one property are ordered by the next. */
  order: orderOf,
  /** Parameters that sort the list in other ways, each with its value: the list is read with each of them, too. */
  sorts: sortsOf,
  /** A filter: parameters and their values. Items have properties of these names. */
  filter: map,
  /** The path of an item, with `{id}` in it. */
  get: like((it) => it.includes('{id}') && isPath(it), 'get must be a path with {id}, such as /orders/{id}'),
  /** Another list of the same API, the headers of another account, or both. */
  other: otherOf,
  /** The body of a page with one or several items, which `fake` serves. */
  sample: sampleOf,
});

/** Reads a profile. @param what nothing. */
export const profileOf: Read<ReturnType<typeof PROFILE>> = (what, value, env) => {
  const profile = PROFILE(what, value, env);
  if (profile.body !== undefined && profile.method === undefined) throw new ProfileError('body needs method: POST');
  return profile;
};

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

/** @param yaml a way as an option of the command line: `token: cursor, from: meta.next`. @throws ProfileError if it is none. */
export function parseWay(what: string, yaml: string): Way {
  try {
    return wayOf(what, parse(yaml.trim().startsWith('{') ? yaml : `{ ${yaml} }`), {});
  } catch (error) {
    if (error instanceof ProfileError) throw error;
    throw new ProfileError(`${what} must be like ${WAY_EXAMPLE}`);
  }
}

/** @returns the parameters that a way sets; a link has its own. */
export function paramsOfWay(way: Way): readonly string[] {
  if ('token' in way) return [way.token];
  if ('tokens' in way) return Object.keys(way.tokens);
  if ('id' in way) return [way.id];
  return 'page' in way ? [way.page] : 'offset' in way ? [way.offset] : [];
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
    return [say`the URL in `, code(way.url), way.base === undefined ? more : say` below ${code(way.base)}${more}`];
  if ('link' in way) return [say`Link header `, code(way.link), more];
  if ('header' in way) return [say`the URL in header `, code(way.header), more];
  if ('page' in way) return [say`page number `, code(way.page), say`${from(way.first ?? 1)}${more}`];
  return [say`offset `, code(way.offset), say`${from(way.first)}${more}`];
}
export const describeWay = (way: Way): Text => joined(wordsOf(way), '');
