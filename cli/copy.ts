/** `rollcall db copy`: copies a whole database into an empty one, of any engine, and compares the two. */
import { createHash } from 'node:crypto';
import { Command } from 'commander';
import { COLLECTIONS, noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { schemaHashes } from '../contract/schema.ts';
import { checkText, createChecks } from '../import/check.ts';
import type { Check } from '../import/check.ts';
import type { Inspector } from '../server/store/inspector.ts';
import type { CheckedRecord, Writer } from '../server/store/store.ts';
import { databaseFiles, databaseOf, inspect, waitOption, withWriter } from './database.ts';
import { CliError } from '../command/command-errors.ts';
import { keepHeapSmall } from './heap.ts';
import { parseDatabase } from './options.ts';
import { print } from '../command/output.ts';
import { requireSeparate } from '../command/paths.ts';

export function copyCommand(): Command {
  return new Command('copy')
    .description('Copy all accounts, keys and records to an empty database, and verify the copy')
    .argument('<from>', 'database to copy: a file or a PostgreSQL URL', parseDatabase)
    .argument('<to>', 'empty database to copy to; a file is created if it does not exist', parseDatabase)
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
Copies a consistent snapshot, even while records are being loaded into the source. The keys work with both databases.
An interrupted copy leaves some accounts in the target: delete them, or use another target.`,
    )
    .action(async (from: string, to: string, { wait }: { wait: number }) => {
      keepHeapSmall();
      await copyDatabase(from, to, wait);
    });
}

const BATCH = 500;
const INCOMPLETE = 'The copy is incomplete: delete what it has, or use another target.';

/**
 * Copies a database into one without accounts, and prints a summary line.
 * @param wait how many seconds to wait while another process writes to the target.
 * @throws CliError if the source has a fault, if the target has an account, if a record violates the contract, or if the
 *   two databases differ afterwards.
 */
async function copyDatabase(from: string, to: string, wait: number): Promise<void> {
  const started = performance.now();
  const contract = loadContract();
  const target = databaseFiles(to).map((file) => ({ ...file, what: `${file.what} to copy to` }));
  requireSeparate(target, databaseFiles(from));
  const source = await databaseOf(from).openInspector();
  try {
    const [fault] = await source.faults(schemaHashes(contract));
    if (fault !== undefined) throw new CliError(`${fault} Nothing was copied.`);
    const unchanged = 'The copy is incomplete.';
    await withWriter({ db: to, wait, unchanged }, async (writer) => {
      await copyAll(source, writer, contract, await inspect(to, accountsOf));
    });
    const [expected, actual] = [await digestOf(source), await inspect(to, digestOf)];
    if (expected.digest !== actual.digest) {
      throw new CliError('The copy differs from the source, because another process wrote to it. Do not use it.');
    }
    const { accounts, keys, records, digest } = expected;
    const what = `${counted(accounts, 'accounts')}, ${counted(keys, 'keys')} and ${counted(records, 'records')}`;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`Copied ${what} in ${seconds} s. The copy has the digest sha256 ${digest}, as the source had when it began.`);
  } finally {
    await source.close();
  }
}

/** @returns the accounts by name, in an order that does not depend on the engine. */
const accountsOf = async (inspector: Inspector): Promise<readonly string[]> =>
  (await inspector.accounts()).map(({ name }) => name).sort();

/** @param existing the accounts of the target, which must be none. */
async function copyAll(
  source: Inspector,
  writer: Writer,
  contract: Contract,
  existing: readonly string[],
): Promise<void> {
  const [name] = existing;
  if (name !== undefined) {
    throw new CliError(`The target already has an account, "${name}". Choose an empty database.`);
  }
  const checks = createChecks(contract);
  const hashes = schemaHashes(contract);
  for (const account of await accountsOf(source)) {
    for (const collection of COLLECTIONS) {
      const batches = checkedRecords(source, account, collection, checks[collection]);
      await writer.load(account, collection, batches, { replace: false, schemaHash: hashes[collection] });
    }
  }
  // Keys are copied after all records, and each in one step. If the copy is killed, no key opens an incomplete account, and no revoked
  // key works.
  for (const { hash, ...key } of await source.keys()) await writer.createKey(key, hash);
}

/** @yields the records of an account in batches, checked again, as they were loaded. */
async function* checkedRecords(
  source: Inspector,
  account: string,
  collection: Collection,
  check: Check,
): AsyncGenerator<readonly CheckedRecord[]> {
  let batch: CheckedRecord[] = [];
  for await (const text of (await source.texts(account, collection)) ?? []) {
    const { record, violations = [] } = checkText(check, text);
    if (record === undefined) {
      const reasons = violations.map(({ where, what }) => `${where}: ${what}`).join('; ');
      throw new CliError(
        `The ${noun(collection)} of account "${account}" have an invalid record: ${reasons}. ${INCOMPLETE} To list all, run \`rollcall db check\` on the source.`,
      );
    }
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

interface Digest {
  readonly accounts: number;
  readonly keys: number;
  readonly records: number;
  /** SHA-256 of all accounts, records and keys in a fixed order, in hexadecimal. */
  readonly digest: string;
}

async function digestOf(inspector: Inspector): Promise<Digest> {
  const hash = createHash('sha256');
  // JSON, because different contents always give different texts.
  const add = (...what: readonly unknown[]): unknown => hash.update(`${JSON.stringify(what)}\n`);
  const accounts = await accountsOf(inspector);
  let records = 0;
  for (const account of accounts) {
    for (const collection of COLLECTIONS) {
      add(account, collection);
      for await (const text of (await inspector.texts(account, collection)) ?? []) {
        add(text);
        records += 1;
      }
    }
  }
  const keys = [...(await inspector.keys())].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const { id, account, label, createdAt, expiresAt, revokedAt, hash: keyHash } of keys) {
    add(id, account, label, createdAt, expiresAt, revokedAt, keyHash.toString('hex'));
  }
  return { accounts: accounts.length, keys: keys.length, records, digest: hash.digest('hex') };
}
