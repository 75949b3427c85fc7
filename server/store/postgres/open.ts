/** Opens PostgreSQL databases by their URL. */
import type { SchemaHashes } from '../../../contract/schema.ts';
import { shellWord, shownAddress } from '../address.ts';
import type { Database, Replicas } from '../database.ts';
import { createInspector } from '../inspector.ts';
import type { Inspector } from '../inspector.ts';
import { assertServable } from '../schema-hashes.ts';
import { query } from '../sql.ts';
import type { Steps } from '../sql.ts';
import { StoreError } from '../store.ts';
import type { Store } from '../store.ts';
import { measure } from '../usage.ts';
import type { Usage } from '../usage.ts';
import { A_MINUTE } from '../wait.ts';
import { checkAddress } from './connections.ts';
import { openForReading, openForWriting } from './database.ts';
import { POSTGRES } from './dialect.ts';
import { openReads } from './reader.ts';
import { readFromReplicas, watchReplica } from './replicas.ts';
import { withCallers } from './authenticated-callers.ts';
import { run, stream } from './sql.ts';
import { upgrade } from './upgrade.ts';
import { createPostgresWriter } from './writer.ts';

/**
 * @param address a URL such as `postgres://user:password@host:5432/database`. The tables are in the current schema of
 *   its connections.
 * @returns the database.
 */
export const postgresDatabase = (address: string): Database => ({
  openStore: (hashes, replicas) => openStore(address, hashes, replicas),
  openWriter: async (mustExist, wait = A_MINUTE) =>
    createPostgresWriter(await openForWriting(address, mustExist, wait), wait),
  openInspector: () => openInspector(address),
  upgrade: (hashes, recheck, options) => upgrade(address, hashes, recheck, options),
  backUp: () => {
    const shown = shellWord(shownAddress(address));
    throw new StoreError(
      `Back up a PostgreSQL database with its own tools: pg_dump --format=custom --file=FILE ${shown}`,
    );
  },
  usage: () => usage(address),
});

async function openStore(address: string, hashes: SchemaHashes, replicas?: Replicas): Promise<Store> {
  for (const replica of replicas?.addresses ?? []) await checkAddress(replica);
  const checking = await openForReading(address, 'writing'); // The check may exceed the time limit of a request.
  try {
    await run(checking.sql, assertServable(POSTGRES, checking.name, hashes));
  } finally {
    await checking.close();
  }
  const db = await openForReading(address, 'serving');
  try {
    const primary = await openReads(db, hashes);
    if (replicas === undefined) return withCallers(primary);
    const { addresses, emit } = replicas;
    const watched = await Promise.all(addresses.map((replica) => watchReplica(replica, hashes, db, emit)));
    return withCallers(readFromReplicas(primary, watched));
  } catch (error) {
    await db.close();
    throw error;
  }
}

async function openInspector(address: string): Promise<Inspector> {
  const db = await openForReading(address, 'inspecting');
  // The inspector uses one connection and one transaction until it is closed.
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return new Promise((resolve, reject) => {
    const reading = db.transaction(async (sql) => {
      const close = (): Promise<void> => {
        end();
        return closed;
      };
      resolve(
        createInspector({
          name: db.name,
          dialect: POSTGRES,
          run: (steps) => run(sql, steps),
          stream: (steps) => stream(sql, steps),
          integrityFaults: strayFaults,
          isFault: (error): error is StoreError => error instanceof StoreError,
          close,
        }),
      );
      await ended;
    }, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // The database is closed however the transaction ends, and also if it cannot begin.
    const closed = reading.finally(() => db.close());
    closed.catch(reject);
  });
}

const STRAYS = (table: string, column: string, of: string): string => `SELECT 1 FROM rollcall_${table} AS stray
  WHERE NOT EXISTS (SELECT 1 FROM rollcall_${of} AS it WHERE it.id = stray.${column}) LIMIT 1`;

function* strayFaults(): Steps<readonly string[]> {
  const faults: string[] = [];
  for (const [table, column, of] of [
    ['records', 'account', 'accounts'],
    ['records', 'collection', 'collections'],
    ['keys', 'account', 'accounts'],
  ] as const) {
    const found = yield* query(STRAYS(table, column, of));
    if (found.length > 0) faults.push(`some ${table} refer to missing ${of}`);
  }
  return faults;
}

const TABLES = ['store', 'accounts', 'keys', 'collections', 'records', 'last_imports'];
// Reads the sizes of the files of each table and of its indexes, and no rows.
const SIZE = `SELECT sum(pg_total_relation_size(to_regclass('rollcall_' || name)))::text AS bytes
  FROM unnest($1::text[]) AS name`;

/** See `Database.usage`. */
async function usage(address: string): Promise<Usage> {
  const { sql, close } = await openForReading(address, 'serving'); // With the time limits of requests, because servers call this.
  try {
    const [size] = await sql<{ bytes: string }>(SIZE, [TABLES]);
    return { bytes: Number(size?.bytes), ...(await run(sql, measure(POSTGRES))) };
  } finally {
    await close();
  }
}
