/** The collections of the contract, by name. They derive from its operations: a new collection needs no edit here. */
import type * as Models from '../generated/models.ts';
import { OPERATIONS } from '../generated/operations.ts';
import { Call } from './call.ts';
import type { CallOptions } from './fetch.ts';
import { List } from './list.ts';
import type { AnyWalk, Cursor, FetchPage, WalkOptions } from './list.ts';
import { envelopeOf, itemOf } from './request.ts';
import type { Ask, Item } from './request.ts';

type Lists = Models.Collections;
export type CollectionName = keyof Lists;

/** What the list of a collection can be asked for: its filters, a limit and a cursor, and what every call and walk takes. */
export type ListOptions<Name extends CollectionName> = Readonly<Omit<Lists[Name]['list']['query'], keyof Cursor>> &
  Cursor<Lists[Name]['list']['query']> &
  WalkOptions;

/** `list` and, where the contract has it, `get`; by a mapped type, which keeps the descriptions of the contract. */
type Methods<Name extends CollectionName> = {
  readonly [M in keyof Lists[Name]]: Lists[Name][M] extends { query: object; item: infer T extends Item }
    ? (options?: ListOptions<Name>) => List<T>
    : Lists[Name][M] extends { item: infer T }
      ? (id: string, options?: CallOptions) => Call<T>
      : never;
};

/** The collections by their names: `listSegments` is of `segments`. */
export type Collections = { readonly [Name in CollectionName]: Methods<Name> };

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
  return (options: AnyWalk = {}): List<Item> => {
    const { limit: _limit, max: _max, after, before, signal, headers, timeoutMs, retry, ...filter } = options;
    // Both are sent as they came, for the server to refuse.
    const both = after === undefined || before === undefined ? {} : { after, before };
    const fetchPage: FetchPage<Item> = async (cursor, limit) => {
      const query = { ...filter, ...cursor, ...both, limit };
      const answer = await ask(path, { query }, { signal, headers, timeoutMs, retry });
      return { body: envelopeOf(answer), received: answer.received };
    };
    return new List(fetchPage, options);
  };
}

function getter(ask: Ask, path: string) {
  return (id: string, options: CallOptions = {}): Call<Item> => {
    const asked = ask(path, { path: { id } }, options).then((answer) => ({
      data: itemOf(answer),
      received: answer.received,
    }));
    return new Call(() => asked);
  };
}
