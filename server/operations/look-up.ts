/** One record of a collection by its id. */
import { singular } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { ProblemError } from '../contract/problems.ts';
import type { Account, Json } from '../contract/types.ts';
import { after } from '../store/store.ts';
import type { MaybePromise, Records } from '../store/store.ts';

/**
 * Reads a record from the store.
 * @param id in either case.
 * @throws ProblemError `not_found` if the account has none with this id.
 */
export function lookUp<C extends Collection>(
  store: Records,
  account: Account,
  collection: C,
  id: string,
): MaybePromise<Json<Resources[C]>> {
  return after(store.get(account, collection, id.toLowerCase()), (found) => {
    if (found === undefined)
      throw new ProblemError('not_found', `There is no ${singular(collection)} with this \`id\`.`);
    return found;
  });
}
