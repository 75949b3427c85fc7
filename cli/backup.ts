/** `rollcall db backup`: copies the database while it is in use. */
import { statSync } from 'node:fs';
import { Command } from 'commander';
import { counted } from '../contract/wording.ts';
import { databaseFiles, databaseOf } from './database.ts';
import { CliError, fileError, isSystemError } from '../command/command-errors.ts';
import { print } from '../command/output.ts';
import { requireSeparate } from '../command/paths.ts';
import { settingOption } from './settings.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copy a consistent snapshot of a SQLite database to a new file, even while the database is in use')
    .argument('<file>', 'file to create; must not exist')
    .addOption(settingOption('db', 'database: a SQLite file'))
    .action(async (file: string, { db }: { db: string }) => {
      requireSeparate([{ what: 'the backup', path: file }], databaseFiles(db).slice(1)); // The database itself exists.
      try {
        await databaseOf(db).backUp(file);
      } catch (error) {
        throw isSystemError(error) ? new CliError(`${file} ${fileError(error, 'written')}.`) : error;
      }
      print(`Backed up ${db} to ${file} (${counted(statSync(file).size, 'bytes')}).`);
    });
}
