/** Records and lists of them, as far as the page relies on what they are. */
import { Failure } from './api.js';
import { WORDS } from './contract.js';
import { isObject } from '../shared/json.js';

/** @typedef {Readonly<Record<string, unknown>> & { readonly id: string }} Item */

/** @param {unknown} value @returns {Item} @throws {Failure} if it is no record. */
export function itemOf(value) {
  if (isObject(value) && typeof value[WORDS.id] === 'string') return /** @type {any} */ (value);
  throw new Failure('Not a record', 'The answer is not as the contract has it: it has no id.');
}

/** @param {Record<string, unknown> | undefined} body @returns {readonly Item[]} @throws {Failure} if it is no list. */
export function itemsOf(body) {
  const data = body?.[WORDS.data];
  if (!Array.isArray(data))
    throw new Failure('Not a list', 'The answer is not as the contract has it: it has no data.');
  return data.map(itemOf);
}
