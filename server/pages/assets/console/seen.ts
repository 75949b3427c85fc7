/** How many records of each collection a person has seen. */

interface Sight {
  readonly ids: Set<string>;
  /** The ids that were reached from the head of the unfiltered list without a gap. */
  readonly reached: Set<string>;
  /** Whether `reached` goes to the end of the list. */
  isWhole: boolean;
}
interface SeenPage {
  readonly ids: readonly string[];
  readonly hasMore: boolean;
  readonly after: string | undefined;
  readonly isFromHead: boolean;
  readonly isFiltered: boolean;
}

/** Counts the records of each collection that a person has seen, and tracks whether there are more. */
export class Seen {
  readonly #sights = new Map<string, Sight>();

  /** @param path the path of the collection. */
  add(path: string, { ids, hasMore, after, isFromHead, isFiltered }: SeenPage): void {
    const sight = this.#sights.get(path) ?? { ids: new Set(), reached: new Set(), isWhole: false };
    this.#sights.set(path, sight);
    for (const id of ids) sight.ids.add(id);
    const continues = !isFiltered && (isFromHead || (after !== undefined && sight.reached.has(after)));
    if (!continues) return;
    for (const id of ids) sight.reached.add(id);
    sight.isWhole ||= !hasMore;
  }

  /** @returns a label such as `20+`; an empty text if the collection has had no page yet. */
  label(path: string): string {
    const sight = this.#sights.get(path);
    return sight === undefined ? '' : `${String(sight.ids.size)}${sight.isWhole ? '' : '+'}`;
  }
}
