/** The collections of the contract, by name. They derive from its operations, so a new collection needs no change here. */
import type * as Models from '../generated/models.ts';
import { OPERATIONS } from '../generated/operations.ts';
import { Call } from './call.ts';
import type { CallOptions } from './fetch.ts';
import { List } from './list.ts';
import type { AnyWalk, Cursor, Envelope, FetchPage, WalkOptions } from './list.ts';
import { isItem } from './request.ts';
import type { Item, Kind, Requester } from './request.ts';

type Lists = Models.Collections;
export type CollectionName = keyof Lists;

/** The options of a list: the filters of its collection, a limit, a cursor, and the options of every call and traversal. */
export type ListOptions<Name extends CollectionName> = Readonly<Omit<Lists[Name]['list']['query'], keyof Cursor>> &
  Cursor<Lists[Name]['list']['query']> &
  WalkOptions;

/** `list` and, if the contract has it, `get`. A mapped type, so that editors show the descriptions of the contract. */
type Methods<Name extends CollectionName> = {
  readonly [M in keyof Lists[Name]]: Lists[Name][M] extends { query: object; item: infer T extends Item }
    ? (options?: ListOptions<Name>) => List<T>
    : Lists[Name][M] extends { item: infer T }
      ? (id: string, options?: CallOptions) => Call<T>
      : never;
};

/** The collections by name: the operation `listSegments` belongs to `segments`. */
export type Collections = { readonly [Name in CollectionName]: Methods<Name> };

/** What the client reads of an operation. */
interface Facts {
  readonly path: string;
  /** The greatest value of each query parameter that has one. */
  readonly maximums: { readonly limit?: number };
}

/** @param request sends a request to a path of the contract. */
export function createCollections(request: Requester): Collections {
  const operations: Readonly<Record<string, Facts>> = OPERATIONS;
  const paths = Object.values(operations).map(({ path }) => path);
  const collections: Record<string, object> = {};
  for (const [operation, { path, maximums }] of Object.entries(operations)) {
    if (!operation.startsWith('list') || path.includes('{')) continue;
    const name = operation.charAt(4).toLowerCase() + operation.slice(5);
    const itemPath = `${path}/{id}`;
    const list = lister(request, path, maximums.limit);
    collections[name] = paths.includes(itemPath) ? { list, get: getter(request, itemPath) } : { list };
  }
  // The loop applies the rules of the type to the same operations.
  return collections as unknown as Collections;
}

function lister(request: Requester, path: string, maxLimit = Infinity) {
  return (options: AnyWalk = {}): List<Item> => {
    const { limit: usual, max: _max, after, before, signal, headers, timeoutMs, retry, ...filter } = options;
    // If both are given, both are sent, and the server rejects them.
    const both = after === undefined || before === undefined ? {} : { after, before };
    const fetchPage: FetchPage<Item> = (cursor, max) => {
      const limit = max === Infinity ? usual : Math.min(usual ?? maxLimit, max);
      const query = { ...filter, ...cursor, ...both, limit };
      return request(path, { query }, { signal, headers, timeoutMs, retry }, LIST);
    };
    return new List(fetchPage, options);
  };
}

function getter(request: Requester, path: string) {
  return (id: string, options: CallOptions = {}): Call<Item> =>
    new Call(() => request(path, { path: { id } }, options, ITEM));
}

const ITEM: Kind<Item> = { what: 'an item of the contract, with an `id`', is: isItem };
const LIST: Kind<Envelope<Item>> = {
  what: 'a list of the contract, with `has_more`, and `data` whose items have an `id`',
  is: (body): body is Envelope<Item> => {
    const { has_more, data } = (body ?? {}) as Readonly<Record<string, unknown>>; // Values of other types have neither.
    return typeof has_more === 'boolean' && Array.isArray(data) && data.every(isItem);
  },
};
