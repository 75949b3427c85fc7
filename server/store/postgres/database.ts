/** Opens databases: brings their tables up to date, and refuses what is not for this version. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { COLLECTIONS } from '../../contract/collections.ts';
import { newerStore, olderStore } from '../refusals.ts';
import { StoreRefused, StoreUnavailable } from '../store.ts';
import { beginEpoch, readCollections } from './collections.ts';
import { connect } from './connections.ts';
import type { Db, Sql } from './sql.ts';
import { bytewise } from './dialect.ts';
import { codeOf } from './faults.ts';
import { STORE, VERSION, migrations } from './schema.ts';

const LOCK_TRIES = 300;
const TRY_EVERY_MS = 200;

/**
 * Opens a database for writing. Tables that are not there are made, unless they must be; older ones are migrated.
 * @throws StoreRefused, StoreUnavailable
 */
export async function openForWriting(address: string, mustExist = false): Promise<Db> {
  const db = await connect(address, 'writing');
  return ready(db, async () => {
    const version = await versionOf(db);
    if (version === undefined && mustExist) throw notThere(db);
    if (version !== VERSION) await demandUtf8(db);
    if (version === undefined) await makeStore(db);
    const known = version === VERSION ? await readCollections(db.sql) : undefined;
    if (known === undefined || COLLECTIONS.some((it) => !known.has(it))) await migrate(db);
  });
}

/**
 * Opens an up-to-date database, of which nothing is made or changed.
 * @param way see `connect`.
 * @throws StoreRefused, StoreUnavailable
 */
export async function openForReading(address: string, way: Parameters<typeof connect>[1]): Promise<Db> {
  const db = await connect(address, way);
  return ready(db, async () => {
    const version = await versionOf(db);
    if (version === undefined) throw notThere(db);
    if (version === VERSION) return;
    throw olderStore(db.name);
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

const notThere = (db: Db): StoreRefused =>
  new StoreRefused(`${db.name} has no tables of Rollcall. Check its address; import and keys create make them.`);

/** @returns how many migrations it has seen; `undefined` if it is none of ours. @throws StoreRefused if it is a newer one. */
async function versionOf(db: Db, sql = db.sql, lock = ''): Promise<number | undefined> {
  try {
    const [found] = await sql<{ version: number | string }>(`SELECT version FROM rollcall_store WHERE id = 1 ${lock}`);
    if (found === undefined) return undefined;
    const version = Number(found.version);
    if (version <= VERSION) return version;
    throw newerStore(db.name, version, VERSION);
  } catch (error) {
    if (codeOf(error) === '42P01') return undefined; // There is no such table.
    throw error;
  }
}

async function demandUtf8(db: Db): Promise<void> {
  const [found] = await db.sql<{ server_encoding: string }>('SHOW server_encoding');
  if (found === undefined || /^utf-?8$/i.test(found.server_encoding)) return;
  throw new StoreRefused(
    `${db.name} keeps texts in ${found.server_encoding}, which not every text can be written in. Make one with ENCODING 'UTF8'.`,
  );
}

async function makeStore(db: Db): Promise<void> {
  const [make, fill] = STORE;
  try {
    await db.sql(make);
  } catch (error) {
    // Another makes it at this moment. PostgreSQL does not wait for that, whatever IF NOT EXISTS says.
    if (!['23505', '42P07', '42710'].includes(codeOf(error))) throw error;
  }
  await db.sql(fill, [randomUUID()]);
}

/** Under the lock of the store's row, which every engine has. Polled, so that a wait is bounded and holds up nobody. */
async function migrate(db: Db): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await db.transaction(migrateLocked(db));
      return;
    } catch (error) {
      const isLocked = error instanceof StoreUnavailable && codeOf(error.cause) === '55P03';
      if (!isLocked || tries >= LOCK_TRIES) throw error;
      await sleep(TRY_EVERY_MS);
    }
  }
}

const migrateLocked =
  (db: Db) =>
  async (sql: Sql): Promise<void> => {
    // Asked again under the lock: another process may have migrated meanwhile.
    const version = await versionOf(db, sql, 'FOR UPDATE NOWAIT');
    const [engine] = await sql<{ version: string }>('SELECT version()');
    for (const migration of migrations(bytewise(engine?.version ?? '')).slice(version)) await sql(migration);
    const known = await readCollections(sql);
    let last = Math.max(0, ...[...known.values()].map((it) => it.number));
    for (const collection of COLLECTIONS.filter((it) => !known.has(it))) {
      last += 1;
      await sql('INSERT INTO rollcall_collections (id, name) VALUES ($1, $2)', [last, collection]);
    }
    await sql('UPDATE rollcall_store SET version = $1 WHERE id = 1', [VERSION]);
    await beginEpoch(sql);
  };
