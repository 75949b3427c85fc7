/** `rollcall check`: whether a database is sound. */
import { Command } from 'commander';
import { existingDbOption, jsonOption } from './options.ts';

export function checkCommand(): Command {
  return new Command('check')
    .description('Check that the database is sound, and every record of it against the contract; exit 1 if not')
    .addOption(jsonOption())
    .addOption(existingDbOption())
    .addHelpText('after', '\nIt only reads, also while a server runs.')
    .action(async ({ db, json }: { db: string; json?: true }) => {
      // Loaded when it is needed: a command should not pay for the libraries of another.
      const { checkDatabase } = await import('./check-database.ts');
      await checkDatabase(db, json === true);
    });
}
