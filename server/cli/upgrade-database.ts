/** What `rollcall upgrade` does: has every record checked again, says what came of it. */
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { be, counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { schemaHashes } from '../contract/schema.ts';
import { createChecks } from '../import/check.ts';
import type { Database, UpgradeOptions } from '../store/database.ts';
import type { CheckedRecord, StoredRecord } from '../store/store.ts';
import { inWords } from './counts.ts';
import { databaseOf } from './database.ts';
import { holdNursery } from './nursery.ts';
import { notify, print } from './output.ts';
import { Refusal } from './refusal.ts';
import { waiting } from './writing.ts';
import type { Writing } from './writing.ts';

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
export async function upgradeDatabase({ db, ...options }: Pick<Writing, 'db' | 'wait'>): Promise<void> {
  holdNursery(); // Every record goes through it.
  const started = performance.now();
  const contract = loadContract();
  const { checked, changed, refusals } = await waiting(options, (wait) =>
    upgradeRecords(databaseOf(db), contract, { wait }),
  );
  notify(...refusals);
  if (refusals.length > 0) throw new Refusal('Nothing was upgraded, see above.');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`${inWords(checked).join(', ')} checked in ${seconds} s; ${counted(changed, 'records')} changed.`);
}

/** Brings a database up to date: checks every record against a contract, and fills in its defaults; all of it, or nothing. */
export async function upgradeRecords(
  database: Pick<Database, 'upgrade'>,
  contract: Contract,
  options?: Pick<UpgradeOptions, 'wait'>,
): Promise<UpgradeResult> {
  const checks = createChecks(contract, true);
  const none = (): Record<Collection, number> =>
    Object.fromEntries(COLLECTIONS.map((it) => [it, 0])) as Record<Collection, number>; // One for each.
  let [checked, violations, bad, changed] = [none(), [] as string[], 0, 0];

  const begin = (): void => {
    [checked, violations, bad, changed] = [none(), [], 0, 0];
  };
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
  const isUpgraded = await database.upgrade(schemaHashes(contract), recheck, { ...options, begin });
  if (isUpgraded) return { checked, changed, refusals: [] };

  const all = Object.values(checked).reduce((sum, it) => sum + it, 0);
  const counts = `${bad.toLocaleString('en')} of ${counted(all, 'records')} ${be(bad)} bad; nothing was changed`;
  return { checked, changed: 0, refusals: [...violations, counts] };
}
