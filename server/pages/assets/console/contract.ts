/** The page's knowledge of the API and of the values in its records. All of it is read from the contract. */
import { isObject } from '../shared/json.ts';

/** The names of pagination, which every list of the contract shares. */
export const WORDS = {
  id: 'id',
  data: 'data',
  hasMore: 'has_more',
  limit: 'limit',
  after: 'after',
  before: 'before',
} as const;

/** A property of records. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly kind: 'id' | 'choice' | 'time' | 'counts' | 'value';
  readonly isNullable: boolean;
}
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}
export interface Limit {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}
export interface Collection {
  readonly path: string;
  readonly operation: string;
  readonly title: string;
  readonly description: string;
  /** The nouns for many records (`noun`) and for one record (`one`). */
  readonly noun: string;
  readonly one: string;
  readonly filters: readonly Filter[];
  readonly limit: Limit;
  readonly columns: readonly Column[];
  /** The operation that retrieves a record by its id, if there is one. */
  readonly retrieval: string | undefined;
  /** The format of ids in requests, if the contract has one. */
  readonly idFormat: IdFormat | undefined;
}
export interface IdFormat {
  readonly pattern: RegExp;
  readonly example: string;
}
export interface Contract {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The form of the keys that the server creates. It may accept others too. */
  readonly keyPattern: RegExp | undefined;
  readonly collections: readonly Collection[];
}
/** Any object of an OpenAPI document, with the properties that are read here. */
interface Node {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly schema?: Node;
  readonly content?: Readonly<Record<string, Node>>;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly nullable?: boolean;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Node[];
  readonly responses?: Readonly<Record<string, Node>>;
}
interface Document {
  readonly info?: { readonly title?: string; readonly version?: string; readonly description?: string };
  readonly tags?: readonly Node[];
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components?: { readonly securitySchemes?: Readonly<Record<string, { readonly 'x-key-pattern'?: string }>> };
}

/** Returns the object that a reference points to, or the object itself. */
type Resolve = (node: Node | undefined) => Node;

/** @throws {TypeError} if the document is not a contract with lists. */
export function contractOf(document: unknown): Contract {
  if (!isObject(document) || !isObject(document['paths'])) throw new TypeError('This is not an OpenAPI document.');
  const root = document as unknown as Document; // The contract of this server, which linters check.
  const resolve = resolver(root);
  const collections = Object.keys(root.paths).flatMap((path) => collectionOf(root, resolve, path) ?? []);
  if (collections.length === 0) throw new TypeError('The contract has no lists.');
  const { title, version, description } = root.info ?? {};
  const [keyPattern] = Object.values(root.components?.securitySchemes ?? {}).map((scheme) => scheme['x-key-pattern']);
  return {
    ...{ title: String(title), version: String(version), description: description ?? '', collections },
    keyPattern: keyPattern === undefined ? undefined : new RegExp(`^${keyPattern}$`),
  };
}

function resolver(root: Document): Resolve {
  const resolve = (node: Node = {}): Node => {
    if (typeof node.$ref !== 'string') return node;
    const names = node.$ref.split('/').slice(1);
    return resolve(
      names.reduce<unknown>((within, name) => (isObject(within) ? within[name] : undefined), root) as Node | undefined,
    );
  };
  return resolve;
}

function collectionOf(root: Document, resolve: Resolve, path: string): Collection | undefined {
  const get = root.paths[path]?.get;
  const item = resolve(okSchema(resolve, get)?.properties?.[WORDS.data]).items;
  if (get === undefined || item === undefined || path.includes('{')) return undefined;

  const parameters = (get.parameters ?? []).map(resolve).filter((parameter) => parameter.in === 'query');
  const limit = resolve(parameters.find(({ name }) => name === WORDS.limit)?.schema);
  const pagination: readonly unknown[] = [WORDS.limit, WORDS.after, WORDS.before];
  const filters = parameters.flatMap(({ name = '', schema }) => {
    const values = resolve(schema).enum;
    if (pagination.includes(name) || !Array.isArray(values)) return [];
    return [{ name, label: labelOf(name), values: values.map(String) }];
  });
  const [title = get.summary ?? path] = get.tags ?? [];
  return {
    path,
    operation: get.operationId,
    title,
    description: root.tags?.find((tag) => tag.name === title)?.description ?? '',
    noun: title.toLowerCase(),
    one: wordsOf((item.$ref ?? 'record').replace(/^.*\//, '')),
    filters,
    // The contract gives every limit a default.
    limit: { minimum: limit.minimum ?? 1, maximum: limit.maximum ?? Infinity, default: limit.default ?? 0 },
    columns: Object.entries(resolve(item).properties ?? {}).flatMap(([name, schema]) =>
      columnOf(resolve, name, schema),
    ),
    retrieval: retrievalOf(root, path),
    idFormat: idFormatOf(resolve(parameters.find(({ name }) => name === WORDS.after)?.schema)),
  };
}

const idFormatOf = ({ pattern, example }: Node): IdFormat | undefined =>
  pattern === undefined ? undefined : { pattern: new RegExp(pattern, 'u'), example: String(example) };

/** @returns whether the API can have a record with this id. */
export const isId = ({ idFormat }: Collection, id: string): boolean => idFormat?.pattern.test(id) !== false;

/** @returns a message about an id that the API rejects. */
export const malformed = ({ idFormat }: Collection): string =>
  idFormat === undefined ? 'This is not an id.' : `This is not an id. An id looks like \`${idFormat.example}\`.`;

/** @returns the column that names a record for people, if there is one. */
export const titleOf = ({ columns }: Collection): Column | undefined =>
  columns.find(({ kind, isNullable }) => kind === 'value' && !isNullable);

function okSchema(resolve: Resolve, operation: Operation | undefined): Node | undefined {
  const { content } = resolve(operation?.responses?.['200']);
  return content === undefined ? undefined : resolve(resolve(Object.values(content)[0]).schema);
}

/** @param path the path of a list. @returns the operation that retrieves one of its records. */
function retrievalOf(root: Document, path: string): string | undefined {
  const byId = Object.entries(root.paths).find(
    ([template]) => template.startsWith(`${path}/{`) && template.indexOf('}') === template.length - 1,
  );
  return byId?.[1].get?.operationId;
}

function columnOf(resolve: Resolve, name: string, node: Node): Column[] {
  const schema = resolve(node);
  if (schema.enum?.length === 1) return []; // The value is the same in all records.
  const properties = Object.values(schema.properties ?? {}).map(resolve);
  const isCounts = properties.length > 0 && properties.every(({ type }) => type === 'integer');
  const kind = (): Column['kind'] => {
    if (name === WORDS.id) return 'id';
    if (schema.enum !== undefined) return 'choice';
    if (instantOf(schema.example) !== undefined) return 'time';
    return isCounts ? 'counts' : 'value';
  };
  return [{ name, label: labelOf(name), kind: kind(), isNullable: schema.nullable === true }];
}

/** @param name such as `created_at` @returns such as `Created at`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words === WORDS.id ? 'ID' : words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param name such as `ContactImport` @returns such as `contact import`. */
const wordsOf = (name: string): string => name.replaceAll(/(?<=.)[A-Z]/g, ' $&').toLowerCase();

// The timestamps of the API, which are not RFC 3339.
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:([+-]\d\d)(:\d\d)?|Z)$/;

/** @returns the instant, to the millisecond; undefined if the value is not a timestamp. */
export function instantOf(value: unknown): Date | undefined {
  const [, date, time, fraction = '', hours = '+00', minutes = ':00'] = TIMESTAMP.exec(String(value)) ?? [];
  if (date === undefined) return undefined;
  const instant = new Date(`${date}T${String(time)}${fraction}${hours}${minutes}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** The contract's name for the count of the whole work. The other counts beside it are its parts. */
export const TOTAL = 'total';

/** The progress of a record that counts its work and has a time at which it ended. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly isRunning: boolean;
}

/**
 * The contract does not say which statuses mean that a record is running. It has a time that is null until the record has ended.
 * @returns the progress; undefined for records without progress.
 */
export function progressOf({ columns }: Collection, record: Readonly<Record<string, unknown>>): Progress | undefined {
  const counts = columns.filter(({ kind }) => kind === 'counts').map(({ name }) => record[name])[0];
  const end = columns.find(({ kind, isNullable }) => kind === 'time' && isNullable);
  if (!isObject(counts) || end === undefined) return undefined;
  const { total, parts } = partsOf(counts);
  if (typeof total !== 'number') return undefined;
  const done = parts.reduce((sum, [, count]) => sum + (Number(count) || 0), 0);
  return { done, total, isRunning: record[end.name] === null };
}

/** @returns the count of the whole work, and the counts of its parts. */
export function partsOf({ [TOTAL]: total, ...parts }: Readonly<Record<string, unknown>>): {
  readonly total: unknown;
  readonly parts: readonly (readonly [name: string, count: unknown])[];
} {
  return { total, parts: Object.entries(parts) };
}
