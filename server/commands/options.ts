/** Options that several commands share. */
import { Argument, InvalidArgumentError, Option } from 'commander';
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import { parseName } from './option-values.ts';
import { settingOption } from './setting-sources.ts';

/** `--db DATABASE`, the database of every command. */
export const dbOption = (): Option => settingOption('db');

/** `--db DATABASE` of a command that makes no database. */
export const existingDbOption = (): Option => settingOption('db', 'the database');

/** `--account NAME`. */
export const accountOption = (): Option =>
  new Option('--account <name>', 'the account, by its name').makeOptionMandatory().argParser(parseName);

/** `--json`. */
export const jsonOption = (): Option => new Option('--json', 'print JSON, for programs');

/** A collection, by its name on the command line. */
export function collectionArgument(): Argument {
  const names = COLLECTIONS.map(commandName);
  return new Argument('<collection>', names.join(', ')).argParser((name) => {
    const found = COLLECTIONS.find((it) => commandName(it) === name);
    if (found === undefined) throw new InvalidArgumentError(`It must be one of ${names.join(', ')}.`);
    return found;
  });
}
