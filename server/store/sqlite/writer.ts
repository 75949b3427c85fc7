/** The writing side on SQLite, mainly bulk loads. */
import type { Collection } from '../../../contract/collections.ts';
import { ensureAccount } from '../accounts.ts';
import { assertCurrent, collectionIn, putHashes, readCollections } from '../schema-hashes.ts';
import type { CheckedRecord, LoadOptions, LoadResult, Writer } from '../store.ts';
import { putLastImport } from '../usage.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { createWriter } from '../writer.ts';
import { closeWritable } from './database.ts';
import { translatingErrors, translateError } from './sqlite-errors.ts';
import { SQLITE, run, write } from './sql.ts';
import type { Db } from './sql.ts';
import { ID } from './statements.ts';

const STAGED_CACHE_KIB = 2 * 1024;
// Fewer records do not pay for dropping the indexes, after which every statement of the connection is compiled again.
const WORTH_A_REBUILD = 1000;

// Keeps the last of equal ids in the file. It sorts only the ids: an index on them would cost as much as the copy.
const KEEP_LAST = `WITH repeated AS MATERIALIZED
    (SELECT id, max(rowid) AS last FROM temp.staged GROUP BY id HAVING count(*) > 1)
  DELETE FROM temp.staged WHERE id IN (SELECT id FROM repeated) AND rowid NOT IN (SELECT last FROM repeated)`;
// Copies in list order, so that every page of the table is filled before the next one begins. In another order, pages
// stay half empty. LIMIT preserves the order of the subquery, CROSS JOIN that of the join. Only row ids are sorted, not
// texts.
const COPY = `INSERT OR REPLACE INTO records (account, collection, created_us, id, filter, json)
  SELECT ?, ?, created_us, id, filter, json
  FROM (SELECT rowid AS place FROM temp.staged ORDER BY created_us DESC, id DESC LIMIT -1)
  CROSS JOIN temp.staged ON staged.rowid = place`;

/**
 * @param db a connection opened for writing. Closing the writer closes it.
 * @param wait how long each write waits while another process writes.
 * @returns the writer over the connection. Loads run one after the other.
 */
export function createSqliteWriter(db: Db, wait: Wait = A_MINUTE): Writer {
  let lastLoad: Promise<unknown> = Promise.resolve();
  return createWriter({
    dialect: SQLITE,
    read: (steps) => translatingErrors(db.name, () => run(db, steps)),
    transaction: (begin) => whenFree(wait, () => write(db, () => run(db, begin()))),
    load: (account, collection, batches, options) => {
      const loaded = lastLoad
        .then(() => load(db, wait, account, collection, batches, options))
        .catch((error: unknown) => {
          throw translateError(error, db.name);
        });
      lastLoad = loaded.catch(() => undefined);
      return loaded;
    },
    close: () => {
      closeWritable(db);
    },
  });
}

async function load(
  db: Db,
  wait: Wait,
  accountName: string,
  collection: Collection,
  batches: AsyncIterable<readonly CheckedRecord[]>,
  { replace, schemaHash }: LoadOptions,
): Promise<LoadResult> {
  const hashes = { [collection]: schemaHash };
  const { number } = collectionIn(run(db, readCollections(SQLITE)), collection);
  const assertLoadable = (): void => {
    run(db, assertCurrent(SQLITE, db.name, hashes, replace ? accountName : null));
  };
  assertLoadable(); // Before the batches are read.

  // Records are staged outside the store: a bad record or a kill leaves no trace, and only the copy holds the write
  // lock.
  db.pragma(`temp.cache_size = -${String(STAGED_CACHE_KIB)}`); // Bounds the memory: the table is written once and read once.
  // Kept for the next load: creating a table makes the connection compile every statement again.
  db.exec('CREATE TEMP TABLE IF NOT EXISTS staged (created_us INTEGER, id BLOB, filter TEXT, json TEXT)');
  try {
    const stage = db.prepare(`INSERT INTO temp.staged VALUES (?, ${ID}, ?, ?)`);
    const stageAll = db.transaction((records: readonly CheckedRecord[]) => {
      for (const { createdUs, id, filter, json } of records) stage.run(createdUs, id, filter, json);
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
      assertLoadable();
      const { id, isNew } = run(db, ensureAccount(SQLITE, accountName, 'FOR NO KEY UPDATE'));
      const account = Number(id);
      run(db, putLastImport(SQLITE, id));
      const before = count.get(account, number) ?? 0;
      const copy = (): void => {
        if (replace) db.prepare('DELETE FROM records WHERE account = ? AND collection = ?').run(account, number);
        run(db, putHashes(SQLITE, hashes));
        db.prepare(COPY).run(account, number);
      };
      // The indexes are rebuilt only if the copy replaces no records, because replacing needs the indexes, and if
      // the remaining records do not outnumber the new ones, because the rebuild sorts all records.
      const isEmptied = replace || before === 0;
      const records = before + staged;
      if (isEmptied && records >= WORTH_A_REBUILD && !holdsMoreThan(db, records)) rebuildingIndexes(db, copy);
      else copy();
      return { accountIsNew: isNew, before, after: count.get(account, number) ?? 0 };
    };
    return await whenFree(wait, () => write(db, store));
  } finally {
    db.exec('DELETE FROM temp.staged');
  }
}

const INDEXES_OF_RECORDS =
  "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'records' AND sql IS NOT NULL";

/**
 * Runs `work` without the indexes, and then recreates them. One sort costs a third of inserting the entries one by one.
 * Must run in a transaction, so that no other connection sees `records` without the indexes. After `work`, no two
 * records may have the same id.
 */
function rebuildingIndexes(db: Db, work: () => void): void {
  const indexes = db.prepare<[], { readonly name: string; readonly sql: string }>(INDEXES_OF_RECORDS).all();
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  work();
  for (const { sql } of indexes) db.exec(sql);
}

/** @returns whether the store holds more than this number of records. Reads at most one record more than that. */
function holdsMoreThan(db: Db, records: number): boolean {
  return db.prepare<[number]>('SELECT 1 FROM records LIMIT 1 OFFSET ?').get(records) !== undefined;
}
