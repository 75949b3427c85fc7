/** What the page knows of the API, all of it read from its contract. */
import { isObject } from '../shared/json.js';
import { instantOf } from './time.js';

/** The words of paging, the one thing that every list of the contract shares. */
export const WORDS = /** @type {const} */ ({
  id: 'id',
  data: 'data',
  hasMore: 'has_more',
  limit: 'limit',
  after: 'after',
  before: 'before',
});

/**
 * @typedef {{ name: string, label: string, kind: 'id' | 'choice' | 'time' | 'counts' | 'value', isNullable: boolean }} Column
 *   a property of records: its label, and what kind of value it has.
 * @typedef {{ name: string, label: string, values: readonly string[] }} Filter
 * @typedef {{ minimum: number, maximum: number, default: number }} Limit
 * @typedef {{
 *   path: string, operation: string, title: string, description: string, noun: string, one: string,
 *   filters: readonly Filter[], limit: Limit, columns: readonly Column[], lookup: string | undefined,
 * }} Collection its list: the path and operation, names for one and many, and the operation that looks one up, if there is.
 * @typedef {{ title: string, version: string, description: string, collections: readonly Collection[] }} Contract
 * @typedef {Record<string, any>} Node whatever the contract has.
 */

/**
 * @param {unknown} document
 * @returns {Contract}
 * @throws {TypeError} if it is not a contract with lists.
 */
export function contractOf(document) {
  if (!isObject(document) || !isObject(document['paths'])) throw new TypeError('This is not an OpenAPI document.');
  const root = /** @type {Node} */ (document);
  const at = resolver(root);
  const collections = Object.keys(root['paths']).flatMap((path) => {
    const collection = collectionOf(root, at, path);
    return collection === undefined ? [] : [collection];
  });
  if (collections.length === 0) throw new TypeError('The contract of this server has no lists.');
  const { title, version, description } = root['info'] ?? {};
  return { title: String(title), version: String(version), description: String(description ?? ''), collections };
}

/** @param {Node} root @returns {(node: Node | undefined) => Node} what stands at a reference, or the node itself. */
function resolver(root) {
  /** @param {Node | undefined} node @returns {Node} */
  const at = (node = {}) => {
    const reference = node['$ref'];
    if (typeof reference !== 'string') return node;
    const names = reference.split('/').slice(1);
    return at(names.reduce((it, name) => it?.[name], root));
  };
  return at;
}

/** @param {Node} root @param {(node: Node | undefined) => Node} at @param {string} path @returns {Collection | undefined} */
function collectionOf(root, at, path) {
  const list = okSchema(at, root, path);
  const item = at(list?.['properties'])?.[WORDS.data]?.items;
  if (item === undefined || path.includes('{')) return undefined;

  const { get } = root['paths'][path];
  /** @type {Node[]} */
  const parameters = (get.parameters ?? []).map(at).filter((/** @type {Node} */ it) => it['in'] === 'query');
  const limit = at(parameters.find((it) => it['name'] === WORDS.limit)?.['schema']);
  /** @type {readonly string[]} */
  const paging = [WORDS.limit, WORDS.after, WORDS.before];
  const filters = parameters
    .filter((it) => !paging.includes(it['name']) && Array.isArray(at(it['schema'])['enum']))
    .map(({ name, schema }) => ({ name, label: labelOf(name), values: at(schema)['enum'].map(String) }));
  const [title = get.summary ?? path] = get.tags ?? [];
  return {
    path,
    operation: String(get.operationId),
    title,
    description: root['tags']?.find((/** @type {Node} */ it) => it['name'] === title)?.description ?? '',
    noun: title.toLowerCase(),
    one: wordsOf(String(item['$ref'] ?? 'record').replace(/^.*\//, '')),
    filters,
    limit: { minimum: limit['minimum'] ?? 1, maximum: limit['maximum'] ?? Infinity, default: limit['default'] },
    columns: Object.entries(at(item)['properties'] ?? {}).flatMap(([name, schema]) => columnOf(at, name, at(schema))),
    lookup: lookupOf(root, path),
  };
}

/** @param {(node: Node | undefined) => Node} at @param {Node} root @param {string} path @returns {Node | undefined} */
function okSchema(at, root, path) {
  const media = at(root['paths'][path].get?.responses?.['200'])['content'];
  return media === undefined ? undefined : at(at(Object.values(media)[0])['schema']);
}

/** @param {Node} root @param {string} path of a list @returns {string | undefined} */
function lookupOf(root, path) {
  const [found] = Object.entries(root['paths']).filter(
    ([it]) => it.startsWith(`${path}/{`) && it.indexOf('}') === it.length - 1,
  );
  return found?.[1]?.get?.operationId;
}

/** @param {(node: Node | undefined) => Node} at @param {string} name @param {Node} schema @returns {Column[]} */
function columnOf(at, name, schema) {
  if (schema['enum']?.length === 1) return []; // The same for all records.
  const properties = Object.values(schema['properties'] ?? {}).map(at);
  const isCounts = properties.length > 0 && properties.every((it) => it['type'] === 'integer');
  /** @returns {Column['kind']} */
  const kind = () => {
    if (name === WORDS.id) return 'id';
    if (schema['enum'] !== undefined) return 'choice';
    if (instantOf(schema['example']) !== undefined) return 'time';
    return isCounts ? 'counts' : 'value';
  };
  return [{ name, label: labelOf(name), kind: kind(), isNullable: schema['nullable'] === true }];
}

/** @param {string} name such as `created_at` @returns {string} such as `Created at`. */
export function labelOf(name) {
  const words = name.replaceAll('_', ' ');
  return words === WORDS.id ? 'ID' : words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param {string} name such as `ContactImport` @returns {string} such as `contact import`. */
const wordsOf = (name) => name.replaceAll(/(?<=.)[A-Z]/g, ' $&').toLowerCase();
