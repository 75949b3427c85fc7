/** What `rollcall check` does: reads all there is, says what is wrong and how much there is. */
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { be, counted } from '../contract/counted.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { fingerprintsOf } from '../contract/fingerprint.ts';
import { createChecks } from '../import/check.ts';
import type { Check } from '../import/check.ts';
import { shownAddress } from '../store/address.ts';
import type { Inspector } from '../store/inspector.ts';
import { StoreRefused } from '../store/store.ts';
import type { FullRecord } from '../store/store.ts';
import { databaseOf } from './database.ts';
import { byCommandName, inWords } from './counts.ts';
import type { Counts } from './counts.ts';
import { notify, print, printJson } from './output.ts';
import { Refusal } from './refusal.ts';

interface CheckResult {
  /** Records of each collection, by account. */
  readonly accounts: Readonly<Record<string, Counts>>;
  /** What is wrong, a line each: the database itself first, then its records. */
  readonly faults: readonly string[];
  /** How many records are bad; no more than twenty of them are among the faults. */
  readonly badRecords: number;
}

const MAX_REPORTED = 20;
/** Under what a record is filed, for people. */
const FILED = { id: 'its id', createdUs: 'its place in the list', filter: 'its filter', json: 'its text' } as const;

/**
 * Checks a database and prints what it holds.
 * @throws Refusal if anything is wrong with it; what is has been written to standard error.
 */
export async function checkDatabase(db: string, asJson: boolean): Promise<void> {
  const database = databaseOf(db);
  const inspector = await database.openInspector();
  let result: CheckResult;
  try {
    result = await inspectAll(inspector, loadContract());
  } finally {
    await inspector.close();
  }
  const { accounts, badRecords } = result;
  const faults = [...result.faults, ...(await database.lastUsesFaults())];
  const isSound = faults.length === 0;
  if (asJson) {
    const named = Object.entries(accounts).map(([name, counts]) => ({ name, records: byCommandName(counts) }));
    printJson({ ok: isSound, accounts: named, faults, badRecords });
  } else {
    for (const [name, counts] of Object.entries(accounts)) print(`${name}: ${inWords(counts).join(', ')}`);
    notify(...faults);
    if (isSound) print(`${shownAddress(db)} is sound.`);
  }
  if (!isSound) {
    throw new Refusal(
      `${shownAddress(db)} is not sound: ${counted(badRecords, 'records')} ${be(badRecords)} bad; see above.`,
    );
  }
}

async function inspectAll(inspector: Inspector, contract: Contract): Promise<CheckResult> {
  const checks = createChecks(contract);
  const accounts: Record<string, Record<Collection, number>> = {};
  const faults = [...(await inspector.faults(fingerprintsOf(contract)))];
  let badRecords = 0;
  try {
    for (const { name } of await inspector.accounts()) accounts[name] = noRecords();
    for await (const filed of inspector.records()) {
      const { account, collection } = filed;
      const counts = (accounts[account] ??= noRecords());
      counts[collection] += 1;
      const wrong = faultsOf(filed, checks[collection]);
      if (wrong.length === 0) continue;
      badRecords += 1;
      if (badRecords <= MAX_REPORTED) {
        faults.push(`${account}: ${commandName(collection)}: ${filed.id}: ${wrong.join('; ')}`);
      }
    }
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error;
    faults.push(error.message);
  }
  return { accounts, faults, badRecords };
}

const noRecords = (): Record<Collection, number> =>
  Object.fromEntries(COLLECTIONS.map((it) => [it, 0])) as Record<Collection, number>; // One for each.

function faultsOf(filed: FullRecord, check: Check): readonly string[] {
  if (!filed.isIntact) return ['its text is not what was written'];
  let value: unknown;
  try {
    value = JSON.parse(filed.json);
  } catch {
    return ['record: is not JSON'];
  }
  const { record, violations } = check(value);
  if (record === undefined) return violations.map(({ where, what }) => `${where}: ${what}`);
  const names = Object.keys(FILED) as (keyof typeof FILED)[]; // Its keys are its type.
  return names.filter((it) => record[it] !== filed[it]).map((it) => `${FILED[it]} is not the one it was loaded with`);
}
