/** Brings a database up to date: migrates its tables and rechecks every record, in batches, in one transaction. */
import type { SchemaHashes } from '../../../contract/schema.ts';
import type { UpgradeOptions } from '../database.ts';
import { NotKept, recheckAll } from '../records.ts';
import type { Recheck, RecordBatch, RecordChange } from '../records.ts';
import { putHashes } from '../schema-hashes.ts';
import { query } from '../sql.ts';
import type { Steps } from '../sql.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import { closeWritable, migrate, openForUpgrade } from './database.ts';
import { hasLog, undone } from './write-ahead-log.ts';
import { SQLITE, run, write } from './sql.ts';

const WHERE_RECORD = `WHERE account = $1 AND collection = $2 AND created_us = $3 AND id = ${SQLITE.id('$4')}`;
// Two statements, because SQLite rewrites the index of every column that an UPDATE names.
const REWRITE = `UPDATE records SET json = $5 ${WHERE_RECORD}`;
const MOVE = `UPDATE records SET json = $5, created_us = $6, filter = $7 ${WHERE_RECORD}`;

/** See `Database.upgrade`. */
export async function upgrade(
  file: string,
  hashes: SchemaHashes,
  recheck: Recheck,
  { wait = A_MINUTE, begin }: UpgradeOptions = {},
): Promise<boolean> {
  const db = await whenFree(wait, () => openForUpgrade(file));
  try {
    const upgradeAll = (store: typeof change) => (): void => {
      migrate(db);
      begin?.();
      run(db, recheckAll(SQLITE, recheck, store));
      run(db, putHashes(SQLITE, hashes));
    };
    await whenFree(wait, () => {
      if (!hasLog(db)) undone(db, upgradeAll(nothing)); // Throws if a record cannot be kept.
      write(db, upgradeAll(change));
    });
    return true;
  } catch (error) {
    if (error instanceof NotKept) return false;
    throw error;
  } finally {
    closeWritable(db);
  }
}

function* nothing(): Steps<void> {
  // The records stay as they are.
}

function* change({ account, number }: RecordBatch, changes: readonly RecordChange[]): Steps<void> {
  for (const { before, after } of changes) {
    const isMoved = after.createdUs !== before.createdUs || after.filter !== before.filter;
    const values = [account.id, number, before.createdUs, before.id, after.json];
    yield* isMoved ? query(MOVE, [...values, after.createdUs, after.filter]) : query(REWRITE, values);
  }
}
