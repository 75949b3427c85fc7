/**
 * Every state of the page is a link. The text after `#` is the target of the request, such as `#/contacts/imports?status=completed`.
 * The link of a record has the path that retrieves it (the path of its list and its id) and the query of the list beside it. A
 * person can copy the same request as a command and as code. Both name the variable that contains the key, and never contain the key.
 * Ids and filters may be hostile.
 */
import { escapeUnits } from '../shared/json.ts';
import { WORDS } from './contract.ts';
import type { Collection } from './contract.ts';

/** A state of the page: a list, and possibly a record of it. */
export interface Route {
  readonly collection: Collection;
  readonly query: URLSearchParams;
  readonly id: string | undefined;
}

/**
 * @param hash the hash of the page's URL.
 * @returns the route; undefined if the contract has no such path. Only paths of the contract may be requested, because the key is sent
 *   along.
 */
export function routeOf(hash: string, collections: readonly Collection[]): Route | undefined {
  const [, path = '', search = ''] = /^#?([^?]*)\??(.*)$/s.exec(hash) ?? [];
  const query = new URLSearchParams(search);
  for (const collection of collections) {
    if (path === collection.path) return { collection, query, id: undefined };
    if (!path.startsWith(`${collection.path}/`)) continue;
    const id = decoded(path.slice(collection.path.length + 1));
    // In the path of a URL, `.` and `..` are folders.
    if (id !== undefined && !['', '.', '..'].includes(id)) return { collection, query, id };
  }
  return undefined;
}

/** @returns a decoded segment of a path; undefined if there are several segments, or the encoding is invalid. */
function decoded(segment: string): string | undefined {
  try {
    return segment.includes('/') ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** @returns the target of a list's request, such as `/automations?limit=5`. */
export const listTarget = ({ path }: Collection, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query.toString()}`;

/** @returns the target of the request that retrieves a record. */
export const recordTarget = ({ path }: Collection, id: string): string =>
  `${path}/${encodeURIComponent(id.toWellFormed())}`;

/** @returns the link to a state of the page. */
export function hrefOf({ collection, query, id }: Route): string {
  const path = id === undefined ? collection.path : recordTarget(collection, id);
  return `#${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

/** @returns the query of another page: the query without its cursors, with the changes. */
export function changed(
  query: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(query);
  const all: typeof changes = { [WORDS.after]: undefined, [WORDS.before]: undefined, ...changes };
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** @returns the queries of the newer and the older page; undefined for a page that does not exist. */
export function neighbours(
  query: URLSearchParams,
  { ids, hasMore }: { readonly ids: readonly string[]; readonly hasMore: boolean },
): { readonly newer: URLSearchParams | undefined; readonly older: URLSearchParams | undefined } {
  const [first, last] = [ids[0], ids.at(-1)];
  // On the side of the cursor there is at least the item at the cursor, unless that item does not match the filter.
  const hasNewer = query.has(WORDS.before) ? hasMore : query.has(WORDS.after);
  const hasOlder = query.has(WORDS.before) || hasMore;
  return {
    newer: hasNewer && first !== undefined ? changed(query, { [WORDS.before]: first }) : undefined,
    older: hasOlder && last !== undefined ? changed(query, { [WORDS.after]: last }) : undefined,
  };
}

/**
 * @param query the query of a page
 * @param ids the ids on the page
 * @param id one of these ids
 * @returns the query of a page with this record alone.
 */
export function alone(
  query: URLSearchParams,
  ids: readonly string[],
  id: string,
  { limit }: Collection,
): URLSearchParams {
  const at = ids.indexOf(id);
  const [newer, older] = [ids[at - 1], ids[at + 1]];
  const cursor = older === undefined ? { [WORDS.after]: newer } : { [WORDS.before]: older };
  return changed(query, { ...cursor, [WORDS.limit]: String(limit.minimum) });
}

const VARIABLE = 'ROLLCALL_API_KEY';

/** @returns a command for sh. */
export const curlOf = (url: string): string =>
  `curl -sS -H "Authorization: Bearer $${VARIABLE}" '${url.replaceAll("'", "'\\''")}'`;

/** @returns the command that loads records of a collection. */
export const importOf = ({ noun }: Collection): string =>
  `rollcall import ${noun.replaceAll(' ', '-')} <file> --account <name>`;

/**
 * @param call the query of a page, or the id of a record.
 * @returns TypeScript code that uses the client.
 */
export function codeOf(
  baseUrl: string,
  collection: Collection,
  { query = new URLSearchParams(), id }: { readonly query?: URLSearchParams; readonly id?: string },
): string {
  const name = `client.${nameOf(collection)}`;
  const call =
    id === undefined
      ? `const page = await ${name}.list(${objectOf(query)});`
      : `const ${camel(collection.one)} = await ${name}.get(${quoted(id)});`;
  const shown = id === undefined ? 'page.data' : camel(collection.one);
  return [
    `import { createClient } from '@rollcall/client';`,
    '',
    `// The key comes from ${VARIABLE}.`,
    `const client = createClient({ baseUrl: ${quoted(baseUrl.replace(/\/$/, ''))} });`,
    call,
    `console.log(${shown});`,
    '',
  ].join('\n');
}

/** @returns the name of a collection in the client: `listSegments` lists `segments`. */
const nameOf = ({ operation }: Collection): string => operation.charAt(4).toLowerCase() + operation.slice(5);

/** @param words such as `contact import` @returns such as `contactImport`. */
const camel = (words: string): string => words.replaceAll(/ (.)/g, (_, letter: string) => letter.toUpperCase());

/** @returns the parameters of a query as a literal; an empty text if there are none. */
function objectOf(query: URLSearchParams): string {
  const entries = [...new Map(query)].map(([name, value]) => {
    const key = /^[a-z_]\w*$/i.test(name) && name !== '__proto__' ? name : `[${quoted(name)}]`;
    const isNumber = name === WORDS.limit && /^[1-9]\d{0,8}$/.test(value);
    return `${key}: ${isNumber ? value : quoted(value)}`;
  });
  return entries.length === 0 ? '' : `{ ${entries.join(', ')} }`;
}

/** @returns a text as a literal of TypeScript, in plain ASCII. */
const quoted = (text: string): string =>
  `'${text.replaceAll(/[\\']/g, '\\$&').replaceAll(/[^ -~]/gu, (character) => escapeUnits(character))}'`;
