/** Loads files into a store: one transaction a file, or one for all of them where they replace a collection. */
import type { Contract } from '../contract/document.ts';
import { schemaHash } from '../contract/schema.ts';
import { createChecks } from '../import/check.ts';
import { StoreBusy } from '../store/store.ts';
import type { Writer } from '../store/store.ts';
import { CalledOff, recordsOf } from './import-records.ts';
import type { Tally } from './import-records.ts';
import type { ImportRequest } from './import-request.ts';
import { inputName } from './input.ts';

export interface ImportResult {
  /** Records loaded, and bad ones that `rejects` kept. */
  readonly loaded: number;
  readonly rejected: number;
  readonly accountIsNew: boolean;
  /** Records of the account's collection before and after. */
  readonly before: number;
  readonly after: number;
  /** What is wrong with files that were not loaded, a line each: `file:line: where: what`. */
  readonly refusals: readonly string[];
}

/**
 * Checks files and loads them. A file with a bad record is not loaded at all, unless `rejects` takes such records.
 * @throws StoreRefused, StoreUnavailable, and what `rejects` throws.
 */
export async function importFiles(writer: Writer, contract: Contract, request: ImportRequest): Promise<ImportResult> {
  const { account, collection, files, replace, rejects } = request;
  const checks = createChecks(contract);
  const fingerprint = schemaHash(contract, collection);
  const result = { loaded: 0, rejected: 0, accountIsNew: false, before: 0, after: 0 };
  const refusals: string[] = [];
  let isFirst = true;

  const units = replace ? [files] : files.map((file) => [file]);
  for (const [at, unit] of units.entries()) {
    const tally: Tally = { good: 0, bad: 0, violations: [] };
    try {
      const records = recordsOf(unit, checks, request, tally);
      const done = await writer.load(account, collection, records, { replace, fingerprint });
      rejects?.keep();
      result.loaded += tally.good;
      result.rejected += tally.bad;
      result.accountIsNew ||= done.accountIsNew;
      result.before = isFirst ? done.before : result.before;
      result.after = done.after;
      isFirst = false;
    } catch (error) {
      rejects?.drop();
      if (error instanceof StoreBusy) {
        const inputs = units.slice(at).flat().map(inputName).join(', ');
        refusals.push(`${inputs}: ${error.message} Nothing of it was loaded`);
        break;
      }
      if (!(error instanceof CalledOff)) throw error;
      refusals.push(...error.lines);
    }
  }
  return { ...result, refusals };
}
