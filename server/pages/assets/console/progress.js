/** How far a record has come, of a kind that has an end and counts what is done. */
import { isObject } from '../shared/json.js';

/** The count of all there is to do, in the contract. The other counts beside it say what has become of them. */
export const TOTAL = 'total';

/**
 * @typedef {import('./contract.js').Collection} Collection
 * @typedef {{ done: number, total: number, isRunning: boolean }} Progress
 */

/**
 * The contract does not name the statuses of a record that runs, but a time that is null until it has ended.
 * @param {Collection} collection
 * @param {Readonly<Record<string, unknown>>} record
 * @returns {Progress | undefined} undefined for records that only are.
 */
export function progressOf({ columns }, record) {
  const counts = columns.filter(({ kind }) => kind === 'counts').map(({ name }) => record[name])[0];
  const end = columns.find(({ kind, isNullable }) => kind === 'time' && isNullable);
  if (!isObject(counts) || end === undefined) return undefined;
  const { [TOTAL]: total, ...parts } = counts;
  if (typeof total !== 'number') return undefined;
  const done = Object.values(parts).reduce((/** @type {number} */ sum, it) => sum + (Number(it) || 0), 0);
  return { done, total, isRunning: record[end.name] === null };
}

/**
 * @param {Readonly<Record<string, unknown>>} counts
 * @returns {{ total: unknown, parts: (readonly [name: string, count: unknown])[] }} all there is, and what became of it.
 */
export function partsOf({ [TOTAL]: total, ...parts }) {
  return { total, parts: Object.entries(parts) };
}
