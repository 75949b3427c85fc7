/** What differs between PostgreSQL and the engines that speak its protocol. Everything else is SQL that they share. */

import { randomUUID } from 'node:crypto';
import type { Dialect } from '../sql.ts';

/**
 * Parameters: names of collections, the schema hash of each, and the name of an account whose records do not count.
 * One statement, because a load may end between two. One index search for each account: LIMIT, so that it is not turned into
 * a search of all records. OFFSET, so that none of them is for a collection whose schema hash is the same.
 */
export const OUTDATED = `SELECT it.name FROM (
    SELECT known.id, known.name FROM rollcall_collections AS known
    JOIN unnest($1::text[], $2::text[]) AS asked (name, fingerprint) ON asked.name = known.name
    WHERE known.fingerprint IS DISTINCT FROM asked.fingerprint OFFSET 0) AS it
  WHERE EXISTS (
    SELECT 1 FROM rollcall_accounts AS accounts CROSS JOIN LATERAL (
      SELECT 1 FROM rollcall_records WHERE account = accounts.id AND collection = it.id LIMIT 1) AS held
    WHERE accounts.name IS DISTINCT FROM $3)`;

export const POSTGRES: Dialect = {
  prefix: 'rollcall_',
  lock: (clause) => clause,
  id: (parameter) => `${parameter}::uuid`,
  recordsById: 'rollcall_records',
  idIn: (parameter) => `id = ANY (${parameter}::uuid[])`,
  list: (values) => values,
  idOf: (id) => id as string, // A UUID.
  json: 'json',
  stored: 'json',
  textOf: (stored) => ({ json: stored as string, isIntact: true }), // A text. The server has checksums of its own.
  outdated: (hashes, except) => ({ sql: OUTDATED, values: [Object.keys(hashes), Object.values(hashes), except] }),
  newGeneration: () => ({ sql: 'UPDATE rollcall_store SET epoch = $1 WHERE id = 1', values: [randomUUID()] }),
};

/** The collation that sorts texts by their bytes. CockroachDB always does, and has no name for it. */
export const bytewise = (version: string): string => (version.includes('CockroachDB') ? '' : 'COLLATE "C"');

/**
 * Makes settings of the connection, as far as the engine has them. A pooler may pass the connection on to others: none of
 * them changes what a statement returns.
 */
const settingsSql = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SELECT set_config(name, '${value}', false) FROM pg_settings WHERE name = '${name}'`)
    .join(' UNION ALL ');

/**
 * For connections that serve. Every statement there is an index search, and shall be so whatever the statistics say: they
 * are missing after a load. Planned once, because the planner would plan each execution again for its limit.
 */
export const SERVING = settingsSql({
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_sort: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
});

/**
 * The position of a server in the log of changes, of streaming replication. One row: the database, the same in a primary and its
 * replicas and nowhere else; this run of this server; whether it is a standby; the end of what it has written or replayed.
 */
export const POSITION = {
  name: 'position',
  text: `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
      (SELECT oid FROM pg_database WHERE datname = current_database()), to_regclass('rollcall_store')::oid),
    pg_postmaster_start_time()::text, pg_is_in_recovery(),
    (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::text`,
};

/** For connections that write. */
export const WRITING = settingsSql({ experimental_enable_temp_tables: 'on', jit: 'off' });
