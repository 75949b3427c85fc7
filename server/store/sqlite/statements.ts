/** Every SQL statement that serves requests. A test asserts that each is an index search without a sort. */
import type { Collection } from '../../contract/collections.ts';
import { TABLES } from './schema.ts';

export const AUTHENTICATE = 'SELECT account FROM keys WHERE hash = ? AND revoked_at IS NULL';

/** Parameters: account, id. */
export const getSql = (collection: Collection): string =>
  `SELECT json FROM ${TABLES[collection]} WHERE account = ? AND id = ?`;

/** The place of an item in its list. Parameters: account, id. */
export const positionSql = (collection: Collection): string =>
  `SELECT created_us FROM ${TABLES[collection]} WHERE account = ? AND id = ?`;

/** From where and to which side a page is read. */
export const DIRECTIONS = ['first', 'after', 'before'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A page, nearest to the cursor first: `before` comes oldest first and is to be reversed.
 * Parameters: account, status if `filtered`, created_us and id of the cursor unless `first`, number of rows.
 */
export function pageSql(collection: Collection, direction: Direction, filtered: boolean): string {
  // Row values, because SQLite turns them into one index range; `a < ? OR (a = ? AND b < ?)` reads from the start.
  const range = { first: '', after: 'AND (created_us, id) < (?, ?)', before: 'AND (created_us, id) > (?, ?)' };
  const order = direction === 'before' ? 'created_us ASC, id ASC' : 'created_us DESC, id DESC';
  // By name, because the planner prefers the clustered order, and would read every item of another status on its way.
  const from = filtered ? `${TABLES[collection]} INDEXED BY ${TABLES[collection]}_status` : TABLES[collection];
  return `SELECT json FROM ${from} WHERE account = ? ${filtered ? 'AND status = ?' : ''}
    ${range[direction]} ORDER BY ${order} LIMIT ?`;
}
