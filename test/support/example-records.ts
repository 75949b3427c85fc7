/** The records of the contract's example answers, and what makes those answers true. */
import { COLLECTIONS, operationsOf } from '../../server/contract/collections.ts';
import { loadContract } from '../../server/contract/document.ts';
import { build } from '../../server/testing/index.ts';
import type { Records } from '../../server/testing/index.ts';

interface Page {
  readonly has_more: boolean;
  readonly data: readonly object[];
}

/** @returns for each collection the items of its example, and an older one if there is more of them. */
export function exampleRecords(): Records {
  const contract = loadContract();
  const records = COLLECTIONS.map((collection) => {
    const response = contract.operation(operationsOf(collection).list).responses.get(200);
    const { has_more: hasMore, data } = response?.content?.['application/json']?.example as Page; // A test holds it against its schema.
    return [collection, hasMore ? [...data, build[collection]({ created_at: '2000-01-01 00:00:00+00' })] : data];
  });
  return Object.fromEntries(records) as Records; // Of each collection.
}
