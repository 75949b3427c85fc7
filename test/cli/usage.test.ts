/** Wrong usage of commands: exit code 2, a message with the right usage, and no database. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { createProgram } from '../../server/cli/run.ts';
import type { Ran } from '../support/cli.ts';
import { COMMAND_NAMES } from '../support/collections.ts';
import { folder } from '../support/own-folder.ts';

/** Runs a command that makes no database. */
async function run(argv: readonly string[]): Promise<Ran> {
  const ran = await folder.call(argv);
  expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  return ran;
}

describe('import', () => {
  test.each([
    [
      ['import', 'contacts', '--account', 'a'],
      `error: command-argument value 'contacts' is invalid for argument 'collection'. It must be one of ${COMMAND_NAMES}.`,
    ],
    [['import', 'automations'], "error: required option '--account <name>' not specified"],
    [
      ['import', 'automations', '--account', ' '],
      'It must be 1 to 100 characters, without control characters or spaces around it.',
    ],
    [
      ['import', 'automations', '--account', 'a', '--skip-invalid'],
      'error: --skip-invalid and --rejects FILE go together, so that no record is lost',
    ],
    [
      ['import', 'automations', '--account', 'a', '--rejects', 'x'],
      'error: --skip-invalid and --rejects FILE go together, so that no record is lost',
    ],
    [
      ['import', 'automations', '--account', 'a', '--allow-partial'],
      'error: --allow-partial says how far --replace may go; it needs it',
    ],
    [
      ['import', 'automations', '--account', 'a', '--db', ''],
      "error: option '--db <database>' argument '' is invalid. It must be the path of a file, or a URL such as postgres://user@host/database.",
    ],
    [
      ['import', 'automations', '--account', 'a', '--db', ':memory:'],
      "error: option '--db <database>' argument ':memory:' is invalid. It must be the path of a file, or a URL such as postgres://user@host/database.",
    ],
    [['import', 'automations', '--account', 'a', '--force'], "error: unknown option '--force'"],
    [['import', 'automations', '--acount', 'a'], "error: unknown option '--acount'\n(Did you mean --account?)\n"],
    [
      ['import', 'automations', '--acount', 'a', '--alow-empty'],
      "error: unknown option '--acount'\n(Did you mean --account?)\n",
    ],
    [['import', 'automations', 'file', '-a'], "error: unknown option '-a'\n"],
    [['import', '--account', 'a'], "error: missing required argument 'collection'"],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await run(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/See: rollcall import --help\n$/);
  });
});

test.each([
  [['keys', 'create', '--acount', 'a'], '--acount', '--account', 'keys create'],
  [['remove', 'automations', 'x', '--acount=a'], '--acount=a', '--account', 'remove'],
  [['export', 'automations', '--accounts', 'a'], '--accounts', '--account', 'export'],
  [['conform', 'http://127.0.0.1', '--keys', 'k'], '--keys', 'one of --key, --key2', 'conform'],
  [['serve', '--prot', '1'], '--prot', '--port', 'serve'],
  [['serve', '--no-consol'], '--no-consol', '--no-console', 'serve'],
  [['demo', '--sed', 'x'], '--sed', '--seed', 'demo'],
  [['check', '--jsn'], '--jsn', '--json', 'check'],
])('%j: the option that is unknown is named, and the nearest one, whatever else is missing', async (argv, ...names) => {
  const [unknown, nearest, command] = names;
  expect(await run(argv)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `error: unknown option '${unknown}'\n(Did you mean ${nearest}?)\nSee: rollcall ${command} --help\n`,
  });
});

describe('keys', () => {
  test.each([
    '',
    '0d',
    '-1d',
    '1.5d',
    '90',
    '10000d',
    '2020-01-01',
    '2999-02-29',
    '2999-13-01',
    '2999-12-31T12:00',
    'soon',
  ])('are not made for --expires %j', async (expires) => {
    const ran = await run(['keys', 'create', '--account', 'acme', '--expires', expires]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(
      'It must be days from now, 1d to 9999d, or a date to come such as 2030-12-31 or 2030-12-31T12:00:00Z, in UTC.\n',
    );
  });

  test.each(['a\u001b[31mb', 'a\u009bb', 'a\u202eb', 'a\u2028b'])('the name %j is rejected', async (name) => {
    for (const argv of [
      ['--account', name],
      ['--account', 'acme', '--label', name],
    ]) {
      const ran = await run(['keys', 'create', ...argv]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain('It must be 1 to 100 characters, without control characters or spaces around it.');
      expect(ran.stderr).not.toContain(name);
    }
  });
});

test('every command, argument and option says what it is', async () => {
  const every = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(every)];
  const commands = every(await createProgram(''));
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    const { registeredArguments: args, options } = command;
    for (const it of [command, ...args, ...options]) {
      const name = it instanceof Command ? it.name() : 'long' in it ? (it.long ?? '').slice(2) : it.name();
      expect([command.name(), name]).toEqual([command.name(), expect.stringMatching(/^[a-z][a-z0-9-]+$/)]);
      const about = it instanceof Command ? it.description() : it.description;
      expect([command.name(), name, about]).toEqual([command.name(), name, expect.stringMatching(/\w{2}/)]);
    }
  }
});

test.each([
  ['accounts', 'list'],
  ['accounts', 'stats'],
  ['accounts', 'delete', 'acme', '--yes'],
  ['check'],
  ['export', 'automations', '--account', 'acme'],
  ['keys', 'list'],
  ['keys', 'revoke', 'x'],
  ['upgrade'],
])('%s %s makes no database', async (...argv) => {
  expect(await run(argv)).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'rollcall: There is no database of Rollcall at ./rollcall.db. Check its name; import, keys create and serve --create make one.\n',
  });
});
