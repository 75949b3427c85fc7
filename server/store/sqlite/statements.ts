/** Every SQL statement that serves requests. A test asserts that each is an index search without a sort. */
import type { Direction } from '../store.ts';

/** Parameter: the hash of a key. The caller must reject an expired key. A join with `accounts` would take ten times as long. */
export const AUTHENTICATE = `SELECT account, (SELECT name FROM accounts WHERE accounts.id = account) AS accountName,
    keys.id AS keyId, expires_at AS expiresAt
  FROM keys WHERE hash = ? AND revoked_at IS NULL`;

/**
 * Parameter: the time. Selects the next instant at which a key of any account expires, or NULL. Executed once per
 * state.
 */
export const NEXT_EXPIRY = 'SELECT min(expires_at) FROM keys WHERE revoked_at IS NULL AND expires_at > ?';

/** Converts a parameter that is a lower-case id to its stored form: 16 bytes, or NULL if it is not a UUID. */
export const ID = "unhex(?, '-')";

/** Parameters: account, collection, id. */
export const GET = `SELECT json FROM records WHERE account = ? AND collection = ? AND id = ${ID}`;

/**
 * Selects a page, nearest to the cursor first. `before` returns the oldest item first, so the caller must reverse it.
 * With a cursor, there is no row if the cursor's item is unknown, and one NULL if the page is empty.
 * Parameters: if `filtered`, the value of the filter; account, collection; unless `first`, the id of the cursor; number
 * of rows.
 */
export function pageSql(direction: Direction, filtered: boolean): string {
  // The index is named, because the planner prefers the clustered order, and would read all items with other values
  // too.
  const page = filtered ? 'records AS page INDEXED BY records_filter' : 'records AS page';
  // `+` prevents replanning: SQLite plans a statement again for each value of a bare parameter in LIMIT or with `=`.
  const filter = filtered ? 'page.filter = +? AND ' : '';
  const end = (order: 'ASC' | 'DESC'): string => `ORDER BY page.created_us ${order}, page.id ${order} LIMIT +?`;
  if (direction === 'first') {
    return `SELECT page.json FROM ${page}
    WHERE ${filter}page.account = +? AND page.collection = +? ${end('DESC')}`;
  }
  // Row values, because SQLite turns them into one index range; `a < ? OR (a = ? AND b < ?)` reads from the start.
  const [side, order] = direction === 'after' ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const);
  // One statement reads the position and the page. With two, an item that moved in between could follow itself.
  return `SELECT page.json FROM records AS cursor LEFT JOIN ${page}
    ON ${filter}page.account = cursor.account AND page.collection = cursor.collection
      AND (page.created_us, page.id) ${side} (cursor.created_us, cursor.id)
    WHERE cursor.account = +? AND cursor.collection = +? AND cursor.id = ${ID} ${end(order)}`;
}
