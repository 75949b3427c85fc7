/** Options that commands of several programs share. Parsers throw InvalidArgumentError, which commander reports as wrong usage. */
import process from 'node:process';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { notify } from './output.ts';

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

/** The longest run of `audit` and `conform`. */
export const MAX_TIMEOUT_SECONDS = 86_400;

/** @returns an option whose value is a whole number from 1. */
export const numberOption = (flags: string, what: string, max: number, unit?: string): Option =>
  new Option(flags, what).argParser(wholeNumber(1, max, unit));

/** @returns an option that may be given several times. */
export const repeated = (flags: string, what: string): Option =>
  new Option(flags, `${what}; may be repeated`).argParser((value: string, earlier?: readonly string[]) => [
    ...(earlier ?? []),
    value,
  ]);

/**
 * A required option, which `requireOptions` checks. For commander it is optional: otherwise commander would report a mistyped option as
 * missing, before it reports the unknown one.
 */
export class RequiredOption extends Option {}

/** Ends a command with a usage error if a required option is missing. */
export function requireOptions(command: Command): void {
  const missing = command.options.find(
    (option) => option instanceof RequiredOption && command.getOptionValue(option.attributeName()) === undefined,
  );
  if (missing !== undefined) command.error(`error: required option '${missing.flags}' not specified`);
}

// For each service `rollcall`, Kubernetes sets ROLLCALL_PORT=tcp://10.0.0.1:3000 in every container; Docker does so for `--link`.
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
const ignored: string[] = [];

/**
 * @returns the value of an environment variable; `undefined` if it is not set, is empty, or is set for a service of that name. In the last
 *   two cases, removes the variable: commander would read it. `reportIgnored` prints why.
 */
export function variable(name: string): string | undefined {
  const value = process.env[name];
  if (value === undefined) return undefined;
  const isOfService = name.endsWith('_PORT') && SERVICE_ADDRESS.test(value);
  if (value !== '' && !isOfService) return value;
  Reflect.deleteProperty(process.env, name);
  const what = isOfService ? `${value}, the address of a service and not a port` : 'empty';
  ignored.push(`The environment variable ${name} is ignored, because it is ${what}.`);
  return undefined;
}

/** Removes the variables of a command that count as not set. */
export function ignoreVariables({ options }: Command): void {
  for (const { envVar } of options) if (envVar !== undefined) variable(envVar);
}

/** Prints a line for each variable that counted as not set. */
export function reportIgnored(): void {
  for (const line of ignored.splice(0)) notify(line);
}
