/** `rollcall import`: loads records from files. */
import process from 'node:process';
import { Command } from 'commander';
import type { Collection } from '../contract/collections.ts';
import type { ImportOptions } from './import-collection.ts';
import { accountOption, collectionArgument, dbOption } from './options.ts';
import { waitOption } from './writing.ts';

export function importCommand(): Command {
  return new Command('import')
    .description('Load records from NDJSON, a JSON array or a saved list answer, also while a server runs')
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
A file of --rejects can be imported again, once its records have been mended in place.

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
      // Loaded when it is needed: a command should not pay for the libraries of another.
      const { importCollection } = await import('./import-collection.ts');
      await importCollection(collection, files.length === 0 ? ['-'] : files, options);
    });
}
