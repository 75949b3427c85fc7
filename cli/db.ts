/** `rollcall db`: the commands about a database as a whole. */
import { Command } from 'commander';
import { backupCommand } from './backup.ts';
import { checkCommand } from './check.ts';
import { copyCommand } from './copy.ts';
import { upgradeCommand } from './upgrade.ts';

export const dbCommand = (): Command =>
  new Command('db')
    .description('Check, back up, copy or upgrade a database')
    .addCommand(checkCommand())
    .addCommand(backupCommand())
    .addCommand(copyCommand())
    .addCommand(upgradeCommand());
