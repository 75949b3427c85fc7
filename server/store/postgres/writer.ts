/** The writing side on PostgreSQL: loads of records, and keys. */
import type { Writer } from '../store.ts';
import { knownOf, readCollections } from './collections.ts';
import type { Db } from './sql.ts';
import { everyKey, fileKey, fileRevocation } from './keys.ts';
import { load } from './load.ts';
import { upgrade } from './upgrade.ts';

const REMOVE = `DELETE FROM rollcall_records
  WHERE account = (SELECT id FROM rollcall_accounts WHERE name = $1) AND collection = $2 AND id = ANY ($3::uuid[])
  RETURNING id`;

/**
 * @param db opened for writing; closed with the writer.
 * @returns the writer over it.
 */
export function createPostgresWriter(db: Db): Writer {
  return {
    load: (account, collection, batches, options) => load(db, account, collection, batches, options),

    upgrade: (fingerprints, recheck) => upgrade(db, fingerprints, recheck),

    remove: async (account, collection, ids) => {
      const { number } = knownOf(await readCollections(db.sql), collection);
      const removed = new Set((await db.sql<{ id: string }>(REMOVE, [account, number, ids])).map(({ id }) => id));
      return ids.filter((it) => !removed.has(it));
    },

    removeAccount: (name) =>
      db.transaction(async (sql) => {
        const [found] = await sql<{ id: string }>('SELECT id FROM rollcall_accounts WHERE name = $1 FOR UPDATE', [
          name,
        ]);
        if (found === undefined) return false;
        for (const table of ['records', 'keys']) {
          await sql(`DELETE FROM rollcall_${table} WHERE account = $1`, [found.id]);
        }
        await sql('DELETE FROM rollcall_accounts WHERE id = $1', [found.id]);
        return true;
      }),

    createKey: async (key, hash) => ({ accountIsNew: await fileKey(db, key, hash) }),

    listKeys: () => everyKey(db.sql),

    revokeKey: (id, revokedAt) => fileRevocation(db, id, revokedAt),

    close: () => db.close(),
  };
}
