/** What `rollcall upgrade` does: has every record checked again, says what came of it. */
import { COLLECTIONS, commandName, noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { fingerprintsOf } from '../contract/fingerprint.ts';
import { createChecks } from '../records/check.ts';
import type { CheckedRecord, StoredRecord, Writer } from '../store/store.ts';
import { databaseOf } from './database.ts';
import { holdNursery } from './nursery.ts';
import { notify, print } from './output.ts';
import { Refusal } from './refusal.ts';

export interface UpgradeResult {
  /** Records of each collection that were checked. */
  readonly checked: Readonly<Record<Collection, number>>;
  /** Records that were changed: with defaults filled in, or as another text. None if there are refusals. */
  readonly changed: number;
  /** What is wrong with records that cannot be kept, a line each: `account: collection: id: where: what`. */
  readonly refusals: readonly string[];
}

const MAX_REPORTED = 20;

/**
 * Upgrades a database, with a summary line.
 * @throws Refusal if it was not upgraded; what was wrong has been written to standard error.
 */
export async function upgradeDatabase(db: string): Promise<void> {
  holdNursery(); // Every record goes through it.
  const started = performance.now();
  const contract = loadContract();
  const writer = await databaseOf(db).openWriter(true);
  try {
    const { checked, changed, refusals } = await upgradeRecords(writer, contract);
    notify(...refusals);
    if (refusals.length > 0) throw new Refusal('Nothing was upgraded, see above.');
    const all = COLLECTIONS.map((it) => `${checked[it].toLocaleString('en')} ${noun(it)}`).join(', ');
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`${all} checked in ${seconds} s; ${changed.toLocaleString('en')} records changed.`);
  } finally {
    await writer.close();
  }
}

/** Checks every record of a store against a contract, and fills in its defaults; all of it, or nothing. */
export async function upgradeRecords(writer: Writer, contract: Contract): Promise<UpgradeResult> {
  const checks = createChecks(contract, true);
  const checked = Object.fromEntries(COLLECTIONS.map((it) => [it, 0])) as Record<Collection, number>; // One for each.
  const violations: string[] = [];
  let [bad, changed] = [0, 0];

  const recheck = ({ account, collection, json }: StoredRecord): CheckedRecord | undefined => {
    checked[collection] += 1;
    const value = JSON.parse(json) as { readonly id: string }; // Every record that was loaded has one.
    const { record, violations: wrong } = checks[collection](value);
    if (record === undefined) {
      bad += 1;
      const reasons = wrong.map((it) => `${it.where}: ${it.what}`).join('; ');
      if (bad <= MAX_REPORTED) violations.push(`${account}: ${commandName(collection)}: ${value.id}: ${reasons}`);
    } else if (record.json !== json) {
      changed += 1;
    }
    return record;
  };
  const isUpgraded = await writer.upgrade(fingerprintsOf(contract), recheck);
  if (isUpgraded) return { checked, changed, refusals: [] };

  const all = Object.values(checked).reduce((sum, it) => sum + it, 0);
  const counts = `${bad.toLocaleString('en')} of ${all.toLocaleString('en')} records are bad; nothing was changed`;
  return { checked, changed: 0, refusals: [...violations, counts] };
}
