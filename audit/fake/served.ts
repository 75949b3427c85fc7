/** What of a profile can be served: every key of the language is here, or is rejected by its name. */
import { parseProfiles } from '../lists/profiles.ts';
import { isHttp } from '../lists/profile.ts';
import { ProfileError, objectOf, parseYaml } from '../lists/profile-values.ts';
import { namesIn } from '../lists/saved-profile.ts';
import type { Profile, Told, Way } from '../lists/profile.ts';

/** The keys that are served. A key that the language gets is rejected until it is added here. */
const KEYS: readonly string[] = [
  ...['url', 'headers', 'auth', 'params', 'items', 'id', 'size', 'next', 'previous', 'error', 'origin', 'total'],
  ...['empty', 'order', 'sorts', 'filter', 'get', 'other', 'sample'],
];
const SIZE_KEYS: readonly string[] = ['param', 'min', 'max', 'default', 'above', 'invalid', 'exact'];

/** The values of a key, and of its second one. */
interface Keys {
  readonly key: string;
  readonly otherKey: string;
}

/**
 * @param yaml a profile, or several.
 * @param keys the values of each `${NAME}`: nothing is read from the environment. Those that only `other` names are of the other account.
 * @param list the name of one of several lists.
 * @returns the profile, complete. @throws ProfileError that names the key.
 */
export function servedOf(yaml: string, keys: Keys, list?: string, url?: string): Profile {
  const values = objectOf('a profile', parseYaml(yaml));
  const { other, ...own } =
    list === undefined
      ? values
      : { ...values, ...objectOf('lists', objectOf('lists', values['lists'] ?? {})[list] ?? {}) };
  const names = new Set(namesIn(JSON.stringify(own)));
  const env = Object.fromEntries(
    namesIn(JSON.stringify([own, other])).map((name) => [name, names.has(name) ? keys.key : keys.otherKey]),
  );
  const all = parseProfiles(yaml, env);
  const found = list === undefined ? all : all.filter(({ name }) => name === list);
  const [only, second] = found;
  if (only === undefined) throw new ProfileError(`unknown list ${String(list)}; the lists are ${namesOf(all)}`);
  if (second !== undefined) throw new ProfileError(`the file names several lists: choose one of ${namesOf(all)}`);
  return complete({ ...only.profile, ...(url !== undefined && { url }) });
}

const namesOf = (all: readonly { readonly name: string | undefined }[]): string =>
  all.map(({ name }) => name).join(', ');

/** @returns a profile that can be served. @throws ProfileError */
function complete(told: Told): Profile {
  const { url = 'http://localhost/items', items, id = 'id', next, size, other, get } = told;
  reject(Object.keys(told), KEYS, '');
  reject(Object.keys(size ?? {}), SIZE_KEYS, 'size.');
  if (items === undefined) throw missing('items');
  if (next === undefined) throw missing('next');
  for (const path of [items, id])
    if (path.includes('[]')) throw new ProfileError(`the path ${path} has [], which cannot be served yet`);
  for (const way of [next, told.previous]) if (way !== undefined) checkWay(way);
  const { previous } = told;
  if (previous !== undefined && 'id' in next && 'id' in previous && next.id === previous.id)
    throw new ProfileError(`next and previous have the same parameter ${next.id}`);
  if (size?.min !== undefined && size.max !== undefined && size.min > size.max)
    throw new ProfileError('size.min is above size.max');
  for (const path of [other?.url, get]) if (path !== undefined) pathIn(path);
  return { ...told, url, items, id, next };
}

const missing = (key: string): ProfileError =>
  new ProfileError(`${key} is missing: \`audit URL --save-profile FILE\` writes a complete profile`);

function reject(keys: readonly string[], known: readonly string[], before: string): void {
  const unknown = keys.find((key) => !known.includes(key));
  if (unknown !== undefined) throw new ProfileError(`${before}${unknown} cannot be served yet`);
}

/** The value of an attribute of a link that is the last one, and the value that it has otherwise. */
export const UNTIL = /^([\w*-]+)="([^"\\]*)"$/;

function checkWay(way: Way): void {
  if ('link' in way && way.until !== undefined && !UNTIL.test(way.until))
    throw new ProfileError(`until can be served only as an attribute such as results="false"`);
  if ('token' in way && typeof way.end === 'boolean')
    throw new ProfileError('end cannot be served as true or false: a missing token is the end');
  if ('header' in way && !/^[\w-]+$/.test(way.header)) throw new ProfileError('header is no name of a header');
  if ('url' in way && way.url === '') throw new ProfileError('url must be a path in the body, such as links.next');
}

/** Whether a header that was sent has a value: a scheme in any case, and `token` for `Bearer`, as GitHub and its clients have it. */
export const hasValue = (sent: string | undefined, value: string): boolean =>
  sent !== undefined && withScheme(sent) === withScheme(value);
const withScheme = (value: string): string => value.replace(/^(bearer|token) +/i, 'Bearer ');

/** @returns the path of a URL, or a path without its query. */
export const pathIn = (url: string): string => (isHttp(url) ? new URL(url).pathname : url.replace(/[?#].*$/s, ''));
