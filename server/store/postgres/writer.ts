/**
 * The writing side on PostgreSQL, mainly bulk loads. A load copies its records into a temporary table of the
 * connection, and moves them from there. It is one transaction, because a pooler may give the connection to another
 * load after each transaction, together with the temporary table.
 */
import { once } from 'node:events';
import type { PoolClient } from 'pg';
import type { Collection } from '../../../contract/collections.ts';
import { ensureAccount } from '../accounts.ts';
import { assertCurrent, collectionIn, putHashes, readCollections } from '../schema-hashes.ts';
import type { StoredCollections } from '../schema-hashes.ts';
import type { CheckedRecord, LoadOptions, LoadResult, Writer } from '../store.ts';
import { putLastImport } from '../usage.ts';
import { whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { createWriter } from '../writer.ts';
import { POSTGRES } from './dialect.ts';
import { asError, codeOf, translateError } from './postgres-errors.ts';
import { run } from './sql.ts';
import type { Db, Sql } from './sql.ts';

type Batches = AsyncIterable<readonly CheckedRecord[]>;

const MAX_TRIES = 10;

// Records are staged outside the store: a bad record or a kill leaves no trace, and reading the records locks nothing.
const STAGE = `CREATE TEMPORARY TABLE rollcall_staged
  (place bigint NOT NULL, created_us bigint NOT NULL, id uuid NOT NULL, filter text, json text NOT NULL)`;
const COPY = 'COPY pg_temp.rollcall_staged (place, created_us, id, filter, json) FROM STDIN';
// Keeps the last of equal ids in the file.
const KEEP_LAST = `DELETE FROM pg_temp.rollcall_staged AS staged
  USING (SELECT id, max(place) AS last FROM pg_temp.rollcall_staged GROUP BY id HAVING count(*) > 1) AS repeated
  WHERE staged.id = repeated.id AND staged.place < repeated.last`;

const COUNT = 'SELECT count(*) AS count FROM rollcall_records WHERE account = $1 AND collection = $2';
const REMOVE_OTHERS = `DELETE FROM rollcall_records AS record WHERE account = $1 AND collection = $2
  AND NOT EXISTS (SELECT 1 FROM pg_temp.rollcall_staged AS staged WHERE staged.id = record.id)`;
// Inserts in list order, so that a page is in few blocks. Starts at the end of the list, because index pages fill up if
// each new entry is the last one.
const MOVE = `INSERT INTO rollcall_records AS record (account, collection, created_us, id, filter, json)
  SELECT $1, $2, created_us, id, filter, json FROM pg_temp.rollcall_staged ORDER BY created_us, id`;
const MOVE_OVER = `${MOVE}
  ON CONFLICT (account, collection, id) DO UPDATE
    SET created_us = excluded.created_us, filter = excluded.filter, json = excluded.json
    WHERE (record.created_us, record.filter, record.json)
      IS DISTINCT FROM (excluded.created_us, excluded.filter, excluded.json)`;

/**
 * @param db a database opened for writing. Closing the writer closes it.
 * @param wait how long each write waits while another process writes.
 * @returns the writer over the database.
 */
export const createPostgresWriter = (db: Db, wait: Wait): Writer =>
  createWriter({
    dialect: POSTGRES,
    read: (steps) => run(db.sql, steps),
    transaction: (begin) => whenFree(wait, () => db.transaction((sql) => run(sql, begin()))),
    load: (account, collection, batches, options) => load(db, wait, account, collection, batches, options),
    close: () => db.close(),
  });

/** See `Writer.load`. */
async function load(
  db: Db,
  wait: Wait,
  account: string,
  collection: Collection,
  batches: Batches,
  options: LoadOptions,
): Promise<LoadResult> {
  // Checked before the batches are read. Not with `replace`, which may remove all records that would be outdated.
  if (!options.replace) {
    await run(db.sql, assertCurrent(POSTGRES, db.name, { [collection]: options.schemaHash }));
  }
  return db.alone(async (sql, client) => {
    await sql('BEGIN ISOLATION LEVEL READ COMMITTED'); // Each statement sees the latest commits of others.
    await sql(STAGE);
    await copy(db, client, batches);
    await sql(KEEP_LAST);
    await sql('ANALYZE pg_temp.rollcall_staged'); // Not automatic for this table, and the move is planned by its size.
    const tryToMove = async (): Promise<LoadResult> => {
      await sql('SAVEPOINT staged');
      try {
        const result = await move(db, sql, account, collection, options);
        await sql('DROP TABLE pg_temp.rollcall_staged'); // Not every engine has ON COMMIT DROP.
        await sql('COMMIT');
        return result;
      } catch (error) {
        await sql('ROLLBACK TO SAVEPOINT staged').catch(() => undefined); // If this fails, the connection is broken.
        throw error;
      }
    };
    for (let tries = 1; ; tries += 1) {
      try {
        return await whenFree(wait, tryToMove);
      } catch (error) {
        // The server ends one of two transactions in a deadlock. Also, the schema hash may have changed before its row
        // was locked.
        const isRaced = ['40001', '40P01'].includes(codeOf(error instanceof Error ? error.cause : error));
        if (!isRaced || tries >= MAX_TRIES) throw error;
      }
    }
  });
}

async function copy(db: Db, client: PoolClient, batches: Batches): Promise<void> {
  const stream = client.query(db.driver.copyFrom(COPY));
  const copying = { isOver: false };
  const failed = new Promise<never>((_, reject) => {
    stream.on('error', (error) => {
      copying.isOver = true;
      reject(asError(translateError(error, db.server)));
    });
  });
  failed.catch(() => undefined); // Not an unhandled rejection: it is awaited below, where the copy waits.
  let position = 0;
  for await (const batch of batches) {
    let lines = '';
    for (const { createdUs, id, filter, json } of batch) {
      position += 1;
      const fields = [
        String(position),
        String(createdUs),
        id,
        filter === null ? '\\N' : escaped(filter),
        escaped(json),
      ];
      lines += `${fields.join('\t')}\n`;
    }
    if (copying.isOver) await failed; // Another write would fail with an unrelated error.
    if (lines !== '' && !stream.write(lines)) await Promise.race([once(stream, 'drain'), failed]);
  }
  if (copying.isOver) await failed;
  await Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed]);
}

const escaped = (text: string): string =>
  text.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

async function move(
  db: Db,
  sql: Sql,
  accountName: string,
  collection: Collection,
  { replace, schemaHash }: LoadOptions,
): Promise<LoadResult> {
  const hashes = { [collection]: schemaHash };
  const hasOtherHash = (stored: StoredCollections): boolean => collectionIn(stored, collection).hash !== schemaHash;
  // Loads that do not change the schema hashes run in parallel, one for each account.
  const lock = hasOtherHash(await run(sql, readCollections(POSTGRES))) ? 'FOR UPDATE' : 'FOR SHARE';
  const known = await run(sql, readCollections(POSTGRES, lock));
  const account = await run(sql, ensureAccount(POSTGRES, accountName, 'FOR NO KEY UPDATE'));
  if (hasOtherHash(known)) {
    await run(sql, assertCurrent(POSTGRES, db.name, hashes, replace ? accountName : null));
    await run(sql, putHashes(POSTGRES, hashes));
  }
  const parameters = [account.id, collectionIn(known, collection).number];
  const count = async (): Promise<number> => Number((await sql<{ count: string }>(COUNT, parameters))[0]?.count);
  const before = await count();
  if (replace) await sql(REMOVE_OTHERS, parameters);
  await sql(before === 0 ? MOVE : MOVE_OVER, parameters); // Checking for conflicts costs a fifth.
  await run(sql, putLastImport(POSTGRES, account.id));
  const after = await count();
  return { accountIsNew: account.isNew, before, after };
}
