/**
 * Every setting of a server, in one table that defines flags, environment variables, keys of the config file, help, and the list of `docs/running.md`.
 * A flag overrides an environment variable, which overrides the config file, which overrides the default.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { LIMITS } from '../server/http/connections.ts';
import { valuesIn } from '../import/json-text.ts';
import type { JsonValue } from '../import/json-text.ts';
import { fileError } from '../command/command-errors.ts';
import {
  oneOf,
  parseDatabase,
  parseName,
  parseOrigins,
  parsePublicUrl,
  parseRateLimit,
  parseReplicas,
  parseSwitch,
} from './options.ts';
import { variable, wholeNumber } from '../command/options.ts';

export interface Setting {
  /** The placeholder of its value in the help, such as `<n>`. A setting without one is a switch: its flag inverts the default. */
  readonly value?: `<${string}>`;
  /** The description in the help. */
  readonly description: string;
  /** A setting without a default is off unless it is set. */
  readonly default?: string;
  /** Parses a value from any source, including the default. @throws InvalidArgumentError with the allowed values. */
  readonly parse: (value: string) => unknown;
  /** An environment variable that platforms set. It is read if the setting's own variable is not set. */
  readonly fallbackVariable?: string;
}

export const MAX_PORT = 65_535;
const MAX_CACHE_MB = 9999;
const MAX_CONNECTIONS = 999_999;
const MAX_WORKERS = 64;
const MAX_DRAIN_DELAY_S = 600;
const MAX_KEEP_ALIVE_S = 86_400;

/** The settings, by their names in code: `adminPort` is `--admin-port`, `ROLLCALL_ADMIN_PORT`, and `admin-port` in a config file. */
const SETTINGS = {
  db: {
    value: '<database>',
    description: 'database: a file or a PostgreSQL URL',
    default: './rollcall.db',
    parse: parseDatabase,
  },
  dbRead: {
    value: '<urls>',
    description: 'PostgreSQL replicas to read from, separated by commas',
    parse: parseReplicas,
  },
  create: { description: 'create the database if it does not exist', default: 'off', parse: parseSwitch },
  port: {
    value: '<n>',
    description: 'port to listen on; 0 picks a free port',
    default: '3000',
    parse: wholeNumber(0, MAX_PORT),
    fallbackVariable: 'PORT', // Set by platforms that run services.
  },
  // An empty host would mean every address of the machine. HOST is no fallback: shells set it to the name of the machine.
  host: { value: '<host>', description: 'address to listen on', default: '127.0.0.1', parse: parseName },
  workers: {
    value: '<n>',
    description: 'worker processes, each with its own cache and limits',
    default: '1',
    parse: wholeNumber(1, MAX_WORKERS),
  },
  cache: {
    value: '<mb>',
    description: 'response cache in megabytes; 0 disables it',
    default: '32',
    parse: wholeNumber(0, MAX_CACHE_MB, 'megabytes'),
  },
  rateLimit: {
    value: '<n/unit>',
    description: 'maximum rate of requests per account, and of invalid keys per address, such as 10/s',
    parse: parseRateLimit,
  },
  corsOrigin: {
    value: '<origins>',
    description: 'origins whose scripts may call the API, separated by commas; * allows all',
    parse: parseOrigins,
  },
  publicUrl: {
    value: '<url>',
    description: 'URL of the API for clients, such as https://api.example.com/rollcall; the served contract shows it',
    parse: parsePublicUrl,
  },
  console: { description: 'disable the console at /', default: 'on', parse: parseSwitch },
  reference: { description: 'disable the reference at /docs', default: 'on', parse: parseSwitch },
  maxConnections: {
    value: '<n>',
    description: 'maximum number of connections',
    default: String(LIMITS.connections),
    parse: wholeNumber(1, MAX_CONNECTIONS),
  },
  maxConnectionsPerAddress: {
    value: '<n>',
    description: "maximum number of connections from one address, such as a proxy's",
    default: String(LIMITS.connectionsPerAddress),
    parse: wholeNumber(1, MAX_CONNECTIONS),
  },
  keepAlive: {
    value: '<seconds>',
    description: 'time to keep idle connections open; longer than the proxy does',
    default: String(LIMITS.idleMs / 1000),
    parse: wholeNumber(1, MAX_KEEP_ALIVE_S, 'seconds'),
  },
  drainDelay: {
    value: '<seconds>',
    description: 'time to accept new connections after a stop signal, while /readyz returns 503',
    default: '0',
    parse: wholeNumber(0, MAX_DRAIN_DELAY_S, 'seconds'),
  },
  log: {
    value: '<format>',
    description: 'request log on standard error: off, text or json (default: text on terminals, otherwise off)',
    parse: oneOf('off', 'text', 'json'),
  },
  adminPort: {
    value: '<n>',
    description: 'port for /livez, /readyz and /metrics',
    parse: wholeNumber(0, MAX_PORT),
  },
  adminHost: {
    value: '<host>',
    description: 'address of the admin port',
    default: '127.0.0.1',
    parse: parseName,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;
type Value<S extends Setting> = ReturnType<S['parse']> | (S extends { readonly default: string } ? never : undefined);
/** The value of each setting. */
export type Settings = { readonly [Name in SettingName]: Value<(typeof SETTINGS)[Name]> };

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]; // The table has no other keys.

/** @returns a setting of the table, with the type that all settings have. */
export const settingOf = (name: SettingName): Setting => SETTINGS[name];

/** @returns the name of a setting in a config file and, after `--`, on the command line: `admin-port`. */
const keyOf = (name: SettingName): string => name.replaceAll(/[A-Z]/g, (character) => `-${character.toLowerCase()}`);

/** @returns the flag of a setting, as the help shows it: `--admin-port <n>`, `--create`, or `--no-console`. */
export function flagOf(name: SettingName): string {
  const { value, default: text } = settingOf(name);
  if (value !== undefined) return `--${keyOf(name)} ${value}`;
  return text === 'off' ? `--${keyOf(name)}` : `--no-${keyOf(name)}`;
}

/** @returns the environment variable of a setting: `ROLLCALL_ADMIN_PORT`. */
export const variableOf = (name: SettingName): string => `ROLLCALL_${keyOf(name).replaceAll('-', '_').toUpperCase()}`;

/** The environment variables that settings are read from. */
export const settingVariables = (): readonly string[] => [
  'ROLLCALL_CONFIG',
  ...SETTING_NAMES.flatMap((name) => [variableOf(name), settingOf(name).fallbackVariable ?? []].flat()),
];

/** @returns the defaults of all settings. */
export function defaultSettings(): Settings {
  const values = SETTING_NAMES.map((name) => {
    const { default: text, parse } = settingOf(name);
    return [name, text === undefined ? undefined : parse(text)];
  });
  return Object.freeze(Object.fromEntries(values)) as Settings; // The type is derived from the same table.
}

// A file with all settings has about 1000 bytes.
const MAX_CONFIG_BYTES = 65_536;

/** @returns the option of a setting. Commander reads its flag and, unless it is a switch, its own environment variable. */
export function settingOption(name: SettingName, description = settingOf(name).description): Option {
  const { value, default: text, parse, fallbackVariable } = settingOf(name);
  // Without `env`: for commander, any value of a switch's variable, even `on`, would mean the same as the flag.
  if (value === undefined) {
    const to = text === 'off' ? 'on' : 'off';
    return new Option(flagOf(name), `${description} (env: ${variableOf(name)}=${to})`).default(to === 'off', text);
  }
  const also = fallbackVariable === undefined ? '' : `; if ${variableOf(name)} is not set, ${fallbackVariable} is read`;
  const option = new Option(flagOf(name), description + also).env(variableOf(name)).argParser(parse);
  return text === undefined ? option : option.default(parse(text), text);
}

/** `--db <database>`, for a command that creates the database. */
export const dbOption = (): Option =>
  settingOption('db', 'database: a file, created if it does not exist, or a PostgreSQL URL');

/** `--db <database>`, for a command that does not create the database. */
export const existingDbOption = (): Option => settingOption('db');

/** Adds settings to a command. Before its action, reads the environment variables that commander does not: of switches, and fallbacks. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) command.addOption(settingOption(name));
  return command.hook('preAction', () => {
    for (const name of names) {
      const { value, fallbackVariable } = settingOf(name);
      const source = value === undefined ? variableOf(name) : fallbackVariable;
      const text = source === undefined ? undefined : variable(source);
      if (text !== undefined) fill(command, name, text, `from env '${String(source)}'`);
    }
  });
}

/** Adds every setting to a command, and `--config`, a file of settings. */
export function addAllSettings(command: Command): Command {
  return addSettings(command, SETTING_NAMES)
    .addOption(new Option('--config <file>', 'JSON file with settings, such as {"port": 3000}').env('ROLLCALL_CONFIG'))
    .hook('preAction', () => {
      const { config: file } = command.opts<{ config?: string }>();
      if (file === undefined) return;
      for (const [key, value] of Object.entries(readConfig(command, file))) {
        const name = SETTING_NAMES.find((setting) => keyOf(setting) === key);
        if (name === undefined) {
          const known = SETTING_NAMES.map(keyOf).join(', ');
          command.error(`error: unknown setting '${key}' in ${file}. The settings are: ${known}.`);
        }
        const isSwitch = settingOf(name).value === undefined;
        const given = isSwitch && typeof value === 'boolean' ? (value ? 'on' : 'off') : (value as unknown);
        if (typeof given !== 'string' && typeof given !== 'number') {
          const what = isSwitch ? 'true, false, on or off' : 'a string or a number';
          command.error(`error: '${key}' in ${file} is invalid. It must be ${what}.`);
        }
        fill(command, name, String(given), `from '${key}' in ${file}`);
      }
    });
}

/** Sets a setting, unless a source that overrides this one has set it. */
function fill(command: Command, name: SettingName, text: string, from: string): void {
  const source = command.getOptionValueSource(name);
  if (source !== undefined && source !== 'default') return;
  const { parse } = settingOf(name);
  try {
    command.setOptionValueWithSource(name, parse(text), 'config');
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    command.error(`error: option '${flagOf(name)}' value '${text}' ${from} is invalid. ${error.message}`);
  }
}

function readConfig(command: Command, file: string): object {
  let [content, repeated]: [unknown, JsonValue | undefined] = [undefined, undefined];
  try {
    const text = readText(file);
    content = JSON.parse(text);
    // `valuesIn` returns nothing for a text that nests too deep, but no setting nests at all.
    repeated = valuesIn(text).find((member) => member.isDuplicate);
  } catch (error) {
    const what = error instanceof SyntaxError ? `is not JSON: ${error.message}` : fileError(error, 'read');
    command.error(`error: --config file ${file} ${what}.`);
  }
  if (repeated !== undefined) {
    command.error(`error: --config file ${file} has '${repeated.path.join('/')}' more than once.`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    command.error(`error: --config file ${file} must contain one JSON object, such as {"port": 3000}.`);
  }
  return content;
}

/**
 * @returns the text of a file, without a byte order mark.
 * @throws Error if it is not a regular file or is too long. For a FIFO or a device, it does so without waiting for data.
 */
function readText(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK); // Without O_NONBLOCK, opening a FIFO waits for its writer.
  try {
    const stats = fstatSync(fd);
    // Reading a directory fails with a clear error.
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is a FIFO or a device, not a file');
    if (stats.isFile() && stats.size > MAX_CONFIG_BYTES) {
      throw new Error(`it is larger than ${String(MAX_CONFIG_BYTES)} bytes`);
    }
    return readFileSync(fd, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(fd);
  }
}
