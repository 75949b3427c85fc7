/** Paths that a command cannot read or write: the error in words, without the system's codes, and no file left behind. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { fileError } from '../../command/command-errors.ts';
import { withoutRoot } from '../support/as-nobody.ts';
import { folder } from '../support/own-folder.ts';

const LONG = 'n'.repeat(300);
/** A file of this name can be created, but not one that is called after it. */
const NO_JOURNAL = 'n'.repeat(250);
const TOO_LONG = 'is too long a path for a database and the files next to it. Choose a shorter one.\n';
const IMPORT = ['import', 'automations', '--account', 'acme'];
const REJECTS = [...IMPORT, 'good', '--skip-invalid', '--rejects'];
const JUNIT = ['conform', 'http://127.0.0.1:1', '--key', 'k', '--junit'];
const usage = (message: string, command: string): string => `error: ${message}\nSee: rollcall ${command} --help\n`;
const NOT_A_FOLDER = (done: string): string => `cannot be ${done}: a part of its path is not a folder`;
const NOT_LOADED = '; not loaded\nrollcall: Not all input was loaded. See above.\n';

test.each([
  [['db', 'backup', 'missing/x'], 1, 'rollcall: missing/x cannot be written: its folder does not exist.\n'],
  [['db', 'backup', LONG], 1, `rollcall: ${LONG} cannot be written: name too long.\n`],
  [['db', 'backup', 'empty'], 1, 'rollcall: empty already exists. Choose a new file.\n'],
  [['db', 'check', '--db', 'empty'], 1, 'rollcall: empty is a directory. Choose a file.\n'],
  [['keys', 'create', '--account', 'a', '--db', 'empty'], 1, 'rollcall: empty is a directory. Choose a file.\n'],
  [['keys', 'create', '--account', 'a', '--db', NO_JOURNAL], 1, `rollcall: ${NO_JOURNAL} ${TOO_LONG}`],
  [['serve', '--create', '--db', NO_JOURNAL], 1, `rollcall: ${NO_JOURNAL} ${TOO_LONG}`],
  [[...IMPORT, 'missing'], 1, `missing does not exist${NOT_LOADED}`],
  [[...IMPORT, 'empty'], 1, `empty is a directory${NOT_LOADED}`],
  [[...IMPORT, 'file/x'], 1, `file/x ${NOT_A_FOLDER('read')}${NOT_LOADED}`],
  [[...REJECTS, 'file/x'], 1, `rollcall: The --rejects file file/x ${NOT_A_FOLDER('written')}.\n`],
  [[...REJECTS, 'empty'], 1, 'rollcall: The --rejects file empty already exists; choose a new file.\n'],
  [['serve', '--config', 'missing'], 2, usage('--config file missing does not exist.', 'serve')],
  [['serve', '--config', 'empty'], 2, usage('--config file empty is a directory.', 'serve')],
  [['demo', '--seed', 'file'], 1, 'rollcall: The --seed file file is not a snapshot: it is not JSON.\n'],
  [[...JUNIT, 'missing/x'], 2, usage('the --junit file missing/x cannot be written: its folder does not exist', 'conform')], // prettier-ignore
  [[...JUNIT, 'empty'], 2, usage('the --junit file empty is a directory', 'conform')],
  [[...JUNIT, LONG], 2, usage(`the --junit file ${LONG} cannot be written: name too long`, 'conform')],
])('%j', async (argv, code, stderr) => {
  mkdirSync(folder.path('empty'));
  writeFileSync(folder.path('file'), '');
  writeFileSync(folder.path('good'), '');
  if (argv[1] === 'backup') await folder.call(['keys', 'create', '--account', 'acme']);
  expect(await folder.call(argv)).toMatchObject({ code, stderr });
  const left = readdirSync(folder.path('.')).filter((it) => !/^rollcall\.db|^(empty|file|good)$/.test(it));
  expect([...left, ...readdirSync(folder.path('empty'))]).toEqual([]);
});

test('a path that is longer than SQLite opens is called so, and no file is left behind', async () => {
  const deep = `${'d'.repeat(250)}/${'e'.repeat(250)}`;
  mkdirSync(folder.path(deep), { recursive: true });
  const db = `${deep}/it.db`;
  expect(await folder.call(['keys', 'create', '--account', 'a', '--db', db])).toMatchObject({
    code: 1,
    stderr: `rollcall: ${db} ${TOO_LONG}`,
  });
  expect(readdirSync(folder.path(deep))).toEqual([]);
});

test('an error about rights is one about this user', () => {
  writeFileSync(folder.path('secret'), '', { mode: 0 });
  let error: unknown;
  try {
    withoutRoot(() => readFileSync(folder.path('secret')));
  } catch (thrown) {
    error = thrown;
  }
  expect(fileError(error, 'read')).toBe('cannot be read: permission denied');
  expect(fileError(error, 'written')).toBe('cannot be written: permission denied');
});
