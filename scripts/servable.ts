/**
 * Checks whether Rollcall can serve a contract: lists with at most one filter, and gets by id. `npm run generate` rejects any other
 * contract, so that handlers never ignore a part of it.
 */
import { dereference } from '../contract/document.ts';

interface Schema {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly example?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema?: Schema }>> }>>;
}
interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const OF_PATH = ['get', 'summary', 'description'];
const OF_OPERATION = ['operationId', 'tags', 'summary', 'description', 'externalDocs', 'deprecated'];
const HEADERS = ['If-None-Match'];
const CURSORS = ['after', 'before'];
const PAGING = ['limit', ...CURSORS];
const ENVELOPE = ['object', 'has_more', 'data'];
const JSON_TYPE = 'application/json';
const BY_ID = '/{id}';

const quoted = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(names.map((name) => `\`${name}\``));
const isSame = (a: readonly string[], b: readonly string[]): boolean => String(a.toSorted()) === String(b.toSorted());
const bodyOf = ({ responses }: Operation): Schema | undefined => responses['200']?.content?.[JSON_TYPE]?.schema;
const itemOf = (list: Operation): Schema | undefined => bodyOf(list)?.properties?.['data']?.items;
const namesIn = ({ parameters = [] }: Operation, place: string): readonly string[] =>
  parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
const schemaOf = ({ parameters = [] }: Operation, name: string): Schema | undefined =>
  parameters.find((parameter) => parameter.name === name)?.schema;
const unknownKeys = (node: object, known: readonly string[]): readonly string[] =>
  Object.keys(node).filter((name) => !known.includes(name) && !name.startsWith('x-'));

/**
 * @param document the contract, with its references unresolved.
 * @returns a sentence for each reason why Rollcall cannot serve it: the operation, the fault, and what is supported.
 * @throws Error if the target of a reference is not in the document.
 */
export function unservable(document: object): readonly string[] {
  const { paths, components } = dereference(structuredClone(document)) as Document; // The linters check that it is valid OpenAPI.
  return Object.entries(paths).flatMap(([path, item]) => {
    const others = unknownKeys(item, OF_PATH).map((name) => `${path} has \`${name}\`: a path supports only \`get\`.`);
    const { get } = item;
    if (get === undefined) return others;
    const list = path.endsWith(BY_ID) ? paths[path.slice(0, -BY_ID.length)]?.get : undefined;
    const isList = itemOf(get) !== undefined || !path.endsWith('}');
    const own = isList ? faultsOfList(path, get, components.schemas) : faultsOfGet(path, get, list, components.schemas);
    return [...others, ...[...faultsOfBoth(get), ...own].map((fault) => `${get.operationId} ${fault}`)];
  });
}

/** @returns the faults that lists and gets have in common, each as the predicate of a sentence about the operation. */
function* faultsOfBoth(operation: Operation): Generator<string> {
  const { parameters = [], responses } = operation;
  for (const name of unknownKeys(operation, [...OF_OPERATION, 'parameters', 'responses'])) {
    yield `has \`${name}\`, which is not supported: use ${quoted(['parameters', 'responses'])} only.`;
  }
  for (const { name } of parameters.filter((parameter) => parameter.in !== 'path' && parameter.required === true)) {
    yield `requires \`${name}\`: only path parameters may be required.`;
  }
  for (const { name } of parameters.filter(
    (parameter) => parameter.in === 'cookie' || (parameter.in === 'header' && !HEADERS.includes(parameter.name)),
  )) {
    yield `has \`${name}\`, which no handler reads: the only supported request header is ${quoted(HEADERS)}.`;
  }
  const successes = Object.keys(responses).filter((status) => /^(1|2|3|default)/.test(status) && status !== '304');
  if (!isSame(successes, ['200']) || !isSame(Object.keys(responses['200']?.content ?? {}), [JSON_TYPE])) {
    yield `has a success response other than 200 with \`${JSON_TYPE}\`, which is not supported.`;
  }
}

function* faultsOfList(path: string, list: Operation, schemas: Document['components']['schemas']): Generator<string> {
  if (path.includes('{')) {
    yield `has the path ${path}: the path of a list must have no parameter.`;
  }
  const query = namesIn(list, 'query');
  for (const missing of PAGING.filter((name) => !query.includes(name))) {
    yield `has no \`${missing}\`: a list must have the query parameters ${quoted(PAGING)}.`;
  }
  const { type, default: fallback, minimum = 0, maximum } = schemaOf(list, 'limit') ?? {};
  if (
    query.includes('limit') &&
    !(type === 'integer' && fallback !== undefined && minimum > 0 && maximum !== undefined)
  ) {
    yield 'has an invalid `limit`: it must be an integer with a default, a minimum above 0 and a maximum.';
  }
  for (const cursor of CURSORS.filter((name) => query.includes(name) && schemaOf(list, name) !== schemas['ItemId'])) {
    yield `has an \`${cursor}\` without the schema \`ItemId\`: cursors are UUIDs.`;
  }
  const envelope = bodyOf(list);
  const item = itemOf(list);
  if (item === undefined || !isSame(Object.keys(envelope?.properties ?? {}), ENVELOPE)) {
    yield `does not return the list envelope: it must have exactly the properties ${quoted(ENVELOPE)}.`;
  }
  if (item === undefined) return;
  yield* faultsOfItem(item, schemas);
  if (item.properties === undefined) return;
  const filters = query.filter((name) => !PAGING.includes(name));
  if (filters.length > 1) yield `has the filters ${quoted(filters)}: a list supports at most one.`;
  else for (const name of filters) yield* faultsOfFilter(name, schemaOf(list, name), item);
}

function* faultsOfItem(item: Schema, schemas: Document['components']['schemas']): Generator<string> {
  const { properties, required = [], example } = item;
  if (properties === undefined) {
    yield 'returns items whose schema has no `properties`: `allOf`, `oneOf` and `anyOf` are not supported.';
    return;
  }
  for (const [name, schema, what] of [
    ['id', 'Id', 'ids are UUIDs'],
    ['created_at', 'Timestamp', 'lists are ordered by it'],
  ] as const) {
    if (properties[name] !== schemas[schema] || !required.includes(name)) {
      yield `returns items without a required \`${name}\` with the schema \`${schema}\`: ${what}.`;
    }
  }
  if (example === undefined) yield 'returns items whose schema has no `example`: the test kit builds records from it.';
}

function* faultsOfFilter(
  name: string,
  schema: Schema | undefined,
  { properties = {}, required = [] }: Schema,
): Generator<string> {
  if (properties[name] === undefined || !required.includes(name)) {
    yield `has the query parameter \`${name}\`: a list supports ${quoted(PAGING)}, and one filter with the name of a required property of the items.`;
  } else if (properties[name] !== schema) {
    yield `filters by \`${name}\`: the filter and the property \`${name}\` must refer to the same schema.`;
  } else if (schema.type !== 'string' || schema.enum === undefined || schema.nullable === true) {
    yield `filters by \`${name}\`: the schema of a filter must be a string with an \`enum\`, and not nullable.`;
  }
}

function* faultsOfGet(
  path: string,
  get: Operation,
  list: Operation | undefined,
  schemas: Document['components']['schemas'],
): Generator<string> {
  const query = namesIn(get, 'query');
  if (query.length > 0) yield `has the query parameter ${quoted(query)}: a get supports no query parameters.`;
  if (list === undefined) {
    yield `has the path ${path}: the path of a get must be the path of a list followed by \`${BY_ID}\`.`;
    return;
  }
  if (schemaOf(get, 'id') !== schemas['ItemId']) yield 'has an `id` without the schema `ItemId`: ids are UUIDs.';
  if (bodyOf(get) !== itemOf(list)) yield `does not return the schema of the items of ${list.operationId}.`;
}
