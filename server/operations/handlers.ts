/** The operations of the contract: a handler for each, from the table of collections. */
import { COLLECTIONS, operationsOf } from '../contract/collections.ts';
import type { Collection, ListParameters, ServedOperation } from '../contract/collections.ts';
import type { Account, Handler, Handlers, Json, Reply } from '../contract/types.ts';
import { after } from '../store/store.ts';
import type { MaybePromise, Records } from '../store/store.ts';
import { listPage } from './list.ts';
import { lookUp } from './look-up.ts';

type Send = (status: 200, body: Json<unknown>) => Reply<ServedOperation>;
interface ListCall {
  readonly account: Account;
  readonly query: ListParameters<Collection>;
}
interface LookupCall {
  readonly account: Account;
  readonly path: { readonly id: string };
}

/** @returns the handler of every operation, reading from `store`. Does not compile while an operation has none. */
export function createHandlers(store: Records): Handlers {
  const handlers = COLLECTIONS.flatMap((collection) => {
    const { list, lookup } = operationsOf(collection);
    const lists = ({ account, query }: ListCall, send: Send): MaybePromise<Reply<ServedOperation>> =>
      after(listPage(store, account, collection, query), (body) => send(200, body));
    const looksUp = ({ account, path }: LookupCall, send: Send): MaybePromise<Reply<ServedOperation>> =>
      after(lookUp(store, account, collection, path.id), (body) => send(200, body));
    return [[list, lists] as const, ...(lookup === undefined ? [] : [[lookup, looksUp] as const])];
  });
  // The table admits only operations with the very parameters and answers of `listPage` and `lookUp`: see `served`.
  return Object.fromEntries<unknown>(handlers) as { readonly [Op in ServedOperation]: Handler<Op> };
}
