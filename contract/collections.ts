/**
 * The collections, and the operations that serve each. Everything else about a collection derives from this table and from
 * the contract: its records, filter, limits and handlers, its validation and storage, and its names.
 */
import { OPERATIONS } from '../generated/operations.ts';
import type { Contract, Schema } from './document.ts';
import type { Body, Call, OperationId, Schemas, Status } from './types.ts';

/**
 * The table. `npm run generate` accepts only operations that the list handler and the get handler implement completely. The
 * compiler accepts only a list, and the get of its records, and requires an entry for each operation.
 */
const TABLE = {
  automations: served('listAutomations'),
  contactProperties: served('listContactProperties'),
  contactImports: served('listContactImports', 'getContactImport'),
} as const;

/** The list envelope of the contract. */
export interface List<R> {
  readonly object: Schemas['ListType'];
  readonly has_more: Schemas['AutomationList']['has_more'];
  readonly data: R[];
}

/** The pagination parameters of a list. */
interface Paging {
  readonly limit: number;
  readonly after?: string;
  readonly before?: string;
}

type Same<A, B> = [A, B] extends [B, A] ? true : false;
type Ok<Op extends OperationId> = Body<Op, Extract<Status<Op>, 200>>;
type Item<Op extends OperationId> = Ok<Op> extends List<infer R> ? R : never;
type Query<Op extends OperationId> = Call<Op>['query'];

/** An operation that returns a list. */
type AnyList = { [Op in OperationId]: Ok<Op> extends List<unknown> ? Op : never }[OperationId];

/** An operation that returns an `R`. */
type AnyGet<R> = { [Op in OperationId]: Same<Ok<Op>, R> extends true ? Op : never }[OperationId];

interface Served<L extends OperationId, G extends OperationId> {
  readonly list: L;
  readonly get: G | undefined;
}
function served<L extends AnyList, G extends AnyGet<Item<L>> = never>(list: L, get?: G): Served<L, G> {
  return { list, get };
}

export type Collection = keyof typeof TABLE;
export type ListOperation<C extends Collection> = (typeof TABLE)[C]['list'];
export type GetOperation<C extends Collection> = NonNullable<(typeof TABLE)[C]['get']>;

/** The records of each collection. */
export type Resources = { readonly [C in Collection]: Item<ListOperation<C>> };
/** The query parameter that filters a collection; `never` if the collection has no filter. */
export type FilterName<C extends Collection> = {
  [D in C]: Exclude<keyof Query<ListOperation<D>>, keyof Paging>;
}[C];
/** The values of a collection's filter; `never` if it has none. */
export type FilterValue<C extends Collection> = {
  [D in C]: NonNullable<Query<ListOperation<D>>[FilterName<D>]>;
}[C];
/** The query of a collection's list operation. */
export type ListParameters<C extends Collection> = Paging & Readonly<Partial<Record<FilterName<C>, FilterValue<C>>>>;

export const COLLECTIONS = Object.keys(TABLE) as readonly Collection[]; // `Object.keys` returns `string[]`.

/** @returns the operations that serve a collection; `get` is `undefined` if its records can only be listed. */
export function operationsOf(collection: Collection): Served<ListOperation<Collection>, GetOperation<Collection>> {
  return TABLE[collection];
}

/** @returns the path of a collection's list, such as `/contacts/imports`. */
export const pathOf = (collection: Collection): string => OPERATIONS[TABLE[collection].list].path;

const PAGING: ReadonlySet<string> = new Set(['limit', 'after', 'before'] satisfies (keyof Paging)[]);

const filters = new Map<Collection, string | undefined>();

/** @returns the query parameter that filters a collection, which is also a property of its records. It is looked up once. */
export function filterOf<C extends Collection>(collection: C): FilterName<C> | undefined {
  if (!filters.has(collection)) {
    const [filter, ...others] = OPERATIONS[TABLE[collection].list].query.filter((name) => !PAGING.has(name));
    if (others.length > 0) throw new Error(`The contract filters ${collection} in more than one way.`);
    filters.set(collection, filter);
  }
  return filters.get(collection) as FilterName<C> | undefined; // The type excludes the pagination parameters too.
}

/** @returns the schema of a collection's records. */
export function recordSchemaOf(contract: Contract, collection: Collection): Schema {
  const { responses } = contract.operation(TABLE[collection].list);
  const schema = responses.get(200)?.content?.['application/json']?.schema.properties?.['data']?.items;
  if (schema === undefined) throw new Error(`The contract has no schema of ${collection}.`);
  return schema;
}

const lowerCaseWords = (name: string, separator: string): string =>
  name.replaceAll(/(?<=.)[A-Z]/g, (letter) => separator + letter).toLowerCase();

/** @returns the name on the command line, such as `contact-imports`. */
export const commandName = (collection: Collection): string => lowerCaseWords(collection, '-');

/** @returns the name in a sentence, such as `contact imports`. */
export const noun = (collection: Collection): string => lowerCaseWords(collection, ' ');

/**
 * @returns the name of one record in a sentence, such as `contact import`: the id of the get operation without its verb;
 *   `item` if there is no such operation.
 */
export function singular(collection: Collection): string {
  const { get } = TABLE[collection];
  return get === undefined ? 'item' : lowerCaseWords(get.replace(/^[a-z]+/, ''), ' ');
}
