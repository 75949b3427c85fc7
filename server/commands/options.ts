/** Options that several commands share: flags, then environment variables, then defaults. */
import { InvalidArgumentError, Option } from 'commander';

const MAX_PORT = 65_535;
const MAX_NAME_LENGTH = 100;

/** `--db FILE`, the database of every command. */
export const dbOption = (): Option =>
  new Option('--db <file>', 'the database; made if it does not exist').env('ROLLCALL_DB').default('./rollcall.db');

/** `--port N`. */
export const portOption = (): Option =>
  new Option('--port <n>', 'the port to listen on; 0 picks a free one').env('PORT').default(3000).argParser(parsePort);

/** `--account NAME`. */
export const accountOption = (): Option =>
  new Option('--account <name>', 'the account, by its name').makeOptionMandatory().argParser(parseName);

/** @throws InvalidArgumentError, which the parser reports as wrong usage. */
export function parseName(value: string): string {
  if (!/^\P{Cc}+$/u.test(value) || value.trim() !== value || value.length > MAX_NAME_LENGTH) {
    throw new InvalidArgumentError(
      `It must be 1 to ${String(MAX_NAME_LENGTH)} characters, without control characters or spaces around it.`,
    );
  }
  return value;
}

function parsePort(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > MAX_PORT) {
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${String(MAX_PORT)}.`);
  }
  return Number(value);
}

/** @throws InvalidArgumentError, which the parser reports as wrong usage. */
export function parseMegabytes(value: string): number {
  if (!/^\d{1,4}$/.test(value))
    throw new InvalidArgumentError('It must be a whole number of megabytes from 0 to 9999.');
  return Number(value);
}
