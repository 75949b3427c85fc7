/** Options that several commands share. */
import { Option } from 'commander';
import { parseName } from './option-values.ts';
import { settingOption } from './setting-sources.ts';

/** `--db FILE`, the database of every command. */
export const dbOption = (): Option => settingOption('db');

/** `--account NAME`. */
export const accountOption = (): Option =>
  new Option('--account <name>', 'the account, by its name').makeOptionMandatory().argParser(parseName);
