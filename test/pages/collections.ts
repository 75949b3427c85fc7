/** The collections as the console reads them of the contract. */
import { loadContract } from '../../contract/document.ts';
import { contractOf } from '../../server/pages/assets/console/contract.ts';
import type { Collection } from '../../server/pages/assets/console/contract.ts';

export const { collections } = contractOf(loadContract().document);

/** @returns the collection at a path. */
export function collectionAt(path: string): Collection {
  const found = collections.find((it) => it.path === path);
  if (found === undefined) throw new Error(`There is no collection at ${path}.`);
  return found;
}
