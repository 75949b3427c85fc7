/** The writing side on SQLite: loads of records, and keys. */
import type { Collection } from '../../contract/collections.ts';
import type { CheckedRecord, LoadOptions, LoadResult, Writer } from '../store.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { write } from './busy.ts';
import type { Db } from './busy.ts';
import { JSON_OF_STORED, placeOf, withChecksum } from './checksum.ts';
import { demandCurrent, numberOf, putFingerprints } from './collections.ts';
import { holdsMoreThan, rebuildingIndexes } from './indexes.ts';
import { closeWritable } from './database.ts';
import { telling, told } from './faults.ts';
import { accountNumber, ensureAccount, everyKey, insertKey, revokeKey } from './keys.ts';
import { ID } from './statements.ts';

const STAGED_CACHE_KIB = 2 * 1024;

// The id that an account has, or will be given if no other is made before.
const EXPECTED_ID = 'SELECT coalesce((SELECT id FROM accounts WHERE name = ?), max(id) + 1) FROM accounts';
const RESTAGE = `UPDATE temp.staged SET stored = with_checksum(?, ?, ${JSON_OF_STORED})`;
// Of equal ids, the last in the file stays. By a sort of the ids alone: an index on them would cost as much as the copy.
const KEEP_LAST = `WITH repeated AS MATERIALIZED
    (SELECT id, max(rowid) AS last FROM temp.staged GROUP BY id HAVING count(*) > 1)
  DELETE FROM temp.staged WHERE id IN (SELECT id FROM repeated) AND rowid NOT IN (SELECT last FROM repeated)`;
// In list order, so that every page of the table is filled before the next one is begun: in another order they stay half
// empty. LIMIT keeps the order of the subquery, CROSS JOIN that of the join; only places are sorted, not texts.
const COPY = `INSERT OR REPLACE INTO records (account, collection, created_us, id, filter, stored)
  SELECT ?, ?, created_us, id, filter, stored
  FROM (SELECT rowid AS place FROM temp.staged ORDER BY created_us DESC, id DESC LIMIT -1)
  CROSS JOIN temp.staged ON staged.rowid = place`;

/**
 * @param db a connection opened for writing; closed with the writer.
 * @param wait how long each write waits while another process writes.
 * @returns the writer over it. Loads take their turns.
 */
export function createSqliteWriter(db: Db, wait: Wait = A_MINUTE): Writer {
  const writeWhenFree = <T>(work: () => T): Promise<T> => whenFree(wait, () => write(db, work));
  let lastLoad: Promise<unknown> = Promise.resolve();
  return {
    load: (account, collection, batches, options) => {
      const turn = lastLoad
        .then(() => load(db, wait, account, collection, batches, options))
        .catch((error: unknown) => {
          throw told(error, db.name);
        });
      lastLoad = turn.catch(() => undefined);
      return turn;
    },

    remove: (account, collection, ids) =>
      writeWhenFree(() => {
        const remove = db.prepare(
          `DELETE FROM records WHERE account = (SELECT id FROM accounts WHERE name = ?) AND collection = ? AND id = ${ID}`,
        );
        const number = numberOf(db, collection);
        return ids.filter((id) => remove.run(account, number, id).changes === 0);
      }),

    removeAccount: (name) =>
      writeWhenFree(() => {
        const id = accountNumber(db, name);
        if (id === undefined) return false;
        for (const table of ['records', 'keys']) db.prepare(`DELETE FROM ${table} WHERE account = ?`).run(id);
        db.prepare('DELETE FROM accounts WHERE id = ?').run(id);
        return true;
      }),

    createKey: async ({ expiresAt = null, revokedAt = null, ...rest }, hash) => ({
      accountIsNew: await writeWhenFree(() => insertKey(db, { ...rest, expiresAt, revokedAt, hash })),
    }),

    listKeys: () => telling(db.name, () => everyKey(db).map(({ hash: _, ...key }) => key)),

    revokeKey: async (id, revokedAt) => {
      const found = telling(db.name, () => everyKey(db).find((it) => it.id === id));
      if (found === undefined) return undefined;
      const { hash: _, ...key } = found;
      if (key.revokedAt === null) {
        await writeWhenFree(() => {
          revokeKey(db, id, revokedAt);
        });
      }
      return key;
    },

    close: () => {
      closeWritable(db);
    },
  };
}

async function load(
  db: Db,
  wait: Wait,
  accountName: string,
  collection: Collection,
  batches: AsyncIterable<readonly CheckedRecord[]>,
  { replace, fingerprint }: LoadOptions,
): Promise<LoadResult> {
  const fingerprints = { [collection]: fingerprint };
  const number = numberOf(db, collection);
  // Asked before anything is read, unless there may be none of the old records left.
  if (!replace) demandCurrent(db, fingerprints);

  const expectedId = db.prepare<[string], number | null>(EXPECTED_ID).pluck().get(accountName) ?? 1;
  // Staged outside the store first: a bad record or a kill leaves no trace, and the write lock is held only for the copy.
  db.pragma(`temp.cache_size = -${String(STAGED_CACHE_KIB)}`); // Bounds the memory: it is written once and read once.
  db.exec('CREATE TEMP TABLE staged (created_us INTEGER, id BLOB, filter TEXT, stored TEXT)');
  try {
    const stage = db.prepare(`INSERT INTO temp.staged VALUES (?, ${ID}, ?, ?)`);
    const stageAll = db.transaction((records: readonly CheckedRecord[]) => {
      for (const { createdUs, id, filter, json } of records) {
        stage.run(createdUs, id, filter, withChecksum(json, placeOf(expectedId, number)));
      }
    });
    let staged = 0;
    for await (const batch of batches) {
      stageAll(batch);
      staged += batch.length;
    }

    db.exec(KEEP_LAST);

    const count = db
      .prepare<[number, number], number>('SELECT count(*) FROM records WHERE account = ? AND collection = ?')
      .pluck();
    const store = (): LoadResult => {
      const account = ensureAccount(db, accountName);
      if (account.id !== expectedId) db.prepare(RESTAGE).run(account.id, number); // Another made an account meanwhile.
      const before = count.get(account.id, number) ?? 0;
      const copy = (): void => {
        if (replace) db.prepare('DELETE FROM records WHERE account = ? AND collection = ?').run(account.id, number);
        demandCurrent(db, fingerprints);
        putFingerprints(db, fingerprints);
        db.prepare(COPY).run(account.id, number);
      };
      // The copy needs the indexes to replace old records; and those that stay must not outnumber the new, for all are sorted.
      const isEmptied = replace || before === 0;
      if (isEmptied && !holdsMoreThan(db, before + staged)) rebuildingIndexes(db, copy);
      else copy();
      return { accountIsNew: account.isNew, before, after: count.get(account.id, number) ?? 0 };
    };
    return await whenFree(wait, () => write(db, store));
  } finally {
    db.exec('DROP TABLE temp.staged');
  }
}
