/** What has changed while a person looks, in words for screen readers. */
import { textOf } from '../shared/json.ts';
import type { Item } from './api.ts';
import { labelOf, progressOf } from './contract.ts';
import type { Collection } from './contract.ts';

const ID_LENGTH = 8;

/**
 * @param before the records as they were shown, of the same collection.
 * @returns a sentence about each record that has ended since, such as `Contact import 53d84f3e: completed.`; empty if there is none.
 */
export function newsOf(collection: Collection, before: readonly Item[], after: readonly Item[]): string {
  const isRunning = (item: Item | undefined): boolean =>
    item !== undefined && progressOf(collection, item)?.isRunning === true;
  const status = collection.columns.find(({ kind }) => kind === 'choice');
  return after
    .filter((it) => !isRunning(it) && isRunning(before.find(({ id }) => id === it.id)))
    .map((it) => {
      const word = status === undefined ? 'ended' : textOf(it[status.name]).replaceAll('_', ' ');
      return `${labelOf(collection.one)} ${textOf(it.id.slice(0, ID_LENGTH))}: ${word}.`;
    })
    .join(' ');
}
