/** `rollcall import`: loads records from files. Shows progress on a terminal, and writes the file of `--rejects`. */
import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { Command } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { noun } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { be, counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import { rejectLine } from '../import/records.ts';
import { waitOption, withWriter } from './database.ts';
import { CliError, fileError } from './errors.ts';
import { importFiles } from './import-files.ts';
import type { ImportRequest, ImportResult, Rejects } from './import-files.ts';
import { inputName } from './input.ts';
import { accountOption, collectionArgument } from './options.ts';
import { isInteractive, notify, print, printable } from './output.ts';
import { dbOption } from './settings.ts';
import { holdYoungGeneration } from './young-generation.ts';

export function importCommand(): Command {
  return new Command('import')
    .description('Load records from NDJSON, a JSON array or a saved list response, also while a server runs')
    .addArgument(collectionArgument())
    .argument('[files...]', 'files to load, or - for standard input (the default)')
    .addOption(accountOption())
    .option('--replace', "make the account's collection exactly what the files hold")
    .option('--allow-empty', 'take a file without a record; --replace may leave nothing then')
    .option('--allow-partial', 'let --replace load one page of a longer list ("has_more" is true)')
    .option('--skip-invalid', 'load the good records of a file with bad ones; needs --rejects')
    .option('--rejects <file>', 'a new file for the bad records, as NDJSON with their reasons; needs --skip-invalid')
    .addOption(dbOption())
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
Records with an id that the account already has are replaced. A file is loaded whole or not at all; one\nwithout a record is an error.
A file of --rejects can be imported again, once its records have been fixed in place.

  rollcall import automations automations.ndjson --account acme
  curl ... | rollcall import contact-imports - --account acme`,
    )
    .action(async (collection: Collection, files: string[], options: ImportOptions, command: Command) => {
      if ((options.skipInvalid === undefined) !== (options.rejects === undefined)) {
        command.error('error: --skip-invalid and --rejects FILE go together, so that no record is lost');
      }
      if (options.allowPartial === true && options.replace === undefined) {
        command.error('error: --allow-partial says how far --replace may go; it needs it');
      }
      if (files.length === 0 && process.stdin.isTTY) {
        command.error('error: name the files to load, or - to type records into standard input');
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
  holdYoungGeneration(); // Every record passes through the young generation.
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
    const part = size === undefined ? '' : `, ${String(Math.floor((100 * bytes) / Math.max(size, 1)))} %`;
    show(`${inputName(file)}: ${counted(records, 'records')}${part}`);
  };
}

function report(result: ImportResult, collection: Collection, options: ImportOptions, tookMs: number): void {
  const [before, after] = [result.before, result.after].map((it) => it.toLocaleString('en'));
  notify(...result.errors);
  const whose = `${result.accountIsNew ? 'new ' : ''}account "${options.account}"`;
  const holds =
    result.loaded > 0 || result.errors.length === 0 ? `; it holds ${String(after)} now, ${String(before)} before` : '';
  const { loaded, rejected } = result;
  const aside =
    rejected > 0 ? `; ${counted(rejected, 'bad records')} ${be(rejected)} in ${String(options.rejects)}` : '';
  print(
    `${counted(loaded, noun(collection))} loaded into ${whose} in ${(tookMs / 1000).toFixed(1)} s${holds}${aside}.`,
  );
  if (result.errors.length > 0) throw new CliError('Not everything was loaded, see above.');
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
          `The file of --rejects, ${path}, ${fileError(error, 'written')}. ` +
            `Nothing of ${inputName(input)} was loaded. Make room or name another file, and try again.`,
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
    throw new CliError(`The file of --rejects, ${path}, ${fileError(error, 'written')}.`);
  }
}
