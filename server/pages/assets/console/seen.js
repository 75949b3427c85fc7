/** How many records of each collection have been seen, and whether there are more. */

/**
 * @typedef {{ ids: Set<string>, walked: Set<string>, isWhole: boolean }} Sight all that was seen, and what of it was reached
 *   from the head of the unfiltered list without a gap.
 */

export class Seen {
  /** @type {Map<string, Sight>} */
  #sights = new Map();

  /**
   * @param {string} path of the collection.
   * @param {{ ids: readonly string[], hasMore: boolean, after: string | undefined, isFromHead: boolean, isFiltered: boolean }} page
   */
  add(path, { ids, hasMore, after, isFromHead, isFiltered }) {
    const sight = this.#sights.get(path) ?? { ids: new Set(), walked: new Set(), isWhole: false };
    this.#sights.set(path, sight);
    for (const id of ids) sight.ids.add(id);
    const isOn = !isFiltered && (isFromHead || (after !== undefined && sight.walked.has(after)));
    if (!isOn) return;
    for (const id of ids) sight.walked.add(id);
    sight.isWhole ||= !hasMore;
  }

  /** @param {string} path @returns {string} such as `20+`; empty if none of it was asked for. */
  label(path) {
    const sight = this.#sights.get(path);
    return sight === undefined ? '' : `${String(sight.ids.size)}${sight.isWhole ? '' : '+'}`;
  }
}
