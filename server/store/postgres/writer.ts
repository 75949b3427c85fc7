/** The writing side on PostgreSQL: loads of records, and keys. */
import type { Writer } from '../store.ts';
import { whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { knownOf, readCollections } from './collections.ts';
import type { Db } from './sql.ts';
import { everyKey, insertKey, revokeKey } from './keys.ts';
import { load } from './load.ts';

const REMOVE = `DELETE FROM rollcall_records
  WHERE account = (SELECT id FROM rollcall_accounts WHERE name = $1) AND collection = $2 AND id = ANY ($3::uuid[])
  RETURNING id`;

/**
 * @param db opened for writing; closed with the writer.
 * @param wait how long each write waits while another process writes.
 * @returns the writer over it.
 */
export function createPostgresWriter(db: Db, wait: Wait): Writer {
  const transaction: Db['transaction'] = (work) => whenFree(wait, () => db.transaction(work));
  return {
    load: (account, collection, batches, options) => load(db, wait, account, collection, batches, options),

    remove: async (account, collection, ids) => {
      const { number } = knownOf(await readCollections(db.sql), collection);
      // In a transaction, so that a process that is ended while it waits has removed nothing.
      const found = await transaction((sql) => sql<{ id: string }>(REMOVE, [account, number, ids]));
      const removed = new Set(found.map(({ id }) => id));
      return ids.filter((it) => !removed.has(it));
    },

    removeAccount: (name) =>
      transaction(async (sql) => {
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

    createKey: async (key, hash) => ({ accountIsNew: await transaction((sql) => insertKey(sql, key, hash)) }),

    listKeys: () => everyKey(db.sql),

    revokeKey: (id, revokedAt) => transaction((sql) => revokeKey(sql, id, revokedAt)),

    close: () => db.close(),
  };
}
