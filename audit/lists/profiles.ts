/** A file that describes one list, or several with what they share. */
import { isHttp, profileOf } from './profile.ts';
import { ProfileError, objectOf, parseYaml } from './profile-values.ts';
import type { Told } from './profile.ts';

export interface Named {
  /** `undefined` for the only list of a file without names. */
  readonly name: string | undefined;
  readonly profile: Told;
}

const MERGED = ['headers', 'params'];

/**
 * @param text a profile in YAML. With `lists`, each list has what stands above them, unless it says otherwise.
 * @param env replaces `${NAME}`.
 * @param base where paths of lists are, in place of the `url` above them.
 * @throws ProfileError that names the list and the key.
 */
export function parseProfiles(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  base?: string,
): readonly Named[] {
  const values = objectOf('a profile', parseYaml(text));
  const { lists, ...shared } = values;
  if (lists === undefined) return [{ name: undefined, profile: profileOf('', values, env) }];
  const named = Object.entries(objectOf('lists', lists));
  if (named.length === 0) throw new ProfileError('lists must have a list, such as { orders: { url: /orders } }');
  const root = base ?? shared['url'];
  return named.map(([name, own]): Named => {
    if (name.trim() !== name || !/^[^\s#]\S*$/.test(name))
      throw new ProfileError(`the name of a list has no spaces: ${JSON.stringify(name)}`);
    try {
      const all = { ...shared, ...objectOf('it', own) };
      const { url = root } = objectOf('it', own);
      for (const key of MERGED) {
        const [outer, inner] = [shared[key], all[key]];
        if (outer !== undefined && outer !== inner) all[key] = { ...objectOf(key, outer), ...objectOf(key, inner) };
      }
      return { name, profile: profileOf('', { ...all, url: urlOf(url, root) }, env) };
    } catch (error) {
      throw error instanceof ProfileError ? new ProfileError(`lists.${name}: ${error.message}`) : error;
    }
  });
}

/** @returns the URL of a list: a path is behind the one of all lists. */
function urlOf(own: unknown, root: unknown): unknown {
  if (typeof own !== 'string' || !own.startsWith('/')) return own;
  if (typeof root !== 'string' || !isHttp(root))
    throw new ProfileError('url is a path; add a base above `lists`, such as url: http://localhost:8000');
  return joined(root, own);
}

/** @returns a path behind a base URL. */
export const joined = (base: string, path: string): string =>
  `${base.replace(/[?#].*$/, '').replace(/\/+$/, '')}${path}`;
