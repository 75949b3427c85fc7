/**
 * The writing side on PostgreSQL, above all bulk loads: records are copied into a temporary table of the connection, and moved
 * from there. All in one transaction, because a pooler may give the connection to another load at the end of each, and with it
 * the table of that.
 */
import { once } from 'node:events';
import type { PoolClient } from 'pg';
import type { Collection } from '../../contract/collections.ts';
import { ensureAccount } from '../accounts.ts';
import { assertCurrent, collectionIn, putHashes, readCollections } from '../schema-hashes.ts';
import type { StoredCollections } from '../schema-hashes.ts';
import type { CheckedRecord, LoadOptions, LoadResult, Writer } from '../store.ts';
import { whenFree } from '../wait.ts';
import type { Wait } from '../wait.ts';
import { createWriter } from '../writer.ts';
import { POSTGRES } from './dialect.ts';
import { asError, codeOf, translateError } from './errors.ts';
import { run } from './sql.ts';
import type { Db, Sql } from './sql.ts';

type Batches = AsyncIterable<readonly CheckedRecord[]>;

const MAX_TRIES = 10;

// Outside the store: a bad record or a kill leaves no trace, and nothing is locked while the records are read.
const STAGE = `CREATE TEMPORARY TABLE rollcall_staged
  (place bigint NOT NULL, created_us bigint NOT NULL, id uuid NOT NULL, filter text, json text NOT NULL)`;
const COPY = 'COPY pg_temp.rollcall_staged (place, created_us, id, filter, json) FROM STDIN';
// Of equal ids, the last in the file stays.
const KEEP_LAST = `DELETE FROM pg_temp.rollcall_staged AS staged
  USING (SELECT id, max(place) AS last FROM pg_temp.rollcall_staged GROUP BY id HAVING count(*) > 1) AS repeated
  WHERE staged.id = repeated.id AND staged.place < repeated.last`;

const COUNT = 'SELECT count(*) AS count FROM rollcall_records WHERE account = $1 AND collection = $2';
const REMOVE_OTHERS = `DELETE FROM rollcall_records AS record WHERE account = $1 AND collection = $2
  AND NOT EXISTS (SELECT 1 FROM pg_temp.rollcall_staged AS staged WHERE staged.id = record.id)`;
// In list order, so that a page is few blocks; from its end, because an index in which each entry is the last is filled.
const MOVE = `INSERT INTO rollcall_records AS record (account, collection, created_us, id, filter, json)
  SELECT $1, $2, created_us, id, filter, json FROM pg_temp.rollcall_staged ORDER BY created_us, id`;
const MOVE_OVER = `${MOVE}
  ON CONFLICT (account, collection, id) DO UPDATE
    SET created_us = excluded.created_us, filter = excluded.filter, json = excluded.json
    WHERE (record.created_us, record.filter, record.json)
      IS DISTINCT FROM (excluded.created_us, excluded.filter, excluded.json)`;

/**
 * @param db opened for writing; closed with the writer.
 * @param wait how long each write waits while another process writes.
 * @returns the writer over it.
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
  // Asked before anything is read, unless there may be none of the old records left.
  if (!options.replace) {
    await run(db.sql, assertCurrent(POSTGRES, db.name, { [collection]: options.schemaHash }));
  }
  return db.alone(async (sql, client) => {
    await sql('BEGIN ISOLATION LEVEL READ COMMITTED'); // Each statement sees what others have done while the records were read.
    await sql(STAGE);
    await copy(db, client, batches);
    await sql(KEEP_LAST);
    await sql('ANALYZE pg_temp.rollcall_staged'); // Nobody else does, and by its size the move is planned.
    const tryToMove = async (): Promise<LoadResult> => {
      await sql('SAVEPOINT staged');
      try {
        const result = await move(db, sql, account, collection, options);
        await sql('DROP TABLE pg_temp.rollcall_staged'); // Not every engine has ON COMMIT DROP.
        await sql('COMMIT');
        return result;
      } catch (error) {
        await sql('ROLLBACK TO SAVEPOINT staged').catch(() => undefined); // If that fails, so does the connection.
        throw error;
      }
    };
    for (let tries = 1; ; tries += 1) {
      try {
        return await whenFree(wait, tryToMove);
      } catch (error) {
        // Of two that wait for one another the server ends one; and the schema hash may have changed before it was locked.
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
  failed.catch(() => undefined); // It is awaited where something is to come.
  let place = 0;
  for await (const batch of batches) {
    let lines = '';
    for (const { createdUs, id, filter, json } of batch) {
      place += 1;
      const fields = [String(place), String(createdUs), id, filter === null ? '\\N' : escaped(filter), escaped(json)];
      lines += `${fields.join('\t')}\n`;
    }
    if (copying.isOver) await failed; // To write on would be an error of another kind.
    if (lines !== '' && !stream.write(lines)) await Promise.race([once(stream, 'drain'), failed]);
  }
  if (copying.isOver) await failed;
  await Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed]);
}

const escaped = (text: string): string => text.replaceAll(/[\\\n\r\t]/g, (it) => ESCAPES[it] ?? it);
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

async function move(
  db: Db,
  sql: Sql,
  accountName: string,
  collection: Collection,
  { replace, schemaHash }: LoadOptions,
): Promise<LoadResult> {
  const hashes = { [collection]: schemaHash };
  const isOther = (it: StoredCollections): boolean => collectionIn(it, collection).hash !== schemaHash;
  // Loads that leave the schema hashes as they are go on side by side, one for each account.
  const lock = isOther(await run(sql, readCollections(POSTGRES))) ? 'FOR UPDATE' : 'FOR SHARE';
  const known = await run(sql, readCollections(POSTGRES, lock));
  const account = await run(sql, ensureAccount(POSTGRES, accountName, 'FOR NO KEY UPDATE'));
  if (isOther(known)) {
    await run(sql, assertCurrent(POSTGRES, db.name, hashes, replace ? accountName : null));
    await run(sql, putHashes(POSTGRES, hashes));
  }
  const at = [account.id, collectionIn(known, collection).number];
  const count = async (): Promise<number> => Number((await sql<{ count: string }>(COUNT, at))[0]?.count);
  const before = await count();
  if (replace) await sql(REMOVE_OTHERS, at);
  await sql(before === 0 ? MOVE : MOVE_OVER, at); // To look for others costs a fifth.
  const after = await count();
  return { accountIsNew: account.isNew, before, after };
}
