/** `rollcall db upgrade`: upgrades a database after a change of the contract: checks every record again, and fills in defaults. */
import { Command } from 'commander';
import { commandName } from '../contract/collections.ts';
import { be, counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { schemaHashes } from '../contract/schema.ts';
import { checkText, createChecks } from '../import/check.ts';
import type { Database, UpgradeOptions } from '../server/store/database.ts';
import type { CheckedRecord, StoredRecord } from '../server/store/store.ts';
import { databaseOf, waiting, waitOption } from './database.ts';
import type { Writing } from './database.ts';
import { CliError } from '../command/command-errors.ts';
import { keepHeapSmall } from './heap.ts';
import { inWords, noRecords } from './collections.ts';
import type { Counts } from './collections.ts';
import { notify, print } from '../command/output.ts';
import { existingDbOption } from './settings.ts';

export function upgradeCommand(): Command {
  return new Command('upgrade')
    .description('Upgrade a database after an update of Rollcall')
    .addOption(existingDbOption())
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
Checks every record against the contract, and sets missing properties to their defaults. If a record is invalid, nothing is
changed. Back up the database first: older versions of Rollcall cannot open it afterwards. Restart running servers after the
upgrade. No other command migrates a database.`,
    )
    .action(async (options: { db: string; wait: number }) => {
      keepHeapSmall();
      await upgradeDatabase(options);
    });
}

export interface UpgradeResult {
  /** The number of checked records of each collection. */
  readonly checked: Counts;
  /** The number of records that were changed: defaults were filled in, or the record is serialized differently. 0 if there are errors. */
  readonly changed: number;
  /** The errors of records that cannot be upgraded, one line each: `account: collection: id: where: what`. */
  readonly errors: readonly string[];
}

const MAX_REPORTED = 20;

/**
 * Upgrades a database, and prints a summary line.
 * @throws CliError if it was not upgraded; the errors have been printed to standard error.
 */
async function upgradeDatabase({ db, ...options }: Pick<Writing, 'db' | 'wait'>): Promise<void> {
  const started = performance.now();
  const contract = loadContract();
  const { checked, changed, errors } = await waiting(options, (wait) =>
    upgradeRecords(databaseOf(db), contract, { wait }),
  );
  notify(...errors);
  if (errors.length > 0) throw new CliError('Nothing was upgraded. See above.');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  print(`${inWords(checked).join(', ')} checked in ${seconds} s; ${counted(changed, 'records')} changed.`);
}

/** Checks every record of a database against a contract and fills in the defaults. If one record is bad, nothing is changed. */
export async function upgradeRecords(
  database: Pick<Database, 'upgrade'>,
  contract: Contract,
  options?: Pick<UpgradeOptions, 'wait'>,
): Promise<UpgradeResult> {
  const checks = createChecks(contract, true);
  let [checked, errors, bad, changed] = [noRecords(), [] as string[], 0, 0];

  // Called again if another process was writing, and all records are checked once more.
  const begin = (): void => {
    [checked, errors, bad, changed] = [noRecords(), [], 0, 0];
  };
  const recheck = ({ account, collection, id, json }: StoredRecord): CheckedRecord | undefined => {
    checked[collection] += 1;
    const { record, violations } = checkText(checks[collection], json);
    if (record === undefined) {
      bad += 1;
      const reasons = violations.map(({ where, what }) => `${where}: ${what}`).join('; ');
      if (bad <= MAX_REPORTED) errors.push(`${account}: ${commandName(collection)}: ${id}: ${reasons}`);
    } else if (record.json !== json) {
      changed += 1;
    }
    return record;
  };
  const isUpgraded = await database.upgrade(schemaHashes(contract), recheck, { ...options, begin });
  if (isUpgraded) return { checked, changed, errors: [] };

  const all = Object.values(checked).reduce((sum, count) => sum + count, 0);
  const counts = `${bad.toLocaleString('en')} of ${counted(all, 'records')} ${be(bad)} invalid; nothing was changed`;
  return { checked, changed: 0, errors: [...errors, counts] };
}
