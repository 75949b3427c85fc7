/**
 * Opens databases: decides what one is before anything of it is changed. Only `openForUpgrade` admits one of an older version.
 */
import { randomUUID } from 'node:crypto';
import { newerStore, noStore, olderStore } from '../errors.ts';
import { addCollections, beginGeneration, isComplete, readCollections } from '../schema-hashes.ts';
import { StoreError } from '../store.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { connect } from './connections.ts';
import { POSTGRES, bytewise } from './dialect.ts';
import { codeOf } from './errors.ts';
import { STORE, VERSION, migrations } from './schema.ts';
import { run } from './sql.ts';
import type { Db, Sql } from './sql.ts';

/** `new`: there are no tables yet, or the process that was to create them was killed. `older`: only an upgrade may open it. */
type State = 'new' | 'older' | 'current';

/**
 * Opens a database for writing. In a new one the tables are created, unless they must exist.
 * @param wait how long, while another process writes.
 * @throws StoreError, StoreUnavailable. The database is then as it was.
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
 * Opens a database for an upgrade, which is to call `migrate`.
 * @throws StoreError, StoreUnavailable. The database is then as it was.
 */
export async function openForUpgrade(address: string): Promise<Db> {
  const db = await connect(address, 'writing');
  return ready(db, async () => {
    assertAllowed(await stateOf(db), ['current', 'older'], db);
    await assertUtf8(db);
  });
}

/**
 * Opens a database of this version, of which nothing is made or changed.
 * @param way see `connect`.
 * @throws StoreError, StoreUnavailable
 */
export async function openForReading(address: string, way: Parameters<typeof connect>[1]): Promise<Db> {
  const db = await connect(address, way);
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

/** @returns how many migrations it has seen. */
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
    `${db.name} keeps texts in ${found.server_encoding}, which not every text can be written in. Make one with ENCODING 'UTF8'.`,
  );
}

async function create(db: Db): Promise<void> {
  await assertUtf8(db);
  const [make, fill] = STORE;
  try {
    await db.sql(make);
  } catch (error) {
    // Another makes it at this moment. PostgreSQL does not wait for that, whatever IF NOT EXISTS says.
    if (!['23505', '42P07', '42710'].includes(codeOf(error))) throw error;
  }
  await db.sql(fill, [randomUUID()]);
  await db.transaction(migrate);
}

/**
 * Brings the tables up to date, within a transaction. Under the lock of the store's row, which every engine has.
 * @throws StoreBusy while another process has it.
 */
export async function migrate(sql: Sql): Promise<void> {
  const version = await versionOf(sql, 'FOR UPDATE NOWAIT'); // Another process may have migrated meanwhile.
  const [engine] = await sql<{ version: string }>('SELECT version()');
  for (const migration of migrations(bytewise(engine?.version ?? '')).slice(version)) await sql(migration);
  await run(sql, addCollections(POSTGRES));
  await sql('UPDATE rollcall_store SET version = $1 WHERE id = 1', [VERSION]);
  await run(sql, beginGeneration(POSTGRES));
}
