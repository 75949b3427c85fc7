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
    .addHelpText(
      'after',
      `
Use this instead of cp: the latest writes may still be in the -wal file beside the database. Only
the owner can read the copy. serve and commands that read can use it on a read-only file system,
until a command changes it: then it is a database with -wal and -shm files. Hard links (cp -al) are
for finished copies only.`,
    )
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
