/** `rollcall import`: loads records from files. */
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { Argument, Command, InvalidArgumentError } from 'commander';
import ora from 'ora';
import { COLLECTIONS, commandName, noun } from '../records/collections.ts';
import type { Reject } from '../records/read.ts';
import { loadSpec } from '../spec.ts';
import { openWriter } from '../store/sqlite/open.ts';
import type { Collection } from '../store/store.ts';
import { importFiles } from './import-files.ts';
import type { ImportRequest, ImportResult } from './import-files.ts';
import { inputName } from './input.ts';
import { accountOption, dbOption } from './options.ts';
import { Refusal } from './refusal.ts';

interface Options {
  readonly account: string;
  readonly db: string;
  readonly replace: boolean;
  readonly skipInvalid: boolean;
  readonly rejects?: string;
}

export function importCommand(): Command {
  const names = COLLECTIONS.map(commandName);
  return new Command('import')
    .description('Load records from NDJSON, a JSON array or a saved list answer, also while a server runs')
    .addArgument(
      new Argument('<collection>', names.join(', ')).argParser((name) => {
        const found = COLLECTIONS.find((it) => commandName(it) === name);
        if (found === undefined) throw new InvalidArgumentError(`It must be one of ${names.join(', ')}.`);
        return found;
      }),
    )
    .argument('[files...]', 'files to load, or - for standard input (the default)')
    .addOption(accountOption())
    .option('--replace', "make the account's collection exactly what the files hold", false)
    .option('--skip-invalid', 'load the good records of a file with bad ones; needs --rejects', false)
    .option('--rejects <file>', 'a new file for the bad records, as NDJSON with their reasons; needs --skip-invalid')
    .addOption(dbOption())
    .addHelpText(
      'after',
      `
Records with an id that the account already has are replaced. A file is loaded whole or not at all.

  rollcall import automations automations.ndjson --account acme
  curl ... | rollcall import contact-imports - --account acme`,
    )
    .action(async (collection: Collection, files: string[], options: Options, command: Command) => {
      if (options.skipInvalid !== (options.rejects !== undefined)) {
        command.error('error: --skip-invalid and --rejects FILE go together, so that no record is lost');
      }
      if (files.length === 0 && process.stdin.isTTY) {
        command.error('error: name the files to load, or - to type records into standard input');
      }
      await importCollection(collection, files.length === 0 ? ['-'] : files, options);
    });
}

async function importCollection(collection: Collection, files: readonly string[], options: Options): Promise<void> {
  const { account, db, replace } = options;
  const started = performance.now();
  const spec = await loadSpec();
  const writer = openWriter(db);
  const spinner = ora({ stream: process.stderr, isSilent: !process.stderr.isTTY, discardStdin: false });
  const rejects = options.rejects === undefined ? undefined : openRejects(options.rejects);
  let isDone = false;
  try {
    const progress = progressOf(await sizes(files), (text) => (spinner.text = text));
    spinner.start('Reading');
    const result = await importFiles(writer, spec, { account, collection, files, replace, reject: rejects?.add, progress });
    spinner.stop();
    isDone = true;
    report(result, collection, options, performance.now() - started);
  } finally {
    spinner.stop();
    rejects?.close(isDone);
    await writer.close();
  }
}

interface Rejects {
  readonly add: NonNullable<ImportRequest['reject']>;
  readonly close: (keep: boolean) => void;
}

/** A new file: one that exists may be the very input, or the rejects of another run. */
function openRejects(path: string): Rejects {
  let file: number;
  try {
    file = openSync(path, 'wx');
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    const why = exists ? 'exists already; name a new one' : `cannot be written: ${String(error)}`;
    throw new Refusal(`The file of --rejects, ${path}, ${why}.`);
  }
  return {
    add: (input: string, { line, text, faults }: Reject) => {
      writeSync(file, `${JSON.stringify({ file: inputName(input), line, faults, text })}\n`);
    },
    close: (keep) => {
      closeSync(file);
      if (!keep) rmSync(path);
    },
  };
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
    show(`${inputName(file)}: ${records.toLocaleString('en')} records${part}`);
  };
}

function report(result: ImportResult, collection: Collection, options: Options, tookMs: number): void {
  const [loaded, rejected, before, after] = [result.loaded, result.rejected, result.before, result.after].map((it) =>
    it.toLocaleString('en'),
  );
  for (const line of result.refusals) process.stderr.write(`${line}\n`);
  const whose = `${result.accountIsNew ? 'new ' : ''}account "${options.account}"`;
  const holds = result.loaded > 0 || options.replace ? `; it holds ${String(after)} now, ${String(before)} before` : '';
  const aside = result.rejected > 0 ? `; ${String(rejected)} bad records are in ${String(options.rejects)}` : '';
  process.stdout.write(
    `${String(loaded)} ${noun(collection)} loaded into ${whose} in ${(tookMs / 1000).toFixed(1)} s${holds}${aside}.\n`,
  );
  if (result.refusals.length > 0) throw new Refusal('Not everything was loaded, see above.');
}
