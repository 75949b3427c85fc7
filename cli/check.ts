/** `rollcall db check`: checks the database and every record, and prints the number of records. */
import { Command } from 'commander';
import { commandName } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { schemaHashes } from '../contract/schema.ts';
import { checkText, createChecks } from '../import/check.ts';
import type { Check } from '../import/check.ts';
import { shownAddress } from '../server/store/address.ts';
import type { Inspector } from '../server/store/inspector.ts';
import type { StoredRecord } from '../server/store/store.ts';
import { StoreError } from '../server/store/store.ts';
import { databaseOf } from './database.ts';
import { CliError } from '../command/command-errors.ts';
import { jsonOption } from './options.ts';
import { byCommandName, inWords, noRecords } from './collections.ts';
import { notify, print, printJson } from '../command/output.ts';
import type { Counts } from './collections.ts';
import { existingDbOption } from './settings.ts';

export function checkCommand(): Command {
  return new Command('check')
    .description('Check the integrity of the database, and every record against the contract')
    .addOption(jsonOption())
    .addOption(existingDbOption())
    .addHelpText(
      'after',
      `
Does not change the database, and can run while a server is running. Exits with 1 if it finds an
error. For SQLite, it also runs SQLite's integrity check. SQLite has no checksums: only a file
system with checksums, such as ZFS, finds a changed letter in a name.`,
    )
    .action(async ({ db, json }: { db: string; json?: true }) => {
      await checkDatabase(db, json === true);
    });
}

interface CheckResult {
  /** Records of each collection, by account. */
  readonly accounts: Readonly<Record<string, Counts>>;
  /** One line for each fault: first the faults of the database itself, then those of its records. */
  readonly faults: readonly string[];
  /** The number of bad records. `faults` lists only the first twenty. */
  readonly badRecords: number;
}

const MAX_REPORTED = 20;
/** The stored fields that are derived from a record's text, with their names in messages. */
const DERIVED = {
  id: 'the stored id',
  createdUs: 'the stored position in the list',
  filter: 'the stored filter value',
  json: 'the stored text',
} as const;

/**
 * Checks a database, and prints its accounts with their record counts.
 * @throws CliError if the database has faults. They have been printed: to standard error, or to standard output as JSON.
 */
async function checkDatabase(db: string, asJson: boolean): Promise<void> {
  const inspector = await databaseOf(db).openInspector();
  let result: CheckResult;
  try {
    result = await inspectAll(inspector, loadContract());
  } finally {
    await inspector.close();
  }
  const { accounts, faults, badRecords } = result;
  const isSound = faults.length === 0;
  if (asJson) {
    const named = Object.entries(accounts).map(([name, counts]) => ({ name, records: byCommandName(counts) }));
    printJson({ ok: isSound, accounts: named, faults, badRecords });
  } else {
    for (const [name, counts] of Object.entries(accounts)) print(`${name}: ${inWords(counts).join(', ')}`);
    notify(...faults);
    if (isSound) print(`No errors found in ${shownAddress(db)}.`);
  }
  if (!isSound) {
    throw new CliError(`Errors found in ${shownAddress(db)} (${counted(badRecords, 'invalid records')}). See above.`);
  }
}

async function inspectAll(inspector: Inspector, contract: Contract): Promise<CheckResult> {
  const checks = createChecks(contract);
  const accounts: Record<string, Record<Collection, number>> = {};
  const faults = [...(await inspector.faults(schemaHashes(contract)))];
  let badRecords = 0;
  try {
    for (const { name } of await inspector.accounts()) accounts[name] = noRecords();
    for await (const stored of inspector.records()) {
      const { account, collection } = stored;
      const counts = (accounts[account] ??= noRecords());
      counts[collection] += 1;
      const recordFaults = faultsOf(stored, checks[collection]);
      if (recordFaults.length === 0) continue;
      badRecords += 1;
      if (badRecords <= MAX_REPORTED) {
        faults.push(`${account}: ${commandName(collection)}: ${stored.id}: ${recordFaults.join('; ')}`);
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    faults.push(error.message);
  }
  return { accounts, faults, badRecords };
}

function faultsOf(stored: StoredRecord, check: Check): readonly string[] {
  const { record, violations } = checkText(check, stored.json);
  if (record === undefined) return violations.map(({ where, what }) => `${where}: ${what}`);
  const names = Object.keys(DERIVED) as (keyof typeof DERIVED)[]; // `Object.keys` returns `string[]`.
  return names
    .filter((name) => record[name] !== stored[name])
    .map((name) => `${DERIVED[name]} does not match the record`);
}
