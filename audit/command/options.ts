/** Options that commands of several programs share. Parsers throw InvalidArgumentError, which commander reports as wrong usage. */
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

/** @returns a parser of whole numbers from `min` to `max`, with the name of their unit if they have one. */
export function wholeNumber(min: number, max: number, unit?: string): (value: string) => number {
  return (value) => {
    if (!/^(0|[1-9]\d{0,14})$/.test(value) || Number(value) < min || Number(value) > max) {
      const what = unit === undefined ? 'whole number' : `whole number of ${unit}`;
      throw new InvalidArgumentError(`It must be a ${what} from ${String(min)} to ${String(max)}.`);
    }
    return Number(value);
  };
}

/**
 * A required option, which `requireOptions` checks. For commander it is optional: otherwise commander would report a mistyped option as
 * missing, before it reports the unknown one.
 */
export class RequiredOption extends Option {}

/** Ends a command with a usage error if a required option is missing. */
export function requireOptions(command: Command): void {
  const missing = command.options.find(
    (it) => it instanceof RequiredOption && command.getOptionValue(it.attributeName()) === undefined,
  );
  if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
}
