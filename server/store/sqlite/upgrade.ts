/** Brings a database up to date: its tables, and every record, which is checked again. In batches, and in one transaction. */
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Database, UpgradeOptions } from '../database.ts';
import { A_MINUTE, whenFree } from '../wait.ts';
import { write } from './busy.ts';
import type { Db } from './busy.ts';
import { altered } from './checksum.ts';
import { putFingerprints } from './collections.ts';
import { closeWritable, giveBackRoom, isUpToDate, migrate, openForUpgrade } from './database.ts';
import { everyRecord } from './every-record.ts';
import { removePendingKeys, storePendingKeys } from './pending-keys.ts';

const AT = 'WHERE account = ? AND collection = ? AND created_us = ? AND id = ?';
// Apart, because SQLite writes an index anew for every column that is named.
const REWRITE = `UPDATE records SET stored = with_checksum(account, collection, ?) ${AT}`;
const REFILE = `UPDATE records SET stored = with_checksum(account, collection, ?), created_us = ?, filter = ? ${AT}`;

type Recheck = Parameters<Database['upgrade']>[1];

/** See `Database.upgrade`. */
export async function upgrade(
  file: string,
  fingerprints: SchemaHashes,
  recheck: Recheck,
  { wait = A_MINUTE, begin }: UpgradeOptions = {},
): Promise<boolean> {
  const db = await whenFree(wait, () => openForUpgrade(file));
  try {
    const hasOldTables = !isUpToDate(db);
    db.pragma('synchronous = FULL'); // What is stored is on the disk before the file that it comes from is removed.
    const upgradeAll = (): void => {
      migrate(db);
      storePendingKeys(db);
      begin?.();
      recheckAll(db, recheck);
      putFingerprints(db, fingerprints);
    };
    await whenFree(wait, () => {
      write(db, upgradeAll);
    });
    removePendingKeys(file);
    if (hasOldTables) giveBackRoom(db);
    return true;
  } catch (error) {
    if (error instanceof CalledOff) return false;
    throw error;
  } finally {
    closeWritable(db);
  }
}

/** Thrown through the transaction to roll it back. */
class CalledOff extends Error {}

function recheckAll(db: Db, recheck: Recheck): void {
  const [rewrite, refile] = [db.prepare(REWRITE), db.prepare(REFILE)];
  let isGood = true;
  for (const { account, collection, number, row, json, isIntact } of everyRecord(db)) {
    if (!isIntact) throw altered(db, account.id, collection);
    const record = recheck({ account: account.name, collection, json });
    const at = [account.id, number, row.createdUs, row.id];
    if (record === undefined) {
      isGood = false;
    } else if (record.createdUs !== row.createdUs || record.filter !== row.filter) {
      refile.run(record.json, record.createdUs, record.filter, ...at);
    } else if (record.json !== json) {
      rewrite.run(record.json, ...at);
    }
  }
  if (!isGood) throw new CalledOff();
}
