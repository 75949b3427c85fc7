/** The database that an address names. */
import { isPostgres } from '../store/address.ts';
import type { Inspector } from '../store/inspector.ts';
import { StoreRefused } from '../store/store.ts';
import type { MaybePromise } from '../store/store.ts';
import type { Database } from '../store/database.ts';
import { sqliteDatabase } from '../store/sqlite/open.ts';

/**
 * @param address a path, or a URL of PostgreSQL.
 * @returns its database, which is opened when it is used.
 * @throws StoreRefused for a URL of anything else: it would be taken for a path, and may hold a password.
 */
export function databaseOf(address: string): Database {
  if (isPostgres(address)) return lazily(address);
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(address) ?? [];
  if (scheme === undefined) return sqliteDatabase(address);
  throw new StoreRefused(
    `There is no database for ${scheme}:// addresses. Name a file, or a URL such as postgres://user@host/database.`,
  );
}

/** Opens a database to look at it as a whole, reads, and closes it. */
export async function inspect<T>(db: string, read: (inspector: Inspector) => MaybePromise<T>): Promise<T> {
  const inspector = await databaseOf(db).openInspector();
  try {
    return await read(inspector);
  } finally {
    await inspector.close();
  }
}

/** The folder of the engine is loaded when it is used: who stays with SQLite neither waits for it nor has its driver. */
function lazily(address: string): Database {
  const open = async (): Promise<Database> => (await import('../store/postgres/open.ts')).postgresDatabase(address);
  return {
    openStore: async (fingerprints, replicas) => (await open()).openStore(fingerprints, replicas),
    openWriter: async (mustExist, wait) => (await open()).openWriter(mustExist, wait),
    openInspector: async () => (await open()).openInspector(),
    upgrade: async (fingerprints, recheck, options) => (await open()).upgrade(fingerprints, recheck, options),
    backUp: async (to) => (await open()).backUp(to),
    putLastUses: async (uses) => (await open()).putLastUses(uses),
    lastUses: async () => (await open()).lastUses(),
    forgetLastUses: async (keys) => (await open()).forgetLastUses(keys),
    lastUsesFaults: async () => (await open()).lastUsesFaults(),
  };
}
