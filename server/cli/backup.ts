/** `rollcall backup`: copies the database while it is in use. */
import { statSync } from 'node:fs';
import { Command } from 'commander';
import { counted } from '../contract/wording.ts';
import { databaseOf } from './database.ts';
import { CliError, fileError, isSystemError } from './errors.ts';
import { print } from './output.ts';
import { existingDbOption } from './settings.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Copy the database to a new file, as it is at one moment, also while a server runs and records are loaded',
    )
    .argument('<file>', 'the new file; one that exists is never overwritten')
    .addOption(existingDbOption())
    .action(async (file: string, { db }: { db: string }) => {
      try {
        await databaseOf(db).backUp(file);
      } catch (error) {
        throw isSystemError(error) ? new CliError(`${file} ${fileError(error, 'written')}.`) : error;
      }
      print(`${db} is backed up to ${file}: ${counted(statSync(file).size, 'bytes')}.`);
    });
}
