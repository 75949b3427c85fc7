/**
 * Every state is a link: what follows `#` is the request itself, such as `#/contacts/imports?status=completed`. A record is
 * the path of its list and its id, as in a look-up, and its query is that of the list beside it.
 */
import { WORDS } from './contract.js';

/**
 * @typedef {import('./contract.js').Collection} Collection
 * @typedef {{ collection: Collection, query: URLSearchParams, id: string | undefined }} Place
 */

/**
 * @param {string} hash of the page's URL.
 * @param {readonly Collection[]} collections
 * @returns {Place | undefined} undefined if it is nothing that the contract has. Nothing else may be asked for: the key goes along.
 */
export function placeOf(hash, collections) {
  const [, path = '', search = ''] = /^#?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const query = new URLSearchParams(search);
  for (const collection of collections) {
    if (path === collection.path) return { collection, query, id: undefined };
    if (!path.startsWith(`${collection.path}/`)) continue;
    const id = decoded(path.slice(collection.path.length + 1));
    // A URL would take dots for a folder.
    if (id !== undefined && !['', '.', '..'].includes(id)) return { collection, query, id };
  }
  return undefined;
}

/** @param {string} segment of a path @returns {string | undefined} undefined if it is more than one, or encoded badly. */
function decoded(segment) {
  try {
    return segment.includes('/') ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** @param {Collection} collection @param {URLSearchParams} query @returns {string} the target of a request, such as `/automations?limit=5`. */
export const targetOf = ({ path }, query) => (query.size === 0 ? path : `${path}?${String(query)}`);

/** @param {Collection} collection @param {string} id @returns {string} the target of a look-up. */
export const lookupTarget = ({ path }, id) => `${path}/${encodeURIComponent(id.toWellFormed())}`;

/** @param {Place} place @returns {string} the link to it. */
export function hrefOf({ collection, query, id }) {
  const path = id === undefined ? collection.path : lookupTarget(collection, id);
  return `#${path}${query.size === 0 ? '' : `?${String(query)}`}`;
}

/**
 * @param {URLSearchParams} query
 * @param {Readonly<Record<string, string | undefined>>} changes
 * @returns {URLSearchParams} another page: without cursors, and with the changes.
 */
export function changed(query, changes) {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries({ [WORDS.after]: undefined, [WORDS.before]: undefined, ...changes })) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/**
 * @param {URLSearchParams} query of a page
 * @param {{ ids: readonly string[], hasMore: boolean }} page
 * @returns {{ newer: URLSearchParams | undefined, older: URLSearchParams | undefined }} its neighbours, as far as there are any.
 */
export function neighbours(query, { ids, hasMore }) {
  const [first, last] = [ids[0], ids.at(-1)];
  // In the direction the page comes from there is at least the item at the cursor, unless it does not match the filter.
  const hasNewer = query.has(WORDS.before) ? hasMore : query.has(WORDS.after);
  const hasOlder = query.has(WORDS.before) || hasMore;
  return {
    newer: hasNewer && first !== undefined ? changed(query, { [WORDS.before]: first }) : undefined,
    older: hasOlder && last !== undefined ? changed(query, { [WORDS.after]: last }) : undefined,
  };
}

/**
 * @param {URLSearchParams} query of a page
 * @param {readonly string[]} ids of the page
 * @param {string} id one of them
 * @param {Collection} collection
 * @returns {URLSearchParams} of the page that holds this record alone.
 */
export function alone(query, ids, id, { limit }) {
  const at = ids.indexOf(id);
  const [newer, older] = [ids[at - 1], ids[at + 1]];
  const cursor = older === undefined ? { [WORDS.after]: newer } : { [WORDS.before]: older };
  return changed(query, { ...cursor, [WORDS.limit]: String(limit.minimum) });
}
