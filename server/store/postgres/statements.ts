/** Every SQL statement that serves requests. A test asserts that each is an index search without a sort. */
import type { Direction } from '../store.ts';
import type { Prepared } from './batches.ts';

// Every statement has the epoch as a parameter, and returns no row once the store has another epoch.
const STORE = 'rollcall_store AS store';
const inGeneration = (parameter: string): string => `WHERE store.id = 1 AND store.epoch = ${parameter}`;

/**
 * Parameters: the hash of a key, epoch. One row, of NULLs if there is no such key. The caller must reject an expired
 * key.
 */
export const AUTHENTICATE: Prepared = {
  name: 'authenticate',
  // Subqueries, because otherwise the planner would scan small tables, and keep that plan when they have grown.
  text: `SELECT key.account, key.name, key.id, key.expires_at FROM ${STORE}
    LEFT JOIN LATERAL (
      SELECT live.id, live.account, live.expires_at,
        (SELECT rollcall_accounts.name FROM rollcall_accounts WHERE rollcall_accounts.id = live.account) AS name
      FROM rollcall_keys AS live WHERE live.hash = $1 AND live.revoked_at IS NULL LIMIT 1) AS key ON true
    ${inGeneration('$2')}`,
};

/** Returned instead of the JSON of a record, as the reason. The JSON of a record begins with a brace. */
export const NOT_LIVE = 'key';
export const UNKNOWN_CURSOR = 'cursor';

/**
 * @returns the join with a live key of account `$1`, or with NULLs. `+ 0` prevents an index search by account, because
 *   an account may have many keys.
 */
const liveKey = (hash: number): string => `LEFT JOIN rollcall_keys AS live
      ON live.hash = $${String(hash)} AND live.account + 0 = $1 AND live.revoked_at IS NULL
        AND (live.expires_at IS NULL OR live.expires_at > $${String(hash + 1)})`;

/**
 * One row: the record, NULL if there is none, or `NOT_LIVE`.
 * Parameters: account, collection, id, epoch; if `forKey`, also the hash of a key and the time.
 */
export const getOf = (forKey: boolean): Prepared => ({
  name: `get${forKey ? '_for_key' : ''}`,
  text: `SELECT ${forKey ? `CASE WHEN live.id IS NULL THEN '${NOT_LIVE}' ELSE record.json END` : 'record.json'}
    FROM ${STORE} ${forKey ? liveKey(5) : ''}
    LEFT JOIN rollcall_records AS record
      ON record.account = $1 AND record.collection = $2 AND record.id = $3
    ${inGeneration('$4')}`,
});

/**
 * Selects a page, nearest to the cursor first. `before` returns the oldest item first, so the caller must reverse it.
 * There is one row of NULL if the page is empty, of `UNKNOWN_CURSOR` if the account has no such item, and of `NOT_LIVE`
 * if the key is not live.
 * Parameters: account, collection, number of rows, epoch; if `filtered`, the value of the filter; unless `first`, the id
 * of the cursor; if `forKey`, the hash of a key and the time.
 */
export function pageOf(direction: Direction, filtered: boolean, forKey: boolean): Prepared {
  const name = `page_${direction}${filtered ? '_filtered' : ''}${forKey ? '_for_key' : ''}`;
  const order = direction === 'before' ? 'ASC' : 'DESC';
  // The order includes the filter, and the filter is a range instead of `=`, so that only the index of the filter has
  // this order. Otherwise statistics could lead the planner to read all items with other values too.
  const key = (table: string): string => `${filtered ? `${table}.filter, ` : ''}${table}.created_us, ${table}.id`;
  const edge = `(${filtered ? '$5, ' : ''}cursor.created_us, cursor.id)`;
  const filter = {
    first: 'page.filter >= $5 AND page.filter <= $5',
    after: 'page.filter >= $5',
    before: 'page.filter <= $5',
  };
  // Row values, because they are one index range; `a < ? OR (a = ? AND b < ?)` reads from the start.
  const side = { first: '', after: ` AND (${key('page')}) < ${edge}`, before: ` AND (${key('page')}) > ${edge}` };
  // One statement reads the position and the page. With two, an item that moved in between could follow itself.
  const cursor = `LEFT JOIN rollcall_records AS cursor
      ON cursor.account = $1 AND cursor.collection = $2 AND cursor.id = ${filtered ? '$6' : '$5'}`;
  const reasons = [
    ...(forKey ? [`WHEN live.id IS NULL THEN '${NOT_LIVE}'`] : []),
    ...(direction === 'first' ? [] : [`WHEN cursor.id IS NULL THEN '${UNKNOWN_CURSOR}'`]),
  ].join(' ');
  const text = reasons === '' ? 'page.json' : `CASE ${reasons} ELSE page.json END`;
  return {
    name,
    // The outer joins keep the order of the page, because they join it to a single row.
    text: `SELECT ${text} FROM ${STORE} ${forKey ? liveKey(5 + Number(filtered) + Number(direction !== 'first')) : ''}
    ${direction === 'first' ? '' : cursor}
    LEFT JOIN LATERAL (SELECT page.json FROM rollcall_records AS page
      WHERE page.account = $1 AND page.collection = $2${filtered ? ` AND ${filter[direction]}` : ''}${side[direction]}
      ORDER BY ${key('page').replaceAll(',', ` ${order},`)} ${order} LIMIT $3) AS page ON true
    ${inGeneration('$4')}`,
  };
}

/** Selects the state of the store, with one row for each collection. */
export const STATE: Prepared = {
  name: 'state',
  text: `SELECT store.version, store.epoch, it.name, it.id, it.fingerprint FROM ${STORE}
    LEFT JOIN rollcall_collections AS it ON true WHERE store.id = 1`,
};
