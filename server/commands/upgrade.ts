/** `rollcall upgrade`: has the records of a database checked again, after a change of the contract. */
import { Command } from 'commander';
import { dbOption } from './options.ts';

export function upgradeCommand(): Command {
  return new Command('upgrade')
    .description(
      'Check every record again after an update of Rollcall, and fill in what the contract has a default for',
    )
    .addOption(dbOption())
    .addHelpText(
      'after',
      `
All records are brought up to date, or none: while one cannot be, nothing is changed. A server that runs meanwhile has to
be started again.`,
    )
    .action(async ({ db }: { db: string }) => {
      // Loaded when it is needed: a command should not pay for the libraries of another.
      const { upgradeDatabase } = await import('./upgrade-database.ts');
      await upgradeDatabase(db);
    });
}
