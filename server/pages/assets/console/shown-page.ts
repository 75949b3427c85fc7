/** A page of a list, and its refresh, which moves no row that a person may be reading. */
import { textOf } from '../shared/json.ts';
import { itemsOf } from './api.ts';
import type { ApiResponse, Item } from './api.ts';
import { labelOf, progressOf, WORDS } from './contract.ts';
import type { Collection } from './contract.ts';
import { listTarget } from './links.ts';
import type { Route } from './links.ts';

export interface ShownPage {
  readonly route: Route;
  readonly target: string;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly etag: string | undefined;
  /** A newer version of the page, which a person has not asked to see yet. */
  readonly next?: ShownPage;
}

/** @throws {Failure} if the response is not a list. */
export const pageOf = (route: Route, { body, etag }: ApiResponse): ShownPage => ({
  route,
  target: listTarget(route.collection, route.query),
  items: itemsOf(body),
  hasMore: body[WORDS.hasMore] === true,
  ...{ body, etag },
});

/**
 * @returns the newer page if every row keeps its place, or the page on display with the current values of its records and the newer page
 *   as its `next`.
 */
export function refreshed(shown: ShownPage, newer: ShownPage): ShownPage {
  if (shown.items.every(({ id }, at) => id === newer.items[at]?.id)) return newer;
  const byId = new Map(newer.items.map((item) => [item.id, item]));
  const items = shown.items.map((item) => byId.get(item.id) ?? item);
  return { ...shown, items, body: { ...shown.body, [WORDS.data]: items }, etag: newer.etag, next: newer };
}

/** @returns what has changed in a page, such as `3 new`; an empty text if its newest version is on display. */
export function changesOf({ items, next }: ShownPage): string {
  if (next === undefined) return '';
  const ids = new Set(items.map(({ id }) => id));
  const known = next.items.findIndex(({ id }) => ids.has(id));
  if (known === -1) return next.items.length === 0 ? 'List changed' : `${String(next.items.length)}+ new`;
  return known === 0 ? 'List changed' : `${String(known)} new`;
}

const isItemRunning = (collection: Collection, item: Item | undefined): boolean =>
  item !== undefined && progressOf(collection, item)?.isRunning === true;

/** @returns whether a record of the newest version of the page is still running. */
export const isRunning = ({ route, items, next }: ShownPage): boolean =>
  (next?.items ?? items).some((item) => isItemRunning(route.collection, item));

const ID_LENGTH = 8;

/**
 * @param before the records as they were shown, of the same collection.
 * @returns a sentence for screen readers about each record that has ended since, such as `Contact import 53d84f3e: completed.`; empty if
 *   there is none.
 */
export function newsOf(collection: Collection, before: readonly Item[], after: readonly Item[]): string {
  const status = collection.columns.find(({ kind }) => kind === 'choice');
  return after
    .filter((item) => !isItemRunning(collection, item))
    .filter((item) =>
      isItemRunning(
        collection,
        before.find(({ id }) => id === item.id),
      ),
    )
    .map((item) => {
      const word = status === undefined ? 'ended' : textOf(item[status.name]).replaceAll('_', ' ');
      return `${labelOf(collection.one)} ${textOf(item.id.slice(0, ID_LENGTH))}: ${word}.`;
    })
    .join(' ');
}
