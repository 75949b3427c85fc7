/** The database that an address names. */
import { isPostgres } from '../store/address.ts';
import type { Database } from '../store/database.ts';
import { sqliteDatabase } from '../store/sqlite/open.ts';

/** @param address a path, or a URL of PostgreSQL. @returns its database, which is opened when it is used. */
export function databaseOf(address: string): Database {
  return isPostgres(address) ? lazily(address) : sqliteDatabase(address);
}

/** The folder of the engine is loaded when it is used: who stays with SQLite neither waits for it nor has its driver. */
function lazily(address: string): Database {
  const open = async (): Promise<Database> => (await import('../store/postgres/open.ts')).postgresDatabase(address);
  return {
    openStore: async (fingerprints) => (await open()).openStore(fingerprints),
    openWriter: async (mustExist) => (await open()).openWriter(mustExist),
    openInspector: async () => (await open()).openInspector(),
    backUp: async (to) => (await open()).backUp(to),
    putLastUses: async (uses) => (await open()).putLastUses(uses),
    lastUses: async () => (await open()).lastUses(),
    forgetLastUses: async (keys) => (await open()).forgetLastUses(keys),
  };
}
