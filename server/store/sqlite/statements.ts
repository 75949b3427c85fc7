/** Every SQL statement that serves requests. A test asserts that each is an index search without a sort. */

/** Parameter: the hash of a key. The caller rejects what has expired. */
export const AUTHENTICATE = `SELECT account, accounts.name AS accountName, keys.id AS keyId, expires_at AS expiresAt
  FROM keys JOIN accounts ON accounts.id = account WHERE hash = ? AND revoked_at IS NULL`;

/** Parameter: the time, like `expires_at`. A key is dead from that instant on. */
export const HAS_NOT_EXPIRED = '(expires_at IS NULL OR expires_at > ?)';

/** Parameter: the time. The next instant at which a key of any account expires, or NULL. Asked once a state. */
export const NEXT_EXPIRY = 'SELECT min(expires_at) FROM keys WHERE revoked_at IS NULL AND expires_at > ?';

/** A parameter that is a lower-case id, as it is stored: 16 bytes, or NULL of what is no UUID. */
export const ID = "unhex(?, '-')";

/** Parameters: account, collection, id. */
export const GET = `SELECT stored FROM records WHERE account = ? AND collection = ? AND id = ${ID}`;

/** From where and to which side a page is read. */
export const DIRECTIONS = ['first', 'after', 'before'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A page, nearest to the cursor first: `before` comes oldest first and is to be reversed. With a cursor there is no row
 * if its item is unknown, and one NULL if the page is empty.
 * Parameters: the value of the filter if `filtered`, account, collection, id of the cursor unless `first`, number of rows.
 */
export function pageSql(direction: Direction, filtered: boolean): string {
  // By name, because the planner prefers the clustered order, and would read every item of another value on its way.
  const page = filtered ? 'records AS page INDEXED BY records_filter' : 'records AS page';
  // +, because SQLite plans a statement again for each value of a bare parameter that is a limit or compared with `=`.
  const filter = filtered ? 'page.filter = +? AND ' : '';
  const end = (order: 'ASC' | 'DESC'): string => `ORDER BY page.created_us ${order}, page.id ${order} LIMIT +?`;
  if (direction === 'first') {
    return `SELECT page.stored FROM ${page}
    WHERE ${filter}page.account = +? AND page.collection = +? ${end('DESC')}`;
  }
  // Row values, because SQLite turns them into one index range; `a < ? OR (a = ? AND b < ?)` reads from the start.
  const [side, order] = direction === 'after' ? (['<', 'DESC'] as const) : (['>', 'ASC'] as const);
  // Position and page in one statement, because an item that is moved between two would follow itself.
  return `SELECT page.stored FROM records AS cursor LEFT JOIN ${page}
    ON ${filter}page.account = cursor.account AND page.collection = cursor.collection
      AND (page.created_us, page.id) ${side} (cursor.created_us, cursor.id)
    WHERE cursor.account = +? AND cursor.collection = +? AND cursor.id = ${ID} ${end(order)}`;
}
