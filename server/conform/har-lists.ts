/** The lists in captured traffic: their pages in the order of time, and the known positions of items over time. */
import { COLLECTIONS, filterOf, operationsOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { Contract, Operation } from '../contract/document.ts';
import type { Captured } from './har-traffic.ts';
import { instant } from './list-rules.ts';
import { comparisonOf } from './records.ts';
import type { Comparison, Item } from './records.ts';

export type Direction = 'after' | 'before';

export interface Cursor {
  readonly direction: Direction;
  /** In lower case, as ids of items are. */
  readonly id: string;
}

/** A request of a page. */
export interface PageRequest {
  readonly captured: Captured;
  readonly cursor: Cursor | undefined;
  /** The value of the filter, if there is one. */
  readonly filter: string | undefined;
  /** The limit that was sent, or the default one; `undefined` if the request has parameters that are not the contract's. */
  readonly limit: number | undefined;
}

export interface CapturedPage extends PageRequest {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** An item in a response. */
interface Sighting {
  readonly captured: Captured;
  readonly item: Item;
  readonly value: string;
}

/** Evidence that an item was in the list during an exchange: it appeared unchanged before and after. */
export interface Evidence {
  readonly item: Item;
  readonly before: string;
  readonly after: string;
}

/** A list of one account below one base URL. */
export class CapturedList {
  readonly comparison: Comparison;
  readonly filterName: string | undefined;
  readonly #operation: Operation;
  readonly requests: PageRequest[] = [];
  readonly pages: CapturedPage[] = [];
  /** The number of pages that break a rule of responses, so that their items cannot be read. */
  unreadable = 0;
  /** By id, in the order of time. */
  readonly #sightings = new Map<string, Sighting[]>();
  #ordered: readonly Item[] | undefined;

  constructor(contract: Contract, collection: Collection) {
    this.comparison = comparisonOf(contract, collection);
    this.filterName = filterOf(collection);
    this.#operation = contract.operation(operationsOf(collection).list);
  }

  /** @param captured an exchange of the list, in the order of time. @param isReadable whether its body is as declared. */
  addPage(captured: Captured, isReadable: boolean): void {
    const request = this.#requestOf(captured);
    if (request === undefined) return;
    this.requests.push(request);
    if (captured.received.status !== 200) return;
    if (!isReadable) {
      this.unreadable += 1;
      return;
    }
    const { data: items, has_more: hasMore } = captured.received.body as { data: Item[]; has_more: boolean }; // As declared.
    this.pages.push({ ...request, items, hasMore });
    for (const item of items) this.#see(captured, item);
  }

  /** @param captured a response that has an item of the list. */
  addItem(captured: Captured): void {
    this.#see(captured, captured.received.body as Item); // As declared.
  }

  #see(captured: Captured, item: Item): void {
    const list = this.#sightings.get(item.id) ?? [];
    this.#sightings.set(item.id, list);
    list.push({ captured, item, value: this.comparison.valueOf(item) });
  }

  #requestOf(captured: Captured): PageRequest | undefined {
    const { query } = captured;
    const names = [...query.keys()];
    const known = new Map(
      this.#operation.parameters.filter((it) => it.in === 'query').map((it) => [it.name, it.schema]),
    );
    const [after, before] = [query.get('after'), query.get('before')];
    // The contract rejects such requests: their responses are no evidence about pages.
    if (new Set(names).size < names.length || (after !== null && before !== null)) return undefined;
    const isKnown = names.every((it) => known.has(it));
    const limit = Number(query.get('limit') ?? known.get('limit')?.default);
    const id = (after ?? before)?.toLowerCase();
    return {
      captured,
      cursor: id === undefined ? undefined : { direction: after === null ? 'before' : 'after', id },
      filter: this.filterName === undefined ? undefined : (query.get(this.filterName) ?? undefined),
      limit: isKnown && Number.isInteger(limit) ? limit : undefined,
    };
  }

  /** @returns the evidence that an item was in the list during an exchange, unchanged; `undefined` if that is not known. */
  evidenceOf(id: string, { entry }: Captured): Evidence | undefined {
    const all = this.#sightings.get(id) ?? [];
    if (entry.end === Infinity) return undefined;
    let first = lowerBound(all, (it) => it.captured.entry.start >= entry.start) - 1;
    while (first >= 0 && (all[first]?.captured.entry.end ?? Infinity) >= entry.start) first -= 1;
    const last = lowerBound(all, (it) => it.captured.entry.start > entry.end);
    const [before, after] = [all[first], all[last]];
    if (before === undefined || after === undefined) return undefined;
    if (all.slice(first, last + 1).some((it) => it.value !== before.value)) return undefined;
    return { item: before.item, before: before.captured.entry.place, after: after.captured.entry.place };
  }

  /** @returns the evidence for the items between two others that match the filter of a page. */
  *between(newer: Item | undefined, older: Item | undefined, page: CapturedPage): Generator<Evidence> {
    const all = (this.#ordered ??= this.#order());
    const from = newer === undefined ? 0 : lowerBound(all, (it) => isBehind(it, newer));
    const seen = new Set<string>();
    for (let at = from; at < all.length; at += 1) {
      const item = all[at];
      if (item === undefined || (older !== undefined && !isBehind(older, item))) return;
      const evidence = seen.has(item.id) ? undefined : this.evidenceOf(item.id, page.captured);
      if (evidence === undefined || !isSamePlace(evidence.item, item)) continue;
      seen.add(item.id);
      if (this.matches(evidence.item, page)) yield evidence;
    }
  }

  matches(item: Item, { filter }: PageRequest): boolean {
    return filter === undefined || this.filterName === undefined || item[this.filterName] === filter;
  }

  /** @returns the items that were seen twice or more, in the order of the list; a moved item appears at each of its places. */
  #order(): readonly Item[] {
    const seenAgain = [...this.#sightings.values()].filter((all) => all.length > 1);
    const places = seenAgain.flatMap((all) => [...new Map(all.map(({ item }) => [instant(item), item]))]);
    places.sort(([a, { id }], [b, { id: other }]) => (a === b ? (id < other ? 1 : -1) : a < b ? 1 : -1));
    return places.map(([, item]) => item);
  }
}

/** Whether an item sorts after another: it is older, or has the same instant and a smaller id. */
export function isBehind(item: Item, other: Item): boolean {
  const [its, others] = [instant(item), instant(other)];
  return its === others ? item.id < other.id : its < others;
}

export const isSamePlace = (a: Item, b: Item): boolean => a.id === b.id && instant(a) === instant(b);

/** @returns the index of the first value for which a condition holds, which then holds for all that follow. */
function lowerBound<T>(values: readonly T[], holds: (value: T) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = values[middle];
    if (value !== undefined && holds(value)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * @param captured in the order of time.
 * @param isReadable whether the body of an exchange is as declared.
 * @returns the lists of each collection.
 */
export function listsOf(
  contract: Contract,
  captured: readonly Captured[],
  isReadable: (it: Captured) => boolean,
): ReadonlyMap<Collection, readonly CapturedList[]> {
  const collections = new Map<Collection, readonly CapturedList[]>();
  for (const collection of COLLECTIONS) {
    const { list: listId, get: getId } = operationsOf(collection);
    const lists = new Map<string, CapturedList>();
    for (const it of captured) {
      if (it.operation.id !== listId && it.operation.id !== getId) continue;
      const key = `${it.base} ${it.account}`;
      const list = lists.get(key) ?? new CapturedList(contract, collection);
      lists.set(key, list);
      if (it.operation.id === listId) list.addPage(it, isReadable(it));
      else if (it.received.status === 200 && isReadable(it)) list.addItem(it);
    }
    collections.set(collection, [...lists.values()]);
  }
  return collections;
}
