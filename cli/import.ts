/** `rollcall import`: loads records from files. Shows progress on a terminal, and writes the file of `--rejects`. */
import { appendFileSync, closeSync, fstatSync, ftruncateSync, openSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { Command, InvalidArgumentError, Option } from 'commander';
import yoctoSpinner from 'yocto-spinner';
import { noun, recordSchemaOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';
import { loadContract } from '../contract/document.ts';
import { pathsOf } from '../import/csv.ts';
import { rejectLine } from '../import/records.ts';
import { databaseFiles, waitOption, withLoader } from './database.ts';
import { CliError, fileError } from '../command/command-errors.ts';
import { keepHeapSmall } from './heap.ts';
import { importFiles } from './import-files.ts';
import type { ImportResult, Rejects } from './import-files.ts';
import { inputName } from './input.ts';
import { createProgress } from './progress.ts';
import type { Progress } from './progress.ts';
import { accountOption } from './options.ts';
import { collectionArgument } from './collections.ts';
import { isInteractive, notify, print } from '../command/output.ts';
import { requireSeparate } from '../command/paths.ts';
import { printable } from '../audit/rules/text.ts';
import { dbOption } from './settings.ts';

export function importCommand(): Command {
  return new Command('import')
    .description('Load records from CSV, JSON Lines, a JSON array or a saved list response, also compressed by gzip')
    .addArgument(collectionArgument())
    .argument('[files...]', 'files to load, or - for standard input (the default)')
    .addOption(accountOption())
    .option('--replace', "replace all records of the account's collection with those in the files")
    .option('--allow-empty', 'accept a file without records; with --replace, the collection may become empty')
    .option('--allow-partial', 'with --replace, accept one page of a longer list ("has_more" is true)')
    .addOption(
      new Option(
        '--map <property=column>',
        'the column of CSV that has a property, such as created_at=Created; repeatable',
      )
        .argParser(addColumn)
        .default(new Map(), 'the column with the name of the property'),
    )
    .addOption(
      new Option('--timestamps <how>', 'convert RFC 3339 and Unix timestamps, without loss').choices(['convert']),
    )
    .option('--skip-invalid', 'load the valid records of a file that has invalid ones')
    .option(
      '--rejects <file>',
      'file to create for the invalid records, as NDJSON with their errors; requires --skip-invalid',
    )
    .addOption(dbOption())
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
CSV needs a line of column names; name nested properties with a dot: counts.total. An empty cell is
null where null is allowed, and "" is an empty string. A record replaces the account's record with
the same id. Without --skip-invalid, a file is loaded completely or not at all. A file without
records is an error. To load rejected records, fix them in the --rejects file and import that file.
A server can run at the same time.

  rollcall import automations automations.ndjson --account acme
  rollcall import automations export.csv --account acme --map created_at=Created --timestamps convert
  curl ... | rollcall import contact-imports - --account acme`,
    )
    .action(async (collection: Collection, files: string[], options: ImportOptions, command: Command) => {
      keepHeapSmall();
      if (options.rejects !== undefined && options.skipInvalid === undefined) {
        command.error('error: --rejects requires --skip-invalid');
      }
      const paths = pathsOf(recordSchemaOf(loadContract(), collection));
      const unknown = [...options.map.keys()].find((path) => !paths.includes(path));
      if (unknown !== undefined) {
        command.error(
          `error: --map: "${printable(unknown)}" is not a property of ${noun(collection)}; allowed properties: ${paths.join(', ')}`,
        );
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

function addColumn(text: string, columns: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, property, column] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (property === undefined || column === undefined) {
    throw new InvalidArgumentError('It must be a property, = and the name of its column, such as created_at=Created.');
  }
  if (columns.has(property)) throw new InvalidArgumentError('The property already has a column.');
  return new Map([...columns, [property, column]]);
}

interface ImportOptions {
  readonly account: string;
  readonly db: string;
  readonly wait: number;
  readonly replace?: true;
  readonly allowEmpty?: true;
  readonly allowPartial?: true;
  readonly map: ReadonlyMap<string, string>;
  readonly timestamps?: 'convert';
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
    await withLoader({ db, wait }, async (loader) => {
      const spinner = isInteractive() ? yoctoSpinner({ stream: process.stderr }) : undefined;
      const show = (line: string): void => {
        if (spinner === undefined) return;
        spinner.text = printable(line);
        if (!spinner.isSpinning) spinner.start();
      };
      try {
        const progress: Progress | undefined =
          spinner && createProgress(await sizesOf(files), show, () => performance.now());
        const { map: renamed, timestamps, skipInvalid = false } = options;
        const how = { replace, allowEmpty, allowPartial, renamed, convertTimestamps: timestamps !== undefined };
        const what = { account, collection, files, skipInvalid, rejects, progress };
        const result = await importFiles(loader, contract, { ...what, ...how });
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

/** @returns the inputs, with the size in bytes of each that is a file. */
async function sizesOf(files: readonly string[]): Promise<Parameters<typeof createProgress>[0]> {
  return Promise.all(
    files.map(async (file) => {
      const stats = file === '-' ? undefined : await stat(file).catch(() => undefined);
      return { file, size: stats?.isFile() === true ? stats.size : undefined };
    }),
  );
}

function report(result: ImportResult, collection: Collection, options: ImportOptions, tookMs: number): void {
  const [before, after] = [result.before, result.after].map((count) => count.toLocaleString('en'));
  notify(...result.notes, ...result.errors);
  const isFailure = result.errors.length > 0;
  const whose = `${result.accountIsNew ? 'new ' : ''}account "${options.account}"`;
  const holds = `; it now has ${String(after)} (previously ${String(before)})`;
  const { loaded, rejected, repeated } = result;
  const twice = repeated === 0 ? '' : `; later records with the same id replaced ${repeated.toLocaleString('en')}`;
  const invalid = counted(rejected, 'invalid records');
  const aside =
    rejected === 0
      ? ''
      : options.rejects === undefined
        ? `; skipped ${invalid}`
        : `; wrote ${invalid} to ${options.rejects}`;
  print(
    isFailure && loaded === 0
      ? `Nothing was loaded into account "${options.account}"${aside}.`
      : `${counted(loaded, noun(collection))} loaded into ${whose} in ${(tookMs / 1000).toFixed(1)} s${holds}${twice}${aside}.`,
  );
  if (isFailure) throw new CliError('Not all input was loaded. See above.');
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
