/** What `rollcall import` does: opens everything, loads the files, says what came of it. */
import { stat } from 'node:fs/promises';
import process from 'node:process';
import yoctoSpinner from 'yocto-spinner';
import { noun } from '../contract/collections.ts';
import { be, counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import type { Collection } from '../contract/collections.ts';
import { importFiles } from './import-files.ts';
import type { ImportResult } from './import-files.ts';
import type { ImportRequest } from './import-request.ts';
import { inputName } from './input.ts';
import { holdNursery } from './nursery.ts';
import { isInteractive, notify, print, printable } from './output.ts';
import { Refusal } from './refusal.ts';
import { openRejects } from './rejects-file.ts';
import { withWriter } from './writing.ts';

export interface ImportOptions {
  readonly account: string;
  readonly db: string;
  readonly wait: number;
  readonly replace?: true;
  readonly allowEmpty?: true;
  readonly allowPartial?: true;
  readonly skipInvalid?: true;
  readonly rejects?: string;
}

/**
 * Loads files as the options say, with progress on a terminal and one summary line always.
 * @throws Refusal if not everything was loaded; what was wrong has been written to standard error.
 */
export async function importCollection(
  collection: Collection,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  holdNursery(); // Every record goes through it.
  const { account, db, wait, replace = false, allowEmpty, allowPartial } = options;
  const started = performance.now();
  const contract = loadContract();
  const rejects = options.rejects === undefined ? undefined : openRejects(options.rejects);
  try {
    await withWriter({ db, wait }, async (writer) => {
      const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr, text: 'Reading' }).start() : undefined;
      try {
        const progress = spinner && progressOf(await sizes(files), (text) => (spinner.text = printable(text)));
        const how = { replace, allowEmpty, allowPartial, rejects, progress };
        const result = await importFiles(writer, contract, { account, collection, files, ...how });
        spinner?.stop();
        report(result, collection, options, performance.now() - started);
      } finally {
        spinner?.stop();
      }
    });
  } finally {
    rejects?.close();
  }
}

/** @returns the size of each file in bytes, as far as it has one. */
async function sizes(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>();
  for (const file of files) {
    const found = file === '-' ? undefined : await stat(file).catch(() => undefined);
    if (found?.isFile() === true) known.set(file, found.size);
  }
  return known;
}

function progressOf(known: ReadonlyMap<string, number>, show: (text: string) => void): ImportRequest['progress'] {
  return (file, records, bytes) => {
    const size = known.get(file);
    const part = size === undefined ? '' : `, ${String(Math.floor((100 * bytes) / Math.max(size, 1)))} %`;
    show(`${inputName(file)}: ${counted(records, 'records')}${part}`);
  };
}

function report(result: ImportResult, collection: Collection, options: ImportOptions, tookMs: number): void {
  const [before, after] = [result.before, result.after].map((it) => it.toLocaleString('en'));
  notify(...result.refusals);
  const whose = `${result.accountIsNew ? 'new ' : ''}account "${options.account}"`;
  const holds =
    result.loaded > 0 || result.refusals.length === 0
      ? `; it holds ${String(after)} now, ${String(before)} before`
      : '';
  const { loaded, rejected } = result;
  const aside =
    rejected > 0 ? `; ${counted(rejected, 'bad records')} ${be(rejected)} in ${String(options.rejects)}` : '';
  print(
    `${counted(loaded, noun(collection))} loaded into ${whose} in ${(tookMs / 1000).toFixed(1)} s${holds}${aside}.`,
  );
  if (result.refusals.length > 0) throw new Refusal('Not everything was loaded, see above.');
}
