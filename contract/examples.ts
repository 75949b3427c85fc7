/** The records in the contract's examples of lists. A server with them shows faults that ordinary records hide. */
import { operationsOf } from './collections.ts';
import type { Collection, Resources } from './collections.ts';
import type { Contract, MediaType } from './document.ts';

/** @returns the values of `example` and `examples`. */
function valuesOf({ example, examples = {} }: Pick<MediaType, 'example' | 'examples'>): readonly unknown[] {
  return [...(example === undefined ? [] : [example]), ...Object.values(examples).map(({ value }) => value)];
}

/** @returns the records of a collection that the contract shows: first the usual ones, then the unusual ones. */
export function exampleRecords<C extends Collection>(contract: Contract, collection: C): readonly Resources[C][] {
  const content = contract.operation(operationsOf(collection).list).responses.get(200)?.content?.['application/json'];
  const pages = content === undefined ? [] : (valuesOf(content) as { readonly data: readonly Resources[C][] }[]); // A test checks examples against their schemas.
  return pages.flatMap(({ data }) => data);
}
