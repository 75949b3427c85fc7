/** The help of commands, and wrong usage: exit code 2, a message with the right usage, and no database. */
import { existsSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { createProgram } from '../../cli/run.ts';
import type { Ran } from '../support/cli.ts';
import { COMMAND_NAMES } from '../support/collections.ts';
import { folder } from '../support/own-folder.ts';

/** Runs a command that makes no database. */
async function run(argv: readonly string[]): Promise<Ran> {
  const ran = await folder.call(argv);
  expect(existsSync(folder.path('rollcall.db'))).toBe(false);
  return ran;
}

test.each([
  ['--help', 'rollcall'],
  ['serve --help', 'rollcall serve'],
  ['keys create --help', 'rollcall keys create'],
])('%s prints the usage and exits with 0', async (line, name) => {
  const { code, stdout, stderr } = await run(line.split(' '));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.startsWith(`Usage: ${name} [`)).toBe(true);
});

test('without a command it prints its usage and exits with 2', async () => {
  const { code, stderr } = await run([]);
  expect([code, stderr.startsWith('Usage: rollcall [')]).toEqual([2, true]);
});

test('--version', async () => {
  const stdout = expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as unknown;
  expect(await run(['--version'])).toEqual({ code: 0, signal: null, stdout, stderr: '' });
});

test('every command, argument and option says what it is', async () => {
  const every = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(every)];
  const commands = every(await createProgram(''));
  expect(commands.length).toBeGreaterThan(15);
  for (const command of commands) {
    const { registeredArguments: args, options } = command;
    for (const it of [command, ...args, ...options]) {
      const name = it instanceof Command ? it.name() : 'long' in it ? (it.long ?? '').slice(2) : it.name();
      const about = it instanceof Command ? it.description() : it.description;
      const words: unknown[] = [expect.stringMatching(/^[a-z][a-z0-9-]+$/), expect.stringMatching(/\w{2}/)];
      expect([command.name(), name, about]).toEqual([command.name(), ...words]);
    }
  }
});

const NAME = 'It must be 1 to 100 characters, without control characters and leading or trailing spaces.';
const EXPIRY =
  'It must be a number of days from 1d to 9999d, or a future UTC date such as 2030-12-31 or 2030-12-31T12:00:00Z.';
const steering = ['a\u001b[31mb', 'a\u009bb', 'a\u202eb', 'a\u2028b'];
const expiries = '0d,-1d,1.5d,90,10000d,2020-01-01,2999-02-29,2999-13-01,2999-12-31T12:00,soon,'.split(',');

describe.each<[string, readonly (readonly [readonly string[], string])[]]>([
  [
    'import',
    [
      [
        ['contacts', '--account', 'a'],
        `error: command-argument value 'contacts' is invalid for argument 'collection'. It must be one of: ${COMMAND_NAMES}.`,
      ],
      [['automations'], "error: required option '--account <account>' not specified"],
      [['automations', '--account', ' '], NAME],
      [['automations', '--account', 'a', '--rejects', 'x'], 'error: --rejects requires --skip-invalid'],
      [
        ['automations', '--account', 'a', '--map', 'nam=Name'],
        'error: --map: "nam" is not a property of automations; allowed properties: id, name, status, created_at, updated_at',
      ],
      [
        ['contact-imports', '--account', 'a', '--map', 'counts=Counts'],
        'error: --map: "counts" is not a property of contact imports; allowed properties: object, id, status, created_at, ' +
          'completed_at, counts.total, counts.created, counts.updated, counts.skipped, counts.failed',
      ],
      [
        ['automations', '--account', 'a', '--map', 'name'],
        'It must be a property, = and the name of its column, such as created_at=Created.',
      ],
      [['automations', '--account', 'a', '--map', 'name=A', '--map', 'name=B'], 'The property already has a column.'],
      [
        ['automations', '--account', 'a', '--timestamps', 'guess'],
        "error: option '--timestamps <how>' argument 'guess' is invalid. Allowed choices are convert.",
      ],
      [['automations', '--account', 'a', '--allow-partial'], 'error: --allow-partial requires --replace'],
      [['automations', '--account', 'a', '--force'], "error: unknown option '--force'"],
      [
        ['automations', '--acount', 'a', '--alow-empty'],
        "error: unknown option '--acount'\n(Did you mean --account?)\n",
      ],
      [['automations', 'file', '-a'], "error: unknown option '-a'\n"],
      [['--account', 'a'], "error: missing required argument 'collection'"],
    ],
  ],
  [
    'keys create',
    [
      ...expiries.map((it) => [['--account', 'acme', '--expires', it], `${EXPIRY}\n`] as const),
      ...steering.flatMap((it) => [
        [['--account', it], NAME] as const,
        [['--account', 'acme', '--label', it], NAME] as const,
      ]),
      ...['x', '-1', '1.5', '86401'].map(
        (it) => [['--account', 'a', '--wait', it], 'It must be a whole number of seconds from 0 to 86400.'] as const,
      ),
    ],
  ],
  [
    'remove',
    [
      [['automations', '--account', 'a'], "error: missing required argument 'ids'"],
      [['automations', 'x'], "error: required option '--account <account>' not specified"],
      [['things', 'x', '--account', 'a'], `It must be one of: ${COMMAND_NAMES}.`],
    ],
  ],
  ['export', [[['things', '--account', 'a'], `It must be one of: ${COMMAND_NAMES}.`]]],
  ['db upgrade', [[['--force'], "error: unknown option '--force'"]]],
])('%s', (command, rows) => {
  test.each(rows)('%j is wrong usage', async (argv, message) => {
    const { code, stdout, stderr } = await run([...command.split(' '), ...argv]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(steering.filter((it) => stderr.includes(it))).toEqual([]);
    expect(stderr.endsWith(`See: rollcall ${command} --help\n`)).toBe(true);
  });
});

test.each([
  [['keys', 'create', '--acount', 'a'], '--acount', '--account', 'keys create'],
  [['remove', 'automations', 'x', '--acount=a'], '--acount', '--account', 'remove'],
  [['export', 'automations', '--accounts', 'a'], '--accounts', '--account', 'export'],
  [['conform', 'http://127.0.0.1', '--keys', 'k'], '--keys', '--key', 'conform'],
  [['serve', '--prot', '1'], '--prot', '--port', 'serve'],
  [['serve', '--no-consol'], '--no-consol', '--no-console', 'serve'],
  [['demo', '--sed', 'x'], '--sed', '--seed', 'demo'],
  [['db', 'check', '--jsn'], '--jsn', '--json', 'db check'],
])('%j: the option that is unknown is named, and the nearest one, whatever else is missing', async (argv, ...names) => {
  const [unknown, nearest, command] = names;
  expect(await run(argv)).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `error: unknown option '${unknown}'\n(Did you mean ${nearest}?)\nSee: rollcall ${command} --help\n`,
  });
});
