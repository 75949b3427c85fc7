/** Loads files into a store: one transaction a file, or one for all of them where they replace a collection. */
import { createChecks } from '../records/check.ts';
import type { Check } from '../records/check.ts';
import { InputError } from '../records/pieces.ts';
import { readRecords } from '../records/read.ts';
import type { Reject } from '../records/read.ts';
import type { Contract } from '../contract/document.ts';
import { fingerprintOf } from '../contract/fingerprint.ts';
import type { Collection } from '../contract/collections.ts';
import type { CheckedRecord, Writer } from '../store/store.ts';
import { inputName, readInput } from './input.ts';

export interface ImportRequest {
  readonly account: string;
  readonly collection: Collection;
  /** Paths; `-` is standard input. */
  readonly files: readonly string[];
  /** Make the collection exactly what the files hold. */
  readonly replace: boolean;
  /** Takes the bad records. Without it, one bad record refuses its file. */
  readonly reject?: ((file: string, bad: Reject) => void) | undefined;
  /** Told how far the reading of a file has come. */
  readonly progress?: ((file: string, records: number, bytes: number) => void) | undefined;
}

export interface ImportResult {
  /** Records loaded, and bad ones that `reject` took. */
  readonly loaded: number;
  readonly rejected: number;
  readonly accountIsNew: boolean;
  /** Records of the account's collection before and after. */
  readonly before: number;
  readonly after: number;
  /** What is wrong with files that were not loaded, a line each: `file:line: where: what`. */
  readonly refusals: readonly string[];
}

const MAX_REPORTED = 20;

/**
 * Checks files and loads them. A file with a bad record is not loaded at all, unless `reject` takes such records.
 * @throws StoreRefused, StoreUnavailable, and what `reject` throws.
 */
export async function importFiles(writer: Writer, contract: Contract, request: ImportRequest): Promise<ImportResult> {
  const { account, collection, files, replace } = request;
  const check = createChecks(contract)[collection];
  const fingerprint = fingerprintOf(contract, collection);
  const result = { loaded: 0, rejected: 0, accountIsNew: false, before: 0, after: 0 };
  const refusals: string[] = [];
  let isFirst = true;

  for (const unit of replace ? [files] : files.map((file) => [file])) {
    const tally: Tally = { good: 0, bad: 0, violations: [] };
    try {
      const records = batches(unit, check, request, tally);
      const done = await writer.load(account, collection, records, { replace, fingerprint });
      result.loaded += tally.good;
      result.rejected += tally.bad;
      result.accountIsNew ||= done.accountIsNew;
      result.before = isFirst ? done.before : result.before;
      result.after = done.after;
      isFirst = false;
    } catch (error) {
      if (!(error instanceof CalledOff)) throw error;
      refusals.push(...tally.violations, error.message);
    }
  }
  return { ...result, refusals };
}

interface Tally {
  good: number;
  bad: number;
  /** The first bad records that refuse their file. */
  readonly violations: string[];
}

/** Thrown through a load to call it off. */
class CalledOff extends Error {}

async function* batches(
  files: readonly string[],
  check: Check,
  { reject, progress }: ImportRequest,
  tally: Tally,
): AsyncGenerator<readonly CheckedRecord[]> {
  for (const file of files) {
    let bytes = 0;
    const chunks = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of readInput(file)) {
        bytes += chunk.length;
        yield chunk;
      }
    };
    const onBad = (bad: Reject): void => {
      tally.bad += 1;
      if (reject !== undefined) reject(file, bad);
      else if (tally.violations.length < MAX_REPORTED) tally.violations.push(faultLine(file, bad));
    };
    try {
      for await (const records of readRecords(chunks(), check, onBad)) {
        tally.good += records.length;
        progress?.(file, tally.good + tally.bad, bytes);
        if (tally.violations.length === 0) yield records;
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const at = error.line === undefined ? '' : `:${String(error.line)}:`;
      throw new CalledOff(`${inputName(file)}${at} ${error.message}; nothing of it was loaded`);
    }
  }
  if (tally.violations.length > 0) {
    const [bad, all] = [tally.bad, tally.good + tally.bad].map((it) => it.toLocaleString('en'));
    throw new CalledOff(
      `${files.map(inputName).join(', ')}: ${String(bad)} of ${String(all)} records are bad; nothing of it was loaded`,
    );
  }
}

function faultLine(file: string, { line, violations }: Reject): string {
  return `${inputName(file)}:${String(line)}: ${violations.map(({ where, what }) => `${where}: ${what}`).join('; ')}`;
}
