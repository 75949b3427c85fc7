/** `rollcall import`: loads records from files. Shows progress on a terminal, and writes the file of `--rejects`. */
import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { Command } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import { rejectLine } from '../server/import/records.ts';
import { waitOption, withWriter } from './database.ts';
import { CliError, fileError } from '../audit/command/errors.ts';
import { keepHeapSmall } from './heap.ts';
import { importFiles } from './import-files.ts';
import type { ImportRequest, ImportResult, Rejects } from './import-files.ts';
import { inputName } from './input.ts';
import { accountOption } from './options.ts';
import { collectionArgument } from './collections.ts';
import { isInteractive, notify, print, printable } from '../audit/command/output.ts';
import { databaseFiles } from './database.ts';
import { requireSeparate } from '../audit/command/paths.ts';
import { dbOption } from './settings.ts';

export function importCommand(): Command {
  return new Command('import')
    .description('Load records from NDJSON, a JSON array or a saved list response')
    .addArgument(collectionArgument())
    .argument('[files...]', 'files to load, or - for standard input (the default)')
    .addOption(accountOption())
    .option('--replace', "replace all records of the account's collection with those in the files")
    .option('--allow-empty', 'accept a file without records; with --replace, the collection may become empty')
    .option('--allow-partial', 'with --replace, accept one page of a longer list ("has_more" is true)')
    .option('--skip-invalid', 'load the valid records of a file that has invalid ones; requires --rejects')
    .option(
      '--rejects <file>',
      'file to create for the invalid records, as NDJSON with their errors; requires --skip-invalid',
    )
    .addOption(dbOption())
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
A record replaces the account's record with the same id. Without --skip-invalid, a file is loaded completely or not at all. A file
without records is an error. To load rejected records, fix them in the --rejects file and import that file. A server can run at the
same time.

  rollcall import automations automations.ndjson --account acme
  curl ... | rollcall import contact-imports - --account acme`,
    )
    .action(async (collection: Collection, files: string[], options: ImportOptions, command: Command) => {
      keepHeapSmall();
      if ((options.skipInvalid === undefined) !== (options.rejects === undefined)) {
        command.error('error: --skip-invalid and --rejects <file> must be used together');
      }
      if (options.allowPartial === true && options.replace === undefined) {
        command.error('error: --allow-partial requires --replace');
      }
      if (files.length === 0 && process.stdin.isTTY) {
        command.error('error: no files given; name the files to load, or - to read standard input');
      }
      await importCollection(collection, files.length === 0 ? ['-'] : files, options);
    });
}

interface ImportOptions {
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
 * Loads files. Shows progress on a terminal, and always prints one summary line.
 * @throws CliError if not everything was loaded; the reasons have been printed to standard error.
 */
async function importCollection(
  collection: Collection,
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  const { account, db, wait, replace = false, allowEmpty, allowPartial } = options;
  const started = performance.now();
  const contract = loadContract();
  const [rejectsFile, inputs] = [
    { what: 'the --rejects file', path: options.rejects },
    files.map((path) => ({ what: 'an input', path })),
  ];
  requireSeparate([rejectsFile], [...inputs, ...databaseFiles(db)]);
  requireSeparate(databaseFiles(db), inputs); // An empty input would become the database.
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

/** @returns the size in bytes of each input that is a file. */
async function sizes(files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const known = new Map<string, number>();
  for (const file of files) {
    const stats = file === '-' ? undefined : await stat(file).catch(() => undefined);
    if (stats?.isFile() === true) known.set(file, stats.size);
  }
  return known;
}

function progressOf(known: ReadonlyMap<string, number>, show: (text: string) => void): ImportRequest['progress'] {
  return (file, records, bytes) => {
    const size = known.get(file);
    const part = size === undefined ? '' : `, ${String(Math.floor((100 * bytes) / Math.max(size, 1)))}%`;
    show(`${inputName(file)}: ${counted(records, 'records')}${part}`);
  };
}

function report(result: ImportResult, collection: Collection, options: ImportOptions, tookMs: number): void {
  const [before, after] = [result.before, result.after].map((it) => it.toLocaleString('en'));
  notify(...result.errors);
  const whose = `${result.accountIsNew ? 'new ' : ''}account "${options.account}"`;
  const holds =
    result.loaded > 0 || result.errors.length === 0
      ? `; it now has ${String(after)} (previously ${String(before)})`
      : '';
  const { loaded, rejected } = result;
  const aside = rejected > 0 ? `; wrote ${counted(rejected, 'invalid records')} to ${String(options.rejects)}` : '';
  print(
    `${counted(loaded, noun(collection))} loaded into ${whose} in ${(tookMs / 1000).toFixed(1)} s${holds}${aside}.`,
  );
  if (result.errors.length > 0) throw new CliError('Not all input was loaded. See above.');
}

// The mode of the file of `--rejects`. Its records are as confidential as the database.
const PRIVATE = 0o600;

/** The file of `--rejects`. It has the bad records of files that were loaded, but not those of files that were not. */
interface RejectsFile extends Rejects {
  /** Closes the file, and removes it if it is empty. */
  close(): void;
}

/**
 * @param path a new file: an existing one may be the input itself, or the rejects of another run.
 * @throws CliError if the file exists, or cannot be created.
 */
function openRejects(path: string): RejectsFile {
  const file = open(path);
  let committedBytes = 0;
  const rollback = (): void => {
    ftruncateSync(file, committedBytes);
  };
  return {
    add: (input, bad) => {
      try {
        appendFileSync(file, rejectLine(inputName(input), bad));
      } catch (error) {
        throw new CliError(
          `The --rejects file ${path} ${fileError(error, 'written')}. ` +
            `Not loaded: ${inputName(input)}. Free up space or choose another file, and try again.`,
        );
      }
    },
    commit: () => {
      committedBytes = fstatSync(file).size;
    },
    rollback,
    close: () => {
      rollback();
      closeSync(file);
      if (committedBytes === 0) rmSync(path);
    },
  };
}

function open(path: string): number {
  try {
    return openSync(path, 'ax', PRIVATE);
  } catch (error) {
    throw new CliError(`The --rejects file ${path} ${fileError(error, 'written')}.`);
  }
}
