/** The sample of a profile: the body of a page with one or several items. What it has is served. */
import { pathOf, valueAt, valuesIn } from '../lists/json.ts';
import type { Path } from '../lists/json.ts';
import { TOTALS } from '../lists/list.ts';
import { ProfileError } from '../lists/profile-values.ts';
import type { Profile } from '../lists/profile.ts';
import { copyOf, isObject, setAt } from './json.ts';
import type { Json } from './json.ts';
import type { IdKind } from './scenario.ts';

/** Properties that usually differ between items, those of names first. */
const VARIED =
  'name title label subject summary description email username login key content text message body slug given_name handle'.split(
    ' ',
  );
const MAX_DEPTH = 4;
const DEFAULT_ID = 'k3Qz81';

export interface Sample {
  /** The body of a page, without its items. */
  readonly envelope: Json;
  /** The items, which take turns. */
  readonly items: readonly [Json, ...Json[]];
  /** The id of each of them. */
  readonly ids: readonly (string | number)[];
  readonly idKind: IdKind;
  /** The property besides the id that differs from item to item. */
  readonly varied: Path | undefined;
  readonly hasTotal: boolean;
  /** Whether the profile has a sample. */
  readonly isGiven: boolean;
}

/** @returns the sample of a profile, or one that has only what the profile names. @throws ProfileError if it has no item with an id. */
export function sampleOf({ sample, items: itemsPath, id, total }: Profile): Sample {
  const [at, idPath] = [pathOf(itemsPath), pathOf(id)];
  const isGiven = sample !== undefined;
  const body = isGiven ? (copyOf(sample) as Json) : bodyOf(at, idPath); // A value of YAML is one of JSON.
  const found = valueAt(body, at);
  const [first, ...others] = Array.isArray(found) ? (found as readonly Json[]) : [];
  const where = itemsPath === '' ? 'must be an array' : `must have an array at ${itemsPath}`;
  if (first === undefined) throw new ProfileError(`sample ${where}, with an item`);
  const items = [first, ...others] as const;
  const ids = items.map((item) => {
    const value = valueAt(item, idPath);
    if (typeof value === 'string' || typeof value === 'number') return value;
    throw new ProfileError(`each item of sample must have a string or a number at ${id === '' ? 'its root' : id}`);
  });
  setAt(body, at, []);
  return {
    ...{ items, ids, isGiven },
    envelope: at.length === 0 ? [] : body,
    idKind: isGiven ? kindOfId(ids[0] ?? '') : 'free',
    varied: items.every(isObject) ? variedIn(first, idPath) : undefined,
    hasTotal: total !== undefined || (at.length > 0 && totalsIn(body).length > 0),
  };
}

function bodyOf(items: Path, id: Path): Json {
  const item = id.length === 0 ? DEFAULT_ID : {};
  setAt(item, id, DEFAULT_ID);
  if (isObject(item)) setAt(item, [id[0] === 'name' ? 'title' : 'name'], 'First item');
  if (items.length === 0) return [item];
  const body = {};
  setAt(body, items, [item]);
  return body;
}

function kindOfId(id: string | number): IdKind {
  if (typeof id === 'number') return 'number';
  if (/^\d+$/.test(id)) return 'digits';
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? 'uuid' : 'letters';
}

function variedIn(item: Json, id: Path): Path | undefined {
  const paths = [...valuesIn(item, 2)].flatMap(({ path, value }) => (typeof value === 'string' ? [path] : []));
  const isId = (path: Path): boolean => path.join('.') === id.join('.');
  const rank = (path: Path): number => VARIED.indexOf(path.at(-1) ?? '');
  return paths
    .filter((path) => rank(path) >= 0 && !isId(path))
    .sort((a, b) => a.length - b.length || rank(a) - rank(b))[0];
}

/** @returns the paths of the numbers of a body that are its total. A number of the items of a page may have the name of one. */
export function totalsIn(body: unknown): readonly Path[] {
  const found = [...valuesIn(body, MAX_DEPTH)].flatMap(({ path, value }) =>
    typeof value === 'number' && TOTALS.includes(path.at(-1) ?? '') ? [path] : [],
  );
  const isCount = (path: Path): boolean => path.at(-1) === 'count';
  return found.some((path) => !isCount(path)) ? found.filter((path) => !isCount(path)) : found;
}
