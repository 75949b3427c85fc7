/** What differs between PostgreSQL and other engines with its protocol. Everything else is SQL that they share. */

import { randomUUID } from 'node:crypto';
import type { Dialect } from '../sql.ts';

/**
 * Selects the names of the collections with records that were checked against other schemas.
 * Parameters: names of collections, the schema hash of each, and the name of an account whose records are ignored.
 * One statement, because a load may end between two statements. It makes one index search for each account: LIMIT keeps
 * the planner from searching all records instead. OFFSET prevents searches for a collection whose schema hash is
 * the same.
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
  idOf: (id) => id as string, // The column is a UUID.
  outdated: (hashes, except) => ({ sql: OUTDATED, values: [Object.keys(hashes), Object.values(hashes), except] }),
  newGeneration: () => ({ sql: 'UPDATE rollcall_store SET epoch = $1 WHERE id = 1', values: [randomUUID()] }),
};

/**
 * @param version the version text of the engine.
 * @returns the COLLATE clause that sorts texts by their bytes. CockroachDB always sorts by bytes, and has no name for
 *   this collation.
 */
export const bytewise = (version: string): string => (version.includes('CockroachDB') ? '' : 'COLLATE "C"');

/**
 * @returns the statement that applies settings to a connection, as far as the engine supports them. A pooler may pass
 *   the connection on to other clients, so no setting may change the result of a statement.
 */
const settingsSql = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `SELECT set_config(name, '${value}', false) FROM pg_settings WHERE name = '${name}'`)
    .join(' UNION ALL ');

/**
 * Applies the settings of connections that serve requests. Every statement there must be an index search, whatever the
 * statistics are: after a load there are no statistics. The generic plan is forced, because the planner would otherwise plan
 * each execution again for its limit.
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
 * Selects the position of a server in the log of changes of streaming replication. One row: the database, which is the
 * same in a primary and its replicas and nowhere else; the current run of this server; whether it is a standby; the end
 * of the part of the log that it has written or replayed.
 */
export const POSITION = {
  name: 'position',
  text: `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
      (SELECT oid FROM pg_database WHERE datname = current_database()), to_regclass('rollcall_store')::oid),
    pg_postmaster_start_time()::text, pg_is_in_recovery(),
    (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::text`,
};

/** Applies the settings of connections that write. */
export const WRITING = settingsSql({ experimental_enable_temp_tables: 'on', jit: 'off' });
