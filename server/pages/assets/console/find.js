/** One record of a list without a look-up, by its id alone: its neighbour leads back to it. */
import { WORDS } from './contract.js';

/**
 * @typedef {import('./items.js').Item} Item
 * @typedef {(query: URLSearchParams) => Promise<readonly Item[]>} AskPage
 */

/**
 * @param {string} id
 * @param {number} limit the least that a page can hold.
 * @param {AskPage} ask rejects if there is no such record.
 * @returns {Promise<{ item: Item, query: URLSearchParams } | undefined>} the record, and the query that answers it alone;
 *   undefined if the list moved meanwhile.
 */
export async function find(id, limit, ask) {
  const { after, before } = WORDS;
  const page = (/** @type {Record<string, string>} */ cursor) =>
    new URLSearchParams({ [WORDS.limit]: String(limit), ...cursor });
  const [older] = await ask(page({ [after]: id }));
  const [newer] = older === undefined ? await ask(page({ [before]: id })) : [];
  const query =
    older === undefined ? page(newer === undefined ? {} : { [after]: newer.id }) : page({ [before]: older.id });
  const item = (await ask(query)).find((it) => it.id === id.toLowerCase());
  return item === undefined ? undefined : { item, query };
}
