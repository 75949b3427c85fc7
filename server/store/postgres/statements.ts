/** Every SQL statement that serves requests. A test asserts that each is an index search without a sort. */
import type { Prepared } from './batches.ts';

// Each returns no row at all once the store is of another epoch than its parameter.
const STORE = 'rollcall_store AS store';
const inGeneration = (parameter: string): string => `WHERE store.id = 1 AND store.epoch = ${parameter}`;

/** Parameters: the hash of a key, epoch. One row, of NULLs if there is no such key. The caller rejects what has expired. */
export const AUTHENTICATE: Prepared = {
  name: 'authenticate',
  // Subqueries, because the planner would read small tables whole, and keep to that when they have grown.
  text: `SELECT key.account, key.name, key.id, key.expires_at FROM ${STORE}
    LEFT JOIN LATERAL (
      SELECT id, account, expires_at, (SELECT name FROM rollcall_accounts WHERE id = live.account) AS name
      FROM rollcall_keys AS live WHERE hash = $1 AND revoked_at IS NULL LIMIT 1) AS key ON true
    ${inGeneration('$2')}`,
};

/** What stands in place of the JSON of a record, which begins with a brace, where there is none for this reason. */
export const NOT_LIVE = 'key';
export const UNKNOWN_CURSOR = 'cursor';

/** @returns what joins a live key of account `$1`, or NULLs: + 0, for it not to be found by its account, which may have many. */
const liveKey = (hash: number): string => `LEFT JOIN rollcall_keys AS live
      ON live.hash = $${String(hash)} AND live.account + 0 = $1 AND live.revoked_at IS NULL
        AND (live.expires_at IS NULL OR live.expires_at > $${String(hash + 1)})`;

/**
 * One row: the record, NULL if there is none, or `NOT_LIVE`.
 * Parameters: account, collection, id, epoch; the hash of a key and the time if only `forKey`.
 */
export const getOf = (forKey: boolean): Prepared => ({
  name: `get${forKey ? '_for_key' : ''}`,
  text: `SELECT ${forKey ? `CASE WHEN live.id IS NULL THEN '${NOT_LIVE}' ELSE record.json END` : 'record.json'}
    FROM ${STORE} ${forKey ? liveKey(5) : ''}
    LEFT JOIN rollcall_records AS record
      ON record.account = $1 AND record.collection = $2 AND record.id = $3
    ${inGeneration('$4')}`,
});

/** From where and to which side a page is read. */
export const DIRECTIONS = ['first', 'after', 'before'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/**
 * A page, nearest to the cursor first: `before` comes oldest first and is to be reversed. One row of NULL if the page is empty, of
 * `UNKNOWN_CURSOR` if the account has no such item, of `NOT_LIVE` if the key is not live.
 * Parameters: account, collection, number of rows, epoch, the value of the filter if `filtered`, id of the cursor unless `first`;
 * the hash of a key and the time if only `forKey`.
 */
export function pageOf(direction: Direction, filtered: boolean, forKey: boolean): Prepared {
  const name = `page_${direction}${filtered ? '_filtered' : ''}${forKey ? '_for_key' : ''}`;
  const order = direction === 'before' ? 'ASC' : 'DESC';
  // In order of the filter too, and within a range instead of by `=`, so that its index alone gives the order: by what
  // statistics say, the planner could read every item of another value on its way.
  const key = (table: string): string => `${filtered ? `${table}.filter, ` : ''}${table}.created_us, ${table}.id`;
  const edge = `(${filtered ? '$5, ' : ''}cursor.created_us, cursor.id)`;
  const filter = {
    first: 'page.filter >= $5 AND page.filter <= $5',
    after: 'page.filter >= $5',
    before: 'page.filter <= $5',
  };
  // Row values, because they are one index range; `a < ? OR (a = ? AND b < ?)` reads from the start.
  const side = { first: '', after: ` AND (${key('page')}) < ${edge}`, before: ` AND (${key('page')}) > ${edge}` };
  // Position and page in one statement, because an item that is moved between two would follow itself.
  const cursor = `LEFT JOIN rollcall_records AS cursor
      ON cursor.account = $1 AND cursor.collection = $2 AND cursor.id = ${filtered ? '$6' : '$5'}`;
  const reasons = [
    ...(forKey ? [`WHEN live.id IS NULL THEN '${NOT_LIVE}'`] : []),
    ...(direction === 'first' ? [] : [`WHEN cursor.id IS NULL THEN '${UNKNOWN_CURSOR}'`]),
  ].join(' ');
  const text = reasons === '' ? 'page.json' : `CASE ${reasons} ELSE page.json END`;
  return {
    name,
    // The outer joins keep the order of the page: there is one row that they join it to.
    text: `SELECT ${text} FROM ${STORE} ${forKey ? liveKey(5 + Number(filtered) + Number(direction !== 'first')) : ''}
    ${direction === 'first' ? '' : cursor}
    LEFT JOIN LATERAL (SELECT page.json FROM rollcall_records AS page
      WHERE page.account = $1 AND page.collection = $2${filtered ? ` AND ${filter[direction]}` : ''}${side[direction]}
      ORDER BY ${key('page').replaceAll(',', ` ${order},`)} ${order} LIMIT $3) AS page ON true
    ${inGeneration('$4')}`,
  };
}

/** The state of the store, a row for each collection. */
export const STATE: Prepared = {
  name: 'state',
  text: `SELECT store.version, store.epoch, it.name, it.id, it.fingerprint FROM ${STORE}
    LEFT JOIN rollcall_collections AS it ON true WHERE store.id = 1`,
};
