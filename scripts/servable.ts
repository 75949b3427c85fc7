/**
 * Which contracts Rollcall can serve: lists with at most one filter, and gets by id. `npm run generate` rejects any other, so that the
 * handlers never ignore what the contract says.
 */
import { dereference } from '../server/contract/document.ts';

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
const HEADERS = ['If-None-Match', 'X-Request-Id'];
const CURSORS = ['after', 'before'];
const PAGING = ['limit', ...CURSORS];
const ENVELOPE = ['object', 'has_more', 'data'];
const JSON_TYPE = 'application/json';
const BY_ID = '/{id}';

const quoted = (names: readonly string[]): string =>
  new Intl.ListFormat('en-GB').format(names.map((it) => `\`${it}\``));
const isSame = (a: readonly string[], b: readonly string[]): boolean => String(a.toSorted()) === String(b.toSorted());
const bodyOf = ({ responses }: Operation): Schema | undefined => responses['200']?.content?.[JSON_TYPE]?.schema;
const itemOf = (list: Operation): Schema | undefined => bodyOf(list)?.properties?.['data']?.items;
const namesIn = ({ parameters = [] }: Operation, place: string): readonly string[] =>
  parameters.filter((it) => it.in === place).map((it) => it.name);
const schemaOf = ({ parameters = [] }: Operation, name: string): Schema | undefined =>
  parameters.find((it) => it.name === name)?.schema;
const unknownKeys = (node: object, known: readonly string[]): readonly string[] =>
  Object.keys(node).filter((it) => !known.includes(it) && !it.startsWith('x-'));

/**
 * @param document the contract as it is written, with its references.
 * @returns a sentence for each reason why Rollcall cannot serve it: the operation, what is wrong, and what is allowed.
 * @throws Error if a reference has no target in the document.
 */
export function unservable(document: object): readonly string[] {
  const { paths, components } = dereference(structuredClone(document)) as Document; // The linters check that it is valid OpenAPI.
  return Object.entries(paths).flatMap(([path, item]) => {
    const others = unknownKeys(item, OF_PATH).map((it) => `${path} has \`${it}\`: a path has \`get\` alone.`);
    const { get } = item;
    if (get === undefined) return others;
    const list = path.endsWith(BY_ID) ? paths[path.slice(0, -BY_ID.length)]?.get : undefined;
    const isList = itemOf(get) !== undefined || !path.endsWith('}');
    const own = isList ? faultsOfList(path, get, components.schemas) : faultsOfGet(path, get, list, components.schemas);
    return [...others, ...[...faultsOfBoth(get), ...own].map((it) => `${get.operationId} ${it}`)];
  });
}

/** The faults of an operation of either kind. Each is the rest of a sentence that begins with the name of the operation. */
function* faultsOfBoth(operation: Operation): Generator<string> {
  const { parameters = [], responses } = operation;
  for (const it of unknownKeys(operation, [...OF_OPERATION, 'parameters', 'responses'])) {
    yield `has \`${it}\`, which has no effect: what it may have is ${quoted(['parameters', 'responses'])}.`;
  }
  for (const { name } of parameters.filter((it) => it.in !== 'path' && it.required === true)) {
    yield `requires \`${name}\`: only the parameter of a path is required.`;
  }
  for (const { name } of parameters.filter(
    (it) => it.in === 'cookie' || (it.in === 'header' && !HEADERS.includes(it.name)),
  )) {
    yield `has \`${name}\`, which no handler reads: the headers of requests are ${quoted(HEADERS)}.`;
  }
  const successes = Object.keys(responses).filter((it) => /^(1|2|3|default)/.test(it) && it !== '304');
  if (!isSame(successes, ['200']) || !isSame(Object.keys(responses['200']?.content ?? {}), [JSON_TYPE])) {
    yield `responds otherwise than with 200 and \`${JSON_TYPE}\`: no other success is served.`;
  }
}

function* faultsOfList(path: string, list: Operation, schemas: Document['components']['schemas']): Generator<string> {
  if (path.includes('{')) {
    yield `has the path ${path}, and would return the items of every parent: the path of a list has no parameter.`;
  }
  const query = namesIn(list, 'query');
  for (const it of PAGING.filter((name) => !query.includes(name))) {
    yield `has no \`${it}\`: a list has the query parameters ${quoted(PAGING)}.`;
  }
  const { type, default: fallback, minimum = 0, maximum } = schemaOf(list, 'limit') ?? {};
  if (
    query.includes('limit') &&
    !(type === 'integer' && fallback !== undefined && minimum > 0 && maximum !== undefined)
  ) {
    yield 'has a `limit` that is no integer with a default, a minimum above 0 and a maximum.';
  }
  for (const it of CURSORS.filter((name) => query.includes(name) && schemaOf(list, name) !== schemas['AnyCaseId'])) {
    yield `has an \`${it}\` that is not the schema \`AnyCaseId\`: cursors are UUIDs.`;
  }
  const envelope = bodyOf(list);
  const item = itemOf(list);
  if (item === undefined || !isSame(Object.keys(envelope?.properties ?? {}), ENVELOPE)) {
    yield `does not return the envelope of lists: it has the properties ${quoted(ENVELOPE)}, and no other.`;
  }
  if (item === undefined) return;
  yield* faultsOfItem(item, schemas);
  if (item.properties === undefined) return;
  const filters = query.filter((it) => !PAGING.includes(it));
  if (filters.length > 1) yield `has the filters ${quoted(filters)}: a list has one at most.`;
  else for (const it of filters) yield* faultsOfFilter(it, schemaOf(list, it), item);
}

function* faultsOfItem(item: Schema, schemas: Document['components']['schemas']): Generator<string> {
  const { properties, required = [], example } = item;
  if (properties === undefined) {
    yield 'returns items that are no objects with `properties`: no `allOf`, `oneOf` or `anyOf` takes their place.';
    return;
  }
  for (const [name, schema, what] of [
    ['id', 'Id', 'ids are UUIDs'],
    ['created_at', 'Timestamp', 'lists are ordered by it'],
  ] as const) {
    if (properties[name] !== schemas[schema] || !required.includes(name)) {
      yield `returns items without a required \`${name}\` of the schema \`${schema}\`: ${what}.`;
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
    yield `has the query parameter \`${name}\`: besides ${quoted(PAGING)} there may be a filter, which has the name of a required property of the items.`;
  } else if (properties[name] !== schema) {
    yield `filters by \`${name}\`, whose schema is not that of the property \`${name}\`: both refer to one schema.`;
  } else if (schema.type !== 'string' || schema.enum === undefined || schema.nullable === true) {
    yield `filters by \`${name}\`, whose values are not listed: the schema of a filter is a string with an \`enum\`, and never null.`;
  }
}

function* faultsOfGet(
  path: string,
  get: Operation,
  list: Operation | undefined,
  schemas: Document['components']['schemas'],
): Generator<string> {
  const query = namesIn(get, 'query');
  if (query.length > 0) yield `has the query parameter ${quoted(query)}: a get has none.`;
  if (list === undefined) {
    yield `has the path ${path}: the path of a get is that of a list, and \`${BY_ID}\` after it.`;
    return;
  }
  if (schemaOf(get, 'id') !== schemas['AnyCaseId'])
    yield 'has an `id` that is not the schema `AnyCaseId`: ids are UUIDs.';
  if (bodyOf(get) !== itemOf(list)) yield `returns another schema than the items of ${list.operationId}.`;
}
