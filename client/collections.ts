/** The collections of the contract, by name. They derive from its operations: a new collection needs no edit here. */
import type { operations } from '../generated/openapi.ts';
import { OPERATIONS } from '../generated/operations.ts';
import { itemOf, pageOf } from './answers.ts';
import type { Item } from './answers.ts';
import type { Ask } from './ask.ts';
import { List } from './list.ts';
import type { Cursor, FetchPage, Page, WalkOptions } from './list.ts';

type Facts = typeof OPERATIONS;
type Envelope = Omit<Page<Item>, 'response'>;
/** The body that an operation answers with. */
type Body<Op extends keyof operations> = operations[Op]['responses'][200]['content']['application/json'];

/** An operation `list<Name>` that answers the list envelope, at a path without parameters. */
export type ListOperation = {
  [Op in keyof operations & `list${string}`]: Body<Op> extends Envelope
    ? Facts[Op]['path'] extends `${string}{${string}`
      ? never
      : Op
    : never;
}[keyof operations & `list${string}`];

/** The operation at the path of a list with `/{id}` behind it; `never` if there is none. */
type GetOperation<Op extends ListOperation> = {
  [Get in keyof Facts]: Facts[Get]['path'] extends `${Facts[Op]['path']}/{id}` ? Get : never;
}[keyof Facts];

/** Filters of a list, and what a walk takes. */
export type ListOptions<Op extends ListOperation> = Omit<
  NonNullable<operations[Op]['parameters']['query']>,
  keyof WalkOptions | keyof Cursor
> &
  WalkOptions &
  Cursor;

export interface GetOptions {
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

interface Listable<Op extends ListOperation> {
  /** The account's items, newest first: awaited, one page of them; iterated, all of them. */
  list(options?: ListOptions<Op>): List<Body<Op>['data'][number]>;
}

interface Gettable<Op extends keyof operations> {
  /** One item by its id. Rejects with an ApiError `not_found` if there is none with this id. */
  get(id: string, options?: GetOptions): Promise<Body<Op>>;
}

type Collection<Op extends ListOperation> = Listable<Op> &
  ([GetOperation<Op>] extends [never] ? unknown : Gettable<GetOperation<Op>>);

/** The collections by their names: `listSegments` is of `segments`. */
export type Collections = {
  readonly [Op in ListOperation as Op extends `list${infer Name}` ? Uncapitalize<Name> : never]: Collection<Op>;
};

/** @returns the collections, from how a path is asked for. */
export function createCollections(ask: Ask): Collections {
  const paths = Object.values(OPERATIONS).map((it): string => it.path);
  const collections: Record<string, object> = {};
  for (const [operation, { path }] of Object.entries(OPERATIONS)) {
    if (!operation.startsWith('list') || path.includes('{')) continue;
    const name = operation.charAt(4).toLowerCase() + operation.slice(5);
    const itemPath = `${path}/{id}`;
    const list = lister(ask, path);
    collections[name] = paths.includes(itemPath) ? { list, get: getter(ask, itemPath) } : { list };
  }
  // The loop follows the rules of the type, over the same operations.
  return collections as unknown as Collections;
}

function lister(ask: Ask, path: string) {
  return (options: WalkOptions & Cursor = {}): List<Item> => {
    const { limit: _limit, max: _max, signal, after: _after, before: _before, ...filter } = options;
    const fetchPage: FetchPage<Item> = async (cursor, limit) =>
      pageOf(await ask(path, { query: { ...filter, ...cursor, limit } }, { signal }));
    return new List(fetchPage, options);
  };
}

function getter(ask: Ask, path: string) {
  return async (id: string, { signal }: GetOptions = {}): Promise<Item> =>
    itemOf(await ask(path, { path: { id } }, { signal }));
}
