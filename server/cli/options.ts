/** Options that several commands share. */
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import { parseName } from './option-values.ts';
import { settingOption } from './setting-sources.ts';

/** `--db DATABASE` of a command that creates one. */
export const dbOption = (): Option =>
  settingOption('db', 'the database: a file, created if it does not exist, or a URL of PostgreSQL');

/** `--db DATABASE` of a command that creates none. */
export const existingDbOption = (): Option => settingOption('db');

/** An option that its command needs. To the parser it is none: it would miss it before it reports the mistyped one. */
export class RequiredOption extends Option {}

/** Ends a command that was not given an option that it needs. */
export function requireOptions(command: Command): void {
  const missing = command.options.find(
    (it) => it instanceof RequiredOption && command.getOptionValue(it.attributeName()) === undefined,
  );
  if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
}

/** `--account NAME`. */
export const accountOption = (): Option =>
  new RequiredOption('--account <name>', 'the account, by its name').argParser(parseName);

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
