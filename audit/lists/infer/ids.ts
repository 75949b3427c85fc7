/** The id of an item: a text or a number, up to three levels deep, that is different in every item. */
import { pathOf, pathText, valueAt } from '../json.ts';
import type { Path } from '../json.ts';

const MAX_DEPTH = 3;
// A faulty list may hold items twice.
const MAX_COPIES = 3;
const MAX_NAMES = 200;

/** Names of ids, the surest first. An id of another one of the list's items, as `parent_id`, comes after the items' own. */
const NAMES: readonly RegExp[] = [
  /^[@$_]?id_?$/i,
  /^(uuid|guid|uid|sid|gid|pk|_key|objectid|identifier)$/i,
  /(Id|ID|_id|Uid|Uuid|_uuid|_uid)$|^(page|user|item|order|node|post|object|record|account|product|customer)id$/,
  /^(key|code|ref|reference|number|doi|isbn|sku|slug|hash|sha|handle|username|login|email|iata)$/i,
  /^(href|self|url|uri|link)$/i,
  /name|title|symbol|label|address|path|domain|host/i,
];
/** The ranks before this one are those of the item's own id, whatever a list does. `customer_id` may be that of another item. */
const GUESSED = 2;

/** Whether a property may be none, so that two different items may have the same. */
export const isGuess = (id: string): boolean => rankOf(pathOf(id), '') >= GUESSED;

/** @returns how sure a property is an id, the surest first. @param noun what the items are, in lower case. */
function rankOf(path: Path, noun: string): number {
  const name = path.at(-1) ?? '';
  const bare = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (path.length === 0) return 0;
  const isNoun = noun !== '' && (bare === `${noun}id` || bare === noun);
  const rank = isNoun && bare !== noun ? 0 : NAMES.findIndex((it) => it.test(name));
  // What is inside of an object may be the id of something else, unless it wraps the item.
  const isInside =
    path.length > 1 &&
    !/^(node|resource|data|attributes|sys|item|document|_?source|properties|metadata|self|_links)$/i.test(
      path[0] ?? '',
    );
  return (
    (rank < 0 ? NAMES.length : rank) + (path.length - 1) / 4 + (isInside ? 2 : 0) + (isNoun && bare === noun ? -1 : 0)
  );
}

/**
 * @param whole the items of a page of the usual size.
 * @param probed those of a small page that begins with the same items.
 * @param items the name of the array.
 * @returns the paths that may be the id, the surest first.
 */
export function idsOf(whole: readonly unknown[], probed: readonly unknown[], items: string): readonly string[] {
  const all = whole.length === 0 ? probed : whole;
  const noun = nounOf(items);
  const paths = pathsIn(all[0] ?? probed[0]).filter((path) =>
    [...whole, ...probed].every((it) => isId(valueAt(it, path))),
  );
  const fits = paths.filter((path) => {
    const values = all.map((it) => valueAt(it, path));
    if (Array.isArray(all[0])) return areAllDistinct(values);
    return rankOf(path, noun) < GUESSED
      ? areMostlyDistinct(values)
      : areAllDistinct(values) && !isPlace(values) && !isVolatile(path, all, probed);
  });
  // Items of a join may share the first one.
  const unique = fits.filter((path) => areAllDistinct(all.map((it) => valueAt(it, path))));
  const ranked = (some: readonly Path[]): readonly Path[] =>
    [...some].sort((a, b) => rankOf(a, noun) - rankOf(b, noun));
  return [...new Set([...ranked(unique), ...ranked(fits)])].map(pathText);
}

/** @returns what a list has: `room` of `data.rooms`. */
const nounOf = (items: string): string =>
  (items.split('.').at(-1) ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$|s$/, '');

/** @returns the paths of the plain values of an item, in their order. */
function pathsIn(item: unknown): readonly Path[] {
  const found: Path[] = [];
  // A row of a table has no names: its key usually comes first.
  if (Array.isArray(item)) return [['0']];
  const inside = (value: unknown, path: Path): void => {
    if (found.length >= MAX_NAMES) return;
    if (typeof value !== 'object' || value === null) found.push(path);
    else if (!Array.isArray(value) && path.length < MAX_DEPTH)
      for (const [name, inner] of Object.entries(value)) inside(inner, [...path, name]);
  };
  inside(item, []);
  return found;
}

/** Whether a value may be an id: no instant, and no part of a number. */
const isId = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '' && !/^\d{4}-\d\d-\d\d([T ]|$)|^\w{3}, \d\d \w{3} \d{4}/.test(value)) ||
  (typeof value === 'number' && (Number.isInteger(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER));

/** Two numbers beyond 2^53 may look the same. */
const told = (values: readonly unknown[]): readonly unknown[] =>
  values.map((it, at) => (Number.isInteger(it) && !Number.isSafeInteger(it) ? `${String(it)} ${String(at)}` : it));

const areAllDistinct = (values: readonly unknown[]): boolean => new Set(told(values)).size === values.length;

/** Whether the values may be ids of a faulty list that holds some items twice. */
function areMostlyDistinct(values: readonly unknown[]): boolean {
  const { size } = new Set(told(values));
  return size === values.length || (size > 1 && size * MAX_COPIES >= values.length);
}

/** Whether the values are the places of the items: they would be the same on every page, or hide what is missing. */
const isPlace = (values: readonly unknown[]): boolean =>
  values.length > 1 && [0, 1].some((first) => values.every((it, at) => Number(it) === at + first));

/** Whether a value differs when the same items are read again, as a signed URL does. */
function isVolatile(path: Path, whole: readonly unknown[], probed: readonly unknown[]): boolean {
  const known = new Set(whole.map((it) => valueAt(it, path)));
  return probed.length < whole.length && probed.length > 0 && probed.every((it) => !known.has(valueAt(it, path)));
}
