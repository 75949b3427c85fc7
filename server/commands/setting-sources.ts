/** Where settings come from: flags, before environment variables, before a config file, before defaults. */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { SETTING_NAMES, flagOf, keyOf, settingOf, variableOf } from './settings.ts';
import type { SettingName } from './settings.ts';

/** @returns the option of a setting. The parser reads its flag and, of one with a value, its own variable. */
export function settingOption(name: SettingName, description = settingOf(name).description): Option {
  const { value, default: text, parse, fallbackVariable } = settingOf(name);
  // To the parser any value of a switch's variable, also `on`, would be its flag.
  if (value === undefined) return new Option(flagOf(name), `${description} (env: ${variableOf(name)}=off)`);
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
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is not JSON' : 'cannot be read';
    command.error(`error: ${file}, of --config, ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    command.error(`error: ${file}, of --config, must be one JSON object, such as {"port": 3000}.`);
  }
  return content;
}
