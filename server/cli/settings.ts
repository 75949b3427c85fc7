/** Every setting of a server, in one table: flags, environment variables, keys of the config file, help and documentation come from it. */
import { LIMITS } from '../http/connections.ts';
import {
  oneOf,
  parseDatabase,
  parseName,
  parseOrigins,
  parsePublicUrl,
  parseRateLimit,
  parseReplicas,
  parseSwitch,
  wholeNumber,
} from './option-values.ts';

export interface Setting {
  /** What stands for its value in the help, such as `<n>`. Without one, it is a switch: its flag turns it to what its default is not. */
  readonly value?: `<${string}>`;
  /** What it sets, as the help has it. */
  readonly description: string;
  /** Without one, it is off unless given. */
  readonly default?: string;
  /** Reads a value, wherever it comes from, the default too. @throws InvalidArgumentError that says what is allowed. */
  readonly parse: (value: string) => unknown;
  /** A variable that others set, read if its own is not there. */
  readonly fallbackVariable?: string;
}

const MAX_PORT = 65_535;
const MAX_CACHE_MB = 9999;
const MAX_CONNECTIONS = 999_999;
const MAX_WORKERS = 64;
const MAX_DRAIN_DELAY_S = 600;

/** By its name in the code: `adminPort` is `--admin-port`, `ROLLCALL_ADMIN_PORT`, and `admin-port` in a file. */
export const SETTINGS = {
  db: {
    value: '<database>',
    description: 'the database: a file, or a URL of PostgreSQL',
    default: './rollcall.db',
    parse: parseDatabase,
  },
  dbRead: {
    value: '<urls>',
    description: 'replicas of a PostgreSQL database, to read from: more than one by commas',
    parse: parseReplicas,
  },
  create: { description: 'create the database if it does not exist', default: 'off', parse: parseSwitch },
  port: {
    value: '<n>',
    description: 'the port to listen on; 0 picks a free one',
    default: '3000',
    parse: wholeNumber(0, MAX_PORT),
    fallbackVariable: 'PORT', // Platforms that run services set it.
  },
  // An empty host would be every address of the machine; HOST is what shells call the machine.
  host: { value: '<host>', description: 'the address to listen on', default: '127.0.0.1', parse: parseName },
  workers: {
    value: '<n>',
    description: 'how many processes serve on the port, each with its own cache, limits and rate limits',
    default: '1',
    parse: wholeNumber(1, MAX_WORKERS),
  },
  cache: {
    value: '<mb>',
    description: 'how many megabytes of answers to remember; 0 for none',
    default: '32',
    parse: wholeNumber(0, MAX_CACHE_MB, 'megabytes'),
  },
  rateLimit: {
    value: '<n/unit>',
    description: 'how many requests an account has, and failed keys an address: 10/s, 600/m, 5000/h',
    parse: parseRateLimit,
  },
  corsOrigin: {
    value: '<origins>',
    description: 'whose scripts may call the API, more than one by commas; * for all',
    parse: parseOrigins,
  },
  publicUrl: {
    value: '<url>',
    description: 'where callers reach the API, such as https://api.example.com/rollcall; the served contract names it',
    parse: parsePublicUrl,
  },
  console: { description: 'leave out the console at /', default: 'on', parse: parseSwitch },
  reference: { description: 'leave out the reference at /docs', default: 'on', parse: parseSwitch },
  maxConnections: {
    value: '<n>',
    description: 'how many connections to take',
    default: String(LIMITS.connections),
    parse: wholeNumber(1, MAX_CONNECTIONS),
  },
  maxConnectionsPerAddress: {
    value: '<n>',
    description: 'how many of them from one address, such as that of a proxy',
    default: String(LIMITS.connectionsPerAddress),
    parse: wholeNumber(1, MAX_CONNECTIONS),
  },
  drainDelay: {
    value: '<seconds>',
    description: 'how long new connections are taken after SIGTERM, while /readyz is 503 already',
    default: '0',
    parse: wholeNumber(0, MAX_DRAIN_DELAY_S, 'seconds'),
  },
  log: {
    value: '<format>',
    description:
      'a line a request on standard error: off, text or json; text on a terminal, else off; faults are always logged',
    parse: oneOf('off', 'text', 'json'),
  },
  adminPort: {
    value: '<n>',
    description: 'the port of /livez, /readyz and /metrics; off unless given',
    parse: wholeNumber(0, MAX_PORT),
  },
  adminHost: {
    value: '<host>',
    description: 'the address of the admin port',
    default: '127.0.0.1',
    parse: parseName,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;
type Value<S extends Setting> = ReturnType<S['parse']> | (S extends { readonly default: string } ? never : undefined);
/** A value for each setting. */
export type Settings = { readonly [Name in SettingName]: Value<(typeof SETTINGS)[Name]> };

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]; // The table has these keys alone.

/** @returns a setting of the table, as what all of them are. */
export const settingOf = (name: SettingName): Setting => SETTINGS[name];

/** @returns its name in a config file and, after `--`, on the command line: `admin-port`. */
export const keyOf = (name: SettingName): string => name.replaceAll(/[A-Z]/g, (it) => `-${it.toLowerCase()}`);

/** @returns its flag, as the help has it: `--admin-port <n>`, `--create`, or `--no-console`. */
export function flagOf(name: SettingName): string {
  const { value, default: text } = settingOf(name);
  if (value !== undefined) return `--${keyOf(name)} ${value}`;
  return text === 'off' ? `--${keyOf(name)}` : `--no-${keyOf(name)}`;
}

/** @returns its environment variable: `ROLLCALL_ADMIN_PORT`. */
export const variableOf = (name: SettingName): string => `ROLLCALL_${keyOf(name).replaceAll('-', '_').toUpperCase()}`;

/** @returns every setting as it is when nothing is given. */
export function defaultSettings(): Settings {
  const values = SETTING_NAMES.map((name) => {
    const { default: text, parse } = settingOf(name);
    return [name, text === undefined ? undefined : parse(text)];
  });
  return Object.freeze(Object.fromEntries(values)) as Settings; // By the table, like the type.
}
