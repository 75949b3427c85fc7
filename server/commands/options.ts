/** Options that several commands share: flags, then environment variables, then defaults. */
import { Argument, InvalidArgumentError, Option } from 'commander';
import { COLLECTIONS, commandName } from '../contract/collections.ts';
import { printable } from './output.ts';

const MAX_PORT = 65_535;
const MAX_NAME_LENGTH = 100;
// Off until random tests of it are green beyond doubt: npm run test:cache.
export const DEFAULT_CACHE_MB = 32;

/** `--db FILE`, the database of every command. */
export const dbOption = (): Option => databaseOption('the database; created if it does not exist');

/** `--db FILE` of a command that makes no database. */
export const existingDbOption = (): Option => databaseOption('the database');

const databaseOption = (description: string): Option =>
  new Option('--db <file>', description).env('ROLLCALL_DB').default('./rollcall.db').argParser(parseFile);

/** `--port N`. */
export const portOption = (): Option =>
  new Option('--port <n>', 'the port to listen on; 0 picks a free one').env('PORT').default(3000).argParser(parsePort);

/** `--host H`. An empty one would be every address of the machine. */
export const hostOption = (): Option =>
  new Option('--host <host>', 'the address to listen on').env('HOST').default('127.0.0.1').argParser(parseName);

/** `--cache MB`. */
export const cacheOption = (): Option =>
  new Option('--cache <mb>', 'how many megabytes of answers to remember; 0 for none')
    .env('ROLLCALL_CACHE')
    .default(DEFAULT_CACHE_MB)
    .argParser(parseMegabytes);

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

/** @throws InvalidArgumentError, which the parser reports as wrong usage. */
export function parseName(value: string): string {
  if (value === '' || printable(value) !== value || value.trim() !== value || value.length > MAX_NAME_LENGTH) {
    throw new InvalidArgumentError(
      `It must be 1 to ${String(MAX_NAME_LENGTH)} characters, without control characters or spaces around it.`,
    );
  }
  return value;
}

// SQLite takes either for a database that is gone when it is closed.
function parseFile(value: string): string {
  if (value.trim() === '' || value === ':memory:') throw new InvalidArgumentError('It must be the path of a file.');
  return value;
}

function parsePort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > MAX_PORT) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${String(MAX_PORT)}.`);
  }
  return Number(value);
}

function parseMegabytes(value: string): number {
  if (!/^\d{1,4}$/.test(value))
    throw new InvalidArgumentError('It must be a whole number of megabytes from 0 to 9999.');
  return Number(value);
}
