/**
 * Opens databases. Determines the state of a database before it changes anything. Only `openForUpgrade` admits a
 * database of an older version.
 */
import { randomUUID } from 'node:crypto';
import { newerStore, noStore, olderStore } from '../store-errors.ts';
import { addCollections, beginGeneration, isComplete, readCollections } from '../schema-hashes.ts';
import { StoreError } from '../store.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { connect } from './connections.ts';
import { POSTGRES, bytewise } from './dialect.ts';
import { codeOf } from './postgres-errors.ts';
import { STORE, schemaWith } from './schema.ts';
import { run } from './sql.ts';
import type { Db, Sql } from './sql.ts';

/**
 * `new`: there are no tables yet, or the process that was creating them was killed. `older`: only an upgrade may open
 * the database.
 */
type State = 'new' | 'older' | 'current';

/** The version of up-to-date tables. */
export const VERSION = schemaWith('').length;

/**
 * Opens a database for writing. Creates the tables in a new database, unless they must exist.
 * @param wait how long the creation waits while another process writes.
 * @throws StoreError, StoreUnavailable. The database is then unchanged.
 */
export async function openForWriting(address: string, mustExist = false, wait: Wait = A_MINUTE): Promise<Db> {
  const db = await connect(address, 'writing');
  return ready(db, async () => {
    const state = await stateOf(db);
    assertAllowed(state, mustExist ? ['current'] : ['current', 'new'], db);
    if (state === 'new') await whenFree(wait, () => create(db));
  });
}

/**
 * Opens a database for an upgrade. The caller must call `migrate`.
 * @throws StoreError, StoreUnavailable. The database is then unchanged.
 */
export async function openForUpgrade(address: string): Promise<Db> {
  const db = await connect(address, 'writing');
  return ready(db, async () => {
    assertAllowed(await stateOf(db), ['current', 'older'], db);
    await assertUtf8(db);
  });
}

/**
 * Opens a database of this version. Creates and changes nothing.
 * @param profile see `connect`.
 * @throws StoreError, StoreUnavailable
 */
export async function openForReading(address: string, profile: Parameters<typeof connect>[1]): Promise<Db> {
  const db = await connect(address, profile);
  return ready(db, async () => {
    assertAllowed(await stateOf(db), ['current'], db);
  });
}

async function ready(db: Db, prepare: () => Promise<void>): Promise<Db> {
  try {
    await prepare();
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** @throws StoreError for a database of a newer version. */
async function stateOf(db: Db): Promise<State> {
  const version = await versionOf(db.sql);
  if (version === 0) return 'new';
  if (version > VERSION) throw newerStore(db.name, version, VERSION);
  if (version < VERSION) return 'older';
  return isComplete(await run(db.sql, readCollections(POSTGRES))) ? 'current' : 'older';
}

function assertAllowed(state: State, allowed: readonly State[], db: Db): void {
  if (allowed.includes(state)) return;
  throw state === 'new' ? noStore(db.name) : olderStore(db.name);
}

/** @returns the version of the tables; 0 if there are none. */
async function versionOf(sql: Sql, lock = ''): Promise<number> {
  try {
    const [found] = await sql<{ version: number | string }>(`SELECT version FROM rollcall_store WHERE id = 1 ${lock}`);
    return Number(found?.version ?? 0);
  } catch (error) {
    if (codeOf(error) === '42P01') return 0; // There is no such table.
    throw error;
  }
}

async function assertUtf8(db: Db): Promise<void> {
  const [found] = await db.sql<{ server_encoding: string }>('SHOW server_encoding');
  if (found === undefined || /^utf-?8$/i.test(found.server_encoding)) return;
  throw new StoreError(
    `${db.name} has the encoding ${found.server_encoding}, which cannot represent all text. Create a database with ENCODING 'UTF8'.`,
  );
}

async function create(db: Db): Promise<void> {
  await assertUtf8(db);
  const [createTable, insertRow] = STORE;
  try {
    await db.sql(createTable);
  } catch (error) {
    // Another process is creating the table at this moment. PostgreSQL then fails instead of waiting, despite IF NOT
    // EXISTS.
    if (!['23505', '42P07', '42710'].includes(codeOf(error))) throw error;
  }
  await db.sql(insertRow, [randomUUID()]);
  await db.transaction(migrate);
}

/**
 * Brings the tables up to date. Must run in a transaction. Locks the row of the store, because every engine supports
 * row locks.
 * @throws StoreBusy while another process holds the lock.
 */
export async function migrate(sql: Sql): Promise<void> {
  const version = await versionOf(sql, 'FOR UPDATE NOWAIT'); // Another process may have migrated in the meantime.
  const [engine] = await sql<{ version: string }>('SELECT version()');
  const schema = schemaWith(bytewise(engine?.version ?? ''));
  for (const script of schema.slice(version)) await sql(script);
  await run(sql, addCollections(POSTGRES));
  await sql('UPDATE rollcall_store SET version = $1 WHERE id = 1', [VERSION]);
  await run(sql, beginGeneration(POSTGRES));
}
