/** Options that several commands share: flags, then environment variables, then defaults. */
import { InvalidArgumentError, Option } from 'commander';
import { LIMITS } from '../http/limits.ts';
import type { RateLimit } from '../http/rate-limits.ts';

const MAX_PORT = 65_535;
const MAX_NAME_LENGTH = 100;
export const DEFAULT_CACHE_MB = 32;

/** `--db FILE`, the database of every command. */
export const dbOption = (): Option =>
  new Option('--db <file>', 'the database; created if it does not exist')
    .env('ROLLCALL_DB')
    .default('./rollcall.db')
    .argParser(parseFile);

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

/** `--max-connections N` and `--max-connections-per-address N`. */
export const connectionsOptions = (): readonly Option[] => [
  new Option('--max-connections <n>', 'how many connections to take')
    .env('ROLLCALL_MAX_CONNECTIONS')
    .default(LIMITS.connections)
    .argParser(parseConnections),
  new Option('--max-connections-per-address <n>', 'how many of them from one address, such as that of a proxy')
    .env('ROLLCALL_MAX_CONNECTIONS_PER_ADDRESS')
    .default(LIMITS.connectionsPerAddress)
    .argParser(parseConnections),
];

/** `--rate-limit 10/s`. */
export const rateLimitOption = (): Option =>
  new Option(
    '--rate-limit <n/unit>',
    'how many requests an account has, and failed keys an address: 10/s, 600/m, 5000/h',
  )
    .env('ROLLCALL_RATE_LIMIT')
    .argParser(parseRateLimit);

/** `--cors-origin ORIGIN`. */
export const corsOriginOption = (): Option =>
  new Option('--cors-origin <origin>', 'whose scripts may call the API; more than one by commas or again; * for all')
    .env('ROLLCALL_CORS_ORIGIN')
    .argParser(parseOrigins);

/** `--no-reference`. */
export const referenceOption = (): Option => new Option('--no-reference', 'serve no reference page at /docs');

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

function parseConnections(value: string): number {
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
  return Number(value);
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

function parseRateLimit(value: string): RateLimit {
  const [, requests, unit] = /^([1-9]\d{0,8})\/([smh])$/.exec(value) ?? [];
  if (requests === undefined) {
    throw new InvalidArgumentError('It must be a whole number from 1 to 999999999 and s, m or h, such as 10/s.');
  }
  return { requests: Number(requests), seconds: SECONDS[unit as keyof typeof SECONDS] }; // By the pattern.
}

function parseOrigins(value: string, before: readonly string[] = []): readonly string[] {
  const origins = value.split(',').map((it) => it.trim());
  for (const it of origins) {
    if (it !== '*' && (!URL.canParse(it) || new URL(it).origin !== it)) {
      throw new InvalidArgumentError('It must be scheme, host and port alone, such as https://app.example, or *.');
    }
  }
  return [...before, ...origins];
}
