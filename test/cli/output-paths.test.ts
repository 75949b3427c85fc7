/** No output is written over an input, another output, the database, or a file that belongs to it. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';

const IMPORT = ['import', 'automations', '--account', 'acme', '--skip-invalid', '--rejects'];
const CONFORM = ['conform', 'http://127.0.0.1:1', '--key', 'k'];
const another = (output: string, what: string): string => `${output} is both ${what}. Choose another file.`;
const FILE = 'Name a file, or ./- for one that is called so.';
const OF_DATABASE = 'a file that belongs to the database';

beforeEach(async () => {
  await folder.call(['keys', 'create', '--account', 'acme', '--db', 'd.db']);
  writeFileSync(folder.path('in'), '');
  linkSync(folder.path('in'), folder.path('in-2'));
  symlinkSync('new.db', folder.path('link'));
  symlinkSync('d.db', folder.path('d-link.db'));
});

test.each<[readonly string[], number, string]>([
  [[...IMPORT, 'new.db', 'in', '--db', 'new.db'], 1, another('new.db', 'the --rejects file and the database')],
  [[...IMPORT, 'new.db', 'in', '--db', 'link'], 1, another('new.db', 'the --rejects file and the database')],
  [[...IMPORT, 'new.db-journal', 'in', '--db', 'link'], 1, another('new.db-journal', `the --rejects file and ${OF_DATABASE}`)], // prettier-ignore
  [[...IMPORT, './NEW.db', 'in', '--db', 'new.db'], 1, another('./NEW.db', 'the --rejects file and the database')],
  [[...IMPORT, 'd.db-wal', 'in', '--db', 'd.db'], 1, another('d.db-wal', `the --rejects file and ${OF_DATABASE}`)],
  [[...IMPORT, 'd.db-shm', 'in', '--db', 'd-link.db'], 1, another('d.db-shm', `the --rejects file and ${OF_DATABASE}`)],
  [[...IMPORT, 'new', 'in', '--db', 'in-2'], 1, another('in-2', 'the database and an input')],
  [['db', 'backup', 'd.db-wal', '--db', 'd.db'], 1, another('d.db-wal', `the backup and ${OF_DATABASE}`)],
  [['db', 'copy', 'd.db', 'd.db-wal'], 1, another('d.db-wal', `the database to copy to and ${OF_DATABASE}`)],
  [['db', 'copy', 'd.db', 'd-link.db'], 1, another('d-link.db', 'the database to copy to and the database')],
  [[...CONFORM, '--junit', 'x', '--write-baseline', './x'], 2, another('x', 'the --junit file and the --write-baseline file')], // prettier-ignore
  [[...CONFORM, '--junit', 'in', '--write-baseline', 'in-2'], 2, another('in', 'the --junit file and the --write-baseline file')], // prettier-ignore
  [[...CONFORM, '--junit', 'in', '--baseline', 'in-2'], 2, another('in', 'the --junit file and the --baseline file')],
  [[...CONFORM, '--junit', '-'], 2, `The --junit file cannot be -, a standard stream. ${FILE}`],
  [[...CONFORM, '--write-baseline', '-'], 2, `The --write-baseline file cannot be -, a standard stream. ${FILE}`],
  [[...IMPORT, '-', 'in', '--db', 'd.db'], 1, `The --rejects file cannot be -, a standard stream. ${FILE}`],
  [['db', 'backup', '-', '--db', 'd.db'], 1, `The backup cannot be -, a standard stream. ${FILE}`],
  [['examine', '--junit', 'x', '--write-baseline', 'x', 'github', '--', 'true'], 2, another('x', 'the --junit file and the --write-baseline file')], // prettier-ignore
])('%j', async (argv, code, message) => {
  const before = readdirSync(folder.path('.'));
  const data = readFileSync(folder.path('d.db'), 'base64');
  const ran = await folder.call(argv);
  expect(ran).toMatchObject({ code, stdout: '' });
  expect(ran.stderr.split('\n')[0]).toBe(`${code === 2 ? 'error' : 'rollcall'}: ${message}`);
  expect(readdirSync(folder.path('.'))).toEqual(before);
  expect(readFileSync(folder.path('d.db'), 'base64')).toBe(data);
});

describe('a report', () => {
  test('behind a link whose target does not exist leaves both as they are if it is not written', async () => {
    symlinkSync('target', folder.path('report.xml'));
    await folder.call([...CONFORM, '--junit', 'report.xml', '--only', 'no.rule']);
    await folder.call([...CONFORM, '--junit', 'report.xml', '--baseline', 'none']);
    expect(readlinkSync(folder.path('report.xml'))).toBe('target');
    expect(existsSync(folder.path('target'))).toBe(false);
  });

  test('to a pipe is written once, whole', async () => {
    execFileSync('mkfifo', [folder.path('pipe')]);
    const read = promisify(execFile)('cat', [folder.path('pipe')]);
    await folder.call([...CONFORM, '--junit', 'pipe']);
    expect((await read).stdout).toContain('<testsuites name="rollcall conform">');
  });
});
