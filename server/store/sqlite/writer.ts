/** The writing side on SQLite: loads of records, and keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection } from '../../contract/collections.ts';
import { StoreRefused, StoreUnavailable } from '../store.ts';
import type { CheckedRecord, HashedKey, LoadOptions, LoadResult, Writer } from '../store.ts';
import { write } from './busy.ts';
import type { Db } from './busy.ts';
import { JSON_OF_STORED, placeOf, withChecksum } from './checksum.ts';
import { demandCurrent, numberOf, putFingerprints } from './collections.ts';
import { holdsMoreThan, rebuildingIndexes } from './indexes.ts';
import { WRITER_BUSY_MS } from './database.ts';
import { isSqlite, telling, told } from './faults.ts';
import { accountNumber, ensureAccount, fileKey, fileRevocation, filedKeys } from './filed-keys.ts';
import { KNOWN_AFTER_MS, everyKey, filePending, pendingKeys, putPending } from './pending-keys.ts';
import { ID } from './statements.ts';
import { upgrade } from './upgrade.ts';

const CLOSE_BUSY_MS = 250;
const STAGED_CACHE_KIB = 2 * 1024;
// After so long a key does not wait for another writer any more.
const KEY_BUSY_MS = 250;

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
 * @returns the writer over it. Loads take their turns.
 */
export function createSqliteWriter(db: Db): Writer {
  let lastLoad: Promise<unknown> = Promise.resolve();
  return {
    load: (account, collection, batches, options) => {
      const turn = lastLoad
        .then(() => load(db, account, collection, batches, options))
        .catch((error: unknown) => {
          throw told(error, db.name);
        });
      lastLoad = turn.catch(() => undefined);
      return turn;
    },

    remove: (account, collection, ids) =>
      write(db, () => {
        const remove = db.prepare(
          `DELETE FROM records WHERE account = (SELECT id FROM accounts WHERE name = ?) AND collection = ? AND id = ${ID}`,
        );
        const number = numberOf(db, collection);
        return ids.filter((id) => remove.run(account, number, id).changes === 0);
      }),

    removeAccount: (name) => {
      filePending(db); // What is pending for the account would make it anew.
      return write(db, () => {
        const id = accountNumber(db, name);
        if (id === undefined) return false;
        for (const table of ['records', 'keys']) db.prepare(`DELETE FROM ${table} WHERE account = ?`).run(id);
        db.prepare('DELETE FROM accounts WHERE id = ?').run(id);
        return true;
      });
    },

    upgrade: (fingerprints, recheck) => upgrade(db, fingerprints, recheck),

    createKey: async ({ expiresAt = null, revokedAt = null, ...rest }, hash) => {
      const key: HashedKey = { ...rest, expiresAt, revokedAt, hash };
      const filed = fileUnlessBusy(db, () => fileKey(db, key));
      if (filed !== undefined) return { accountIsNew: filed };
      const isKnown = [...filedKeys(db), ...pendingKeys(db.name)].some((it) => it.account === key.account);
      putPending(db.name, key, true);
      await sleep(KNOWN_AFTER_MS);
      return { accountIsNew: !isKnown && accountNumber(db, key.account) === undefined };
    },

    listKeys: () => telling(db.name, () => everyKey(db).map(({ hash: _, ...key }) => key)),

    revokeKey: async (id, revokedAt) => {
      const found = telling(db.name, () => everyKey(db).find((it) => it.id === id));
      if (found === undefined) return undefined;
      const { hash: _, ...key } = found;
      if (key.revokedAt !== null) return key;
      const revoked = { ...found, revokedAt };
      const isFiled = fileUnlessBusy(db, () => {
        fileRevocation(db, revoked);
        return true;
      });
      if (isFiled === undefined) {
        putPending(db.name, revoked, false);
        await sleep(KNOWN_AFTER_MS);
      }
      return key;
    },

    close: () => {
      db.pragma(`busy_timeout = ${String(CLOSE_BUSY_MS)}`);
      attempt(() => {
        filePending(db);
      });
      // Gives back the disk space of a large load. What is committed is in the log until it succeeds.
      attempt(() => db.pragma('wal_checkpoint(TRUNCATE)'));
      db.close();
    },
  };
}

/** Does what another may do later: a reader or another writer may be in the way, or the disk full. */
function attempt(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    const isOfStore = error instanceof StoreUnavailable || error instanceof StoreRefused;
    if (!isOfStore && !isSqlite(error, 'SQLITE_')) throw error;
  }
}

/** @returns what filing it comes to; `undefined` if another process is writing, and goes on. */
function fileUnlessBusy<T>(db: Db, file: () => T): T | undefined {
  db.pragma(`busy_timeout = ${String(KEY_BUSY_MS)}`);
  try {
    filePending(db);
    return write(db, file);
  } catch (error) {
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  } finally {
    db.pragma(`busy_timeout = ${String(WRITER_BUSY_MS)}`);
  }
}

async function load(
  db: Db,
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
    return write(db, () => {
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
    });
  } finally {
    db.exec('DROP TABLE temp.staged');
  }
}
