/** `rollcall backup`: a copy of the database, while it is in use. */
import { statSync } from 'node:fs';
import { Command } from 'commander';
import { databaseOf } from './database.ts';
import { existingDbOption } from './options.ts';
import { print } from './output.ts';

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Copy the database to a new file, as it is at one moment, also while a server runs and records are loaded',
    )
    .argument('<file>', 'the new file; one that exists is never overwritten')
    .addOption(existingDbOption())
    .action(async (file: string, { db }: { db: string }) => {
      await databaseOf(db).backUp(file);
      print(`${db} is backed up to ${file}: ${statSync(file).size.toLocaleString('en')} bytes.`);
    });
}
