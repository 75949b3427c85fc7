/** Has every record checked again: in batches, and in one transaction. */
import type { Fingerprints } from '../../contract/fingerprint.ts';
import type { Writer } from '../store.ts';
import { write } from './busy.ts';
import type { Db } from './busy.ts';
import { altered } from './checksum.ts';
import { putFingerprints } from './collections.ts';
import { everyRecord } from './every-record.ts';

const AT = 'WHERE account = ? AND collection = ? AND created_us = ? AND id = ?';
// Apart, because SQLite writes an index anew for every column that is named.
const REWRITE = `UPDATE records SET stored = with_checksum(account, collection, ?) ${AT}`;
const REFILE = `UPDATE records SET stored = with_checksum(account, collection, ?), created_us = ?, filter = ? ${AT}`;

type Recheck = Parameters<Writer['upgrade']>[1];

/** See `Writer.upgrade`. */
export function upgrade(db: Db, fingerprints: Fingerprints, recheck: Recheck): boolean {
  try {
    write(db, () => {
      recheckAll(db, recheck);
      putFingerprints(db, fingerprints);
    });
    return true;
  } catch (error) {
    if (error instanceof CalledOff) return false;
    throw error;
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
