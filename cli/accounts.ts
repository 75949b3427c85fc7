/** `rollcall accounts`: lists accounts, shows their statistics, and deletes them. */
import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import { COLLECTIONS, commandName, noun } from '../contract/collections.ts';
import { counted } from '../contract/wording.ts';
import type { AccountSummary } from '../server/store/store.ts';
import { inspect, reject, unknownAccount, waitOption, withWriter } from './database.ts';
import { CliError } from '../command/command-errors.ts';
import { jsonOption, parseName } from './options.ts';
import { byCommandName, inWords } from './collections.ts';
import { notify, print, printJson, table } from '../command/output.ts';
import { existingDbOption } from './settings.ts';

interface Options {
  readonly db: string;
  readonly json?: true;
}

export function accountsCommand(): Command {
  const list = new Command('list')
    .description('List accounts with the number of their active keys and records')
    .addOption(jsonOption())
    .addOption(existingDbOption())
    .action(async ({ db, json }: Options) => {
      const accounts = await inspect(db, (inspector) => inspector.accounts());
      if (json === true)
        printJson(accounts.map((account) => ({ ...account, records: byCommandName(account.records) })));
      else
        print(
          ...table(
            ['ACCOUNT', 'KEYS', ...COLLECTIONS.map((collection) => noun(collection).toUpperCase())],
            accounts.map(rowOf),
          ),
        );
      if (accounts.length === 0) notify('No accounts yet. `rollcall import` and `rollcall keys create` create them.');
    });

  const stats = new Command('stats')
    .description('Show the number, size and time range of the records in each collection')
    .addOption(jsonOption())
    .addOption(existingDbOption())
    .action(async ({ db, json }: Options) => {
      const stats = await inspect(db, (inspector) => inspector.stats());
      const rows = stats.map((stat) => ({ ...stat, collection: commandName(stat.collection) }));
      if (json === true) printJson(rows);
      else {
        const cells = rows.map((row) => [
          row.account,
          row.collection,
          row.records.toLocaleString('en'),
          row.bytes.toLocaleString('en'),
          row.newest ?? '-',
          row.oldest ?? '-',
        ]);
        print(...table(['ACCOUNT', 'COLLECTION', 'RECORDS', 'BYTES', 'NEWEST', 'OLDEST'], cells));
      }
    });

  const remove = new Command('delete')
    .description('Permanently delete an account with its records and keys')
    .argument('<account>', 'name of the account', parseName)
    .option('--yes', 'delete the account; without it, only show what would be deleted')
    .addOption(existingDbOption())
    .addOption(waitOption())
    .action(async (name: string, { db, yes, wait }: { db: string; yes?: true; wait: number }) => {
      const found = (await inspect(db, (inspector) => inspector.accounts(), reject)).find(
        (account) => account.name === name,
      );
      if (found === undefined) throw unknownAccount(db, name);
      const all = described(found);
      if (yes === undefined) throw new CliError(`This would permanently delete ${all}. To delete it, add --yes.`);
      await withWriter({ db, wait, mustExist: true }, async (writer) => {
        const agree = (held: AccountSummary): void => {
          if (!isDeepStrictEqual(held, found)) throw new CliError(changed(held));
        };
        if (!(await writer.removeAccount(name, agree))) throw unknownAccount(db, name);
        print(`Deleted ${all}.`);
      });
    });

  return new Command('accounts')
    .description('List accounts, show statistics, and delete accounts')
    .addCommand(list)
    .addCommand(stats)
    .addCommand(remove);
}

const rowOf = ({ name, keys, records }: AccountSummary): readonly string[] => [
  name,
  ...[keys, ...COLLECTIONS.map((collection) => records[collection])].map((number) => number.toLocaleString('en')),
];

const described = ({ name, keys, records }: AccountSummary): string =>
  `account "${name}" with ${new Intl.ListFormat('en').format([...inWords(records), counted(keys, 'active keys')])}`;

/** @returns the error of an account that has changed since it was agreed to delete it. */
const changed = (held: AccountSummary): string =>
  `Nothing was deleted: it would now delete ${described(held)}. To delete that, run the command again.`;
