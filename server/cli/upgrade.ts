/** `rollcall upgrade`: has the records of a database checked again, after a change of the contract. */
import { Command } from 'commander';
import { existingDbOption } from './options.ts';
import { waitOption } from './writing.ts';

export function upgradeCommand(): Command {
  return new Command('upgrade')
    .description(
      'Bring a database up to date after an update of Rollcall: check every record again, and fill in what the contract has a default for',
    )
    .addOption(existingDbOption())
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
Back the database up before: an older Rollcall does not open it afterwards. No other command changes a database of an older
version. All of it is brought up to date, or nothing: while one record cannot be, nothing is changed. A server that runs meanwhile
has to be started again.`,
    )
    .action(async (options: { db: string; wait: number }) => {
      // Loaded when it is needed: a command should not pay for the libraries of another.
      const { upgradeDatabase } = await import('./upgrade-database.ts');
      await upgradeDatabase(options);
    });
}
