/** Where settings come from: flags, before environment variables, before a config file, before defaults. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { fileError } from './file-errors.ts';
import { valuesIn } from '../import/json-text.ts';
import type { JsonValue } from '../import/json-text.ts';
import { SETTING_NAMES, flagOf, keyOf, settingOf, variableOf } from './settings.ts';
import type { SettingName } from './settings.ts';

// All settings together have about 1000.
const MAX_CONFIG_BYTES = 65_536;

/** @returns the option of a setting. The parser reads its flag and, of one with a value, its own variable. */
export function settingOption(name: SettingName, description = settingOf(name).description): Option {
  const { value, default: text, parse, fallbackVariable } = settingOf(name);
  // To the parser any value of a switch's variable, also `on`, would be its flag.
  if (value === undefined) {
    const to = text === 'off' ? 'on' : 'off';
    return new Option(flagOf(name), `${description} (env: ${variableOf(name)}=${to})`).default(to === 'off', text);
  }
  const also = fallbackVariable === undefined ? '' : ` (also ${fallbackVariable})`;
  const option = new Option(flagOf(name), description + also).env(variableOf(name)).argParser(parse);
  return text === undefined ? option : option.default(parse(text), text);
}

/** `--config FILE`. */
export const configOption = (): Option =>
  new Option('--config <file>', 'a JSON file of settings, such as {"port": 3000}').env('ROLLCALL_CONFIG');

/** Adds settings to a command, and reads them from every source before its action. */
export function addSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) command.addOption(settingOption(name));
  return command.hook('preAction', () => {
    for (const name of names) {
      const { value, fallbackVariable } = settingOf(name);
      const variable = value === undefined ? variableOf(name) : fallbackVariable;
      const given = variable === undefined ? undefined : process.env[variable];
      if (given !== undefined) fill(command, name, given, `from env '${String(variable)}'`);
    }
  });
}

/** Adds every setting to a command, and a file of them. */
export function addAllSettings(command: Command): Command {
  return addSettings(command, SETTING_NAMES)
    .addOption(configOption())
    .hook('preAction', () => {
      const { config: file } = command.opts<{ config?: string }>();
      if (file === undefined) return;
      for (const [key, value] of Object.entries(readConfig(command, file))) {
        const name = SETTING_NAMES.find((it) => keyOf(it) === key);
        if (name === undefined) {
          const known = SETTING_NAMES.map(keyOf).join(', ');
          command.error(`error: ${file} has an unknown setting '${key}'. Allowed are: ${known}.`);
        }
        if (typeof value !== 'string' && typeof value !== 'number') {
          command.error(`error: '${key}' in ${file} is invalid. It must be a string or a number.`);
        }
        fill(command, name, String(value), `from '${key}' in ${file}`);
      }
    });
}

/** Sets what no earlier source has set. */
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
    repeated = valuesIn(text).find((it) => it.isDuplicate); // None of a text that nests too deep: no setting does.
  } catch (error) {
    const what = error instanceof SyntaxError ? `is not JSON: ${error.message}` : fileError(error, 'read');
    command.error(`error: ${file}, of --config, ${what}.`);
  }
  if (repeated !== undefined) {
    command.error(`error: ${file}, of --config, has '${repeated.path.join('/')}' more than once.`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    command.error(`error: ${file}, of --config, must be one JSON object, such as {"port": 3000}.`);
  }
  return content;
}

/** @returns the text of a file, without a byte order mark. @throws Error if it is anything but a file, without waiting for what that may send. */
function readText(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK); // Else opening a FIFO waits for its writer.
  try {
    const stats = fstatSync(fd);
    // Of a directory, reading it says so.
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is a FIFO or a device, not a file');
    if (stats.isFile() && stats.size > MAX_CONFIG_BYTES) {
      throw new Error(`it has more than ${String(MAX_CONFIG_BYTES)} bytes`);
    }
    return readFileSync(fd, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(fd);
  }
}
