/** A page of a list, and its refresh, which moves no row that a person may be reading. */
import { itemsOf } from './api.ts';
import type { ApiResponse, Item } from './api.ts';
import { progressOf, WORDS } from './contract.ts';
import { listTarget } from './links.ts';
import type { Route } from './links.ts';

export interface Page {
  readonly route: Route;
  readonly target: string;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  readonly body: Readonly<Record<string, unknown>>;
  readonly etag: string | undefined;
  /** A newer version of the page, which a person has not asked to see yet. */
  readonly next?: Page;
}

/** @throws {Failure} if the response is not a list. */
export const pageOf = (route: Route, { body, etag }: ApiResponse): Page => ({
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
export function refreshed(shown: Page, newer: Page): Page {
  if (shown.items.every((it, at) => it.id === newer.items[at]?.id)) return newer;
  const byId = new Map(newer.items.map((it) => [it.id, it]));
  const items = shown.items.map((it) => byId.get(it.id) ?? it);
  return { ...shown, items, body: { ...shown.body, [WORDS.data]: items }, etag: newer.etag, next: newer };
}

/** @returns what has changed in a page, such as `3 new`; an empty text if its newest version is on display. */
export function changesOf({ items, next }: Page): string {
  if (next === undefined) return '';
  const ids = new Set(items.map((it) => it.id));
  const known = next.items.findIndex((it) => ids.has(it.id));
  if (known === -1) return next.items.length === 0 ? 'List changed' : `${String(next.items.length)}+ new`;
  return known === 0 ? 'List changed' : `${String(known)} new`;
}

/** @returns whether a record of the newest version of the page is still running. */
export const isRunning = ({ route, items, next }: Page): boolean =>
  (next?.items ?? items).some((it) => progressOf(route.collection, it)?.isRunning);
