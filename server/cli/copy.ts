/** `rollcall copy`: everything of a database into an empty one, of the same engine or of another. */
import { Command } from 'commander';
import { parseDatabase } from './option-values.ts';
import { waitOption } from './writing.ts';

export function copyCommand(): Command {
  return new Command('copy')
    .description('Copy all accounts, keys and records into an empty database, and compare the two')
    .argument('<from>', 'the database to copy: a file, or a URL of PostgreSQL', parseDatabase)
    .argument('<to>', 'the database to copy into; a file is made if it does not exist', parseDatabase)
    .addOption(waitOption())
    .addHelpText(
      'after',
      `
What is copied is one state of the first database, whatever is loaded into it meanwhile; keys open the same accounts in both.
A copy that did not come to its end leaves some accounts in the second: delete them, or begin with another.`,
    )
    .action(async (from: string, to: string, { wait }: { wait: number }) => {
      // Loaded when it is needed: a command should not pay for the libraries of another.
      const { copyDatabase } = await import('./copy-database.ts');
      await copyDatabase(from, to, wait);
    });
}
