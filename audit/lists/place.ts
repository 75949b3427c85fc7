/** The page of a place in a list, where the id of any item is a cursor. */

/** Behind an item, or before one, by their indexes; the beginning if neither is set. */
export interface Place {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
}

/** What a page must have. */
export interface Expected<T> {
  /** Its items; the first of them, if `isCut`. */
  readonly items: readonly T[];
  /** Whether the page may have more items than those that were read. */
  readonly isCut: boolean;
  /** Whether more items follow in its direction; `undefined` if those were not read. */
  readonly hasMore: boolean | undefined;
}

/**
 * @param items the list from its beginning on, in its order.
 * @param isWhole whether they are all.
 * @param size of the page, 1 or more.
 * @param isMatching whether an item passes the filter. The filter does not move the place.
 * @returns the page, in the order of the list. Before an item it ends directly before it.
 */
export function pageAt<T>(
  items: readonly T[],
  isWhole: boolean,
  { after, before }: Place,
  size: number,
  isMatching: (item: T) => boolean = () => true,
): Expected<T> {
  const there = before === undefined ? items.slice(after === undefined ? 0 : after + 1) : items.slice(0, before);
  const matching = there.filter(isMatching);
  const isMore = matching.length > size;
  if (before !== undefined) return { items: matching.slice(-size), isCut: false, hasMore: isMore };
  return {
    items: matching.slice(0, size),
    isCut: !isWhole && matching.length < size,
    hasMore: isMore || isWhole ? isMore : undefined,
  };
}
