/**
 * Options that several commands share, and parsers of option values. Parsers throw InvalidArgumentError, which commander reports as
 * wrong usage.
 */
import { InvalidArgumentError, Option } from 'commander';
import { RequiredOption } from '../command/options.ts';
import { UNPRINTABLE } from '../audit/rules/text.ts';
import { isOrigin } from '../server/http/cross-origin.ts';
import type { RateLimit } from '../server/http/rate-limits.ts';
import { addressesIn } from '../server/store/address.ts';

const MAX_NAME_LENGTH = 100;

/** Parses a name, for example of an account or a host. */
export function parseName(value: string): string {
  if (value === '' || value.search(UNPRINTABLE) >= 0 || value.trim() !== value || value.length > MAX_NAME_LENGTH) {
    throw new InvalidArgumentError(
      `It must be 1 to ${String(MAX_NAME_LENGTH)} characters, without control characters and leading or trailing spaces.`,
    );
  }
  return value;
}

/** Parses the address of a database. Rejects what is another thing elsewhere: nothing, standard streams, and SQLite's `:memory:` and `file:`. */
export function parseDatabase(value: string): string {
  if (value.trim() === '' || value === ':memory:' || value === '-' || /^file:/i.test(value)) {
    throw new InvalidArgumentError('It must be a file path or a URL such as postgres://user@host/database.');
  }
  return value;
}

/**
 * Parses the addresses of replicas. `serve` checks that they are URLs of PostgreSQL, not this parser: commander would repeat the value in
 * the error, with its password.
 */
export function parseReplicas(value: string): readonly string[] {
  if (value.trim() === '') {
    throw new InvalidArgumentError(
      'It must be one or more URLs such as postgres://user@host/database, separated by commas.',
    );
  }
  return addressesIn(value);
}

/** @returns a parser that accepts only the given words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): (value: string) => Word {
  return (value) => {
    const word = words.find((allowed) => allowed === value);
    if (word === undefined) throw new InvalidArgumentError(`It must be one of: ${words.join(', ')}.`);
    return word;
  };
}

/** Parses the value of a switch in an environment variable or a config file. */
export const parseSwitch = (value: string): boolean => oneOf('on', 'off')(value) === 'on';

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

/** Parses a rate such as `10/s`. */
export function parseRateLimit(value: string): RateLimit {
  const [, requests, unit] = /^([1-9]\d{0,8})\/([smh])$/.exec(value) ?? [];
  if (requests === undefined) {
    throw new InvalidArgumentError(
      'It must be a whole number from 1 to 999999999, a slash, and s, m or h, such as 10/s.',
    );
  }
  return { requests: Number(requests), seconds: SECONDS[unit as keyof typeof SECONDS] }; // The pattern allows no other unit.
}

/** Parses the origins whose scripts may call the API, separated by commas. */
export function parseOrigins(value: string): readonly string[] {
  const origins = value.split(',').map((part) => part.trim());
  if (!origins.every(isOrigin)) {
    throw new InvalidArgumentError(
      'It must be *, or origins such as https://app.example (scheme, host and port only), separated by commas.',
    );
  }
  return origins;
}

// A URL that needs no escaping in YAML, JSON, HTML and shell commands. Hosts, ports and paths need no other characters.
const PLAIN_URL = /^https?:\/\/(?:[a-z\d._-]+|\[[a-f\d:.]+\])(?::\d+)?(?:\/[\w.~%-]+)*\/?$/;

/** Parses the URL at which callers reach the API. @returns the normalized URL, without a slash at its end. */
export function parsePublicUrl(value: string): string {
  const url = /^https?:\/\/\S+$/i.test(value) && URL.canParse(value) ? new URL(value).href : '';
  if (!PLAIN_URL.test(url)) {
    throw new InvalidArgumentError(
      'It must be an absolute http or https URL without credentials, query or fragment, such as https://api.example.com/rollcall. Its path may have only letters, digits and /-._~%.',
    );
  }
  return url.replace(/\/$/, '');
}

/** `--account <account>`. */
export const accountOption = (): Option =>
  new RequiredOption('--account <account>', 'name of the account (required)').argParser(parseName);

/** `--json`. */
export const jsonOption = (): Option => new Option('--json', 'print JSON');
