/** `rollcall db backup`: a copy of one state, made while others write, and restored as docs/data.md describes. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import Database from 'better-sqlite3';
import { backUp } from '../../server/store/sqlite/backup.ts';
import { openWriter } from '../../server/store/sqlite/open.ts';
import { automation } from '../../testkit/builders.ts';
import { afterTest } from '../support/after-test.ts';
import { contract } from '../support/app.ts';
import { codeBelow } from '../support/docs.ts';
import { series } from '../support/series.ts';
import { openShell } from '../support/shell.ts';
import { loadInto } from '../support/store.ts';
import { file, folder } from '../support/own-folder.ts';

async function load(count: number): Promise<void> {
  const writer = openWriter(file);
  await loadInto(writer, 'automations', series(count, automation), { contract, account: 'acme' });
  await writer.close();
}
const count = (of: string): unknown => {
  const db = new Database(of, { readonly: true });
  const found = db.prepare('SELECT count(*) FROM records').pluck().get();
  db.close();
  return found;
};
/** Many more than are copied in one step. */
const RECORDS = 20_000;
/** What a step copies by default. */
const PAGES = 100;
/** Without this limit, a copy that begins anew with each write would never end. */
const MOST_WRITES = 200;
const names = (): string[] => readdirSync(folder.path('.')).toSorted();
const sha = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

test('a copy holds everything, and nothing else is left', async () => {
  await load(3);
  expect(await folder.call(['db', 'backup', 'copy.db'])).toEqual({
    code: 0,
    signal: null,
    stdout: `Backed up ./rollcall.db to copy.db (${statSync(file).size.toLocaleString('en')} bytes).\n`,
    stderr: '',
  });
  expect(names()).toEqual(['copy.db', 'rollcall.db']);
  expect(await folder.call(['db', 'check', '--db', 'copy.db'])).toMatchObject({ code: 0 });
  const [before, after] = await Promise.all(
    ['rollcall.db', 'copy.db'].map((db) => folder.call(['export', 'automations', '--account', 'acme', '--db', db])),
  );
  expect(after).toEqual(before);
});

test.each(['copy.db', 'copy.db-wal', 'copy.db-shm', 'copy.db-journal'])('an existing %s is rejected', async (name) => {
  await load(1);
  writeFileSync(folder.path(name), 'precious');
  expect(await folder.call(['db', 'backup', 'copy.db'])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `rollcall: ${name} already exists. Choose a new file.\n`,
  });
  expect(readFileSync(folder.path(name), 'utf8')).toBe('precious');
  expect(names()).toEqual([name, 'rollcall.db']);
});

test('one that is made while the copy is written is not overwritten', async () => {
  await load(3);
  const done = backUp(file, folder.path('copy.db'));
  writeFileSync(folder.path('copy.db'), 'precious');
  await expect(done).rejects.toThrow('EEXIST');
  expect(readFileSync(folder.path('copy.db'), 'utf8')).toBe('precious');
  expect(names()).toEqual(['copy.db', 'rollcall.db']);
});

test.each([
  [
    'renameSync',
    '(from, to) => real(from, `${to}/x`)',
    'copy.db cannot be written: a part of its path is not a folder.',
  ],
  [
    'fsyncSync',
    '(fd) => { if (fs.existsSync("copy.db")) throw Object.assign(new Error(), { errno: -5, code: "EIO", syscall: "fsync" }); }',
    'copy.db cannot be written: i/o error.',
  ],
])('a %s that fails leaves neither an empty file nor a part of one', async (name, injected, message) => {
  await load(1);
  const script = `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
    const real = fs.${name}; fs.${name} = ${injected}; syncBuiltinESMExports();`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` };
  expect(await folder.run(['db', 'backup', 'copy.db'], { env })).toMatchObject({
    code: 1,
    stderr: `rollcall: ${message}\n`,
  });
  expect(names()).toEqual(['rollcall.db']);
  expect(await folder.call(['db', 'backup', 'copy.db'])).toMatchObject({ code: 0 });
});

test('it is of one state, and comes to its end, although others write after each of its steps', async () => {
  await load(RECORDS);
  const writer = new Database(file);
  const remove = writer.prepare('DELETE FROM records WHERE id = (SELECT id FROM records LIMIT 1)');
  const remaining: number[] = [];
  const backup = jest.spyOn(Database.prototype, 'backup');
  const copyInSteps = backup.getMockImplementation();
  backup.mockImplementation(function (this: Database.Database, to) {
    const progress = ({ remainingPages }: Database.BackupMetadata): number => {
      remaining.push(remainingPages);
      if (remaining.length <= MOST_WRITES) remove.run();
      return PAGES;
    };
    return copyInSteps?.call(this, to, { progress }) ?? Promise.reject(new Error('There is no backup.'));
  });
  afterTest(() => {
    backup.mockRestore();
  });
  await backUp(file, folder.path('copy.db'));
  writer.close();
  expect(remaining.length).toBeGreaterThan(5);
  expect(remaining).toEqual([...new Set(remaining)].toSorted((a, b) => b - a)); // No step begins anew.
  expect(count(folder.path('copy.db'))).toBe(RECORDS);
  expect(count(file)).toBe(RECORDS - remaining.length);
  expect(await folder.call(['db', 'check', '--db', 'copy.db'])).toMatchObject({ code: 0 });
});

test('a store of an older version is copied as it is', async () => {
  await load(3);
  new Database(file).exec("DELETE FROM collections WHERE name <> 'automations'").close();
  const before = sha(file);
  expect(await folder.call(['db', 'backup', 'copy.db'])).toMatchObject({ code: 0, stderr: '' });
  expect(names()).toEqual(['copy.db', 'rollcall.db']);
  expect(sha(file)).toBe(before);
  const copy = new Database(folder.path('copy.db'), { readonly: true });
  expect(copy.prepare('SELECT name FROM collections').pluck().all()).toEqual(['automations']);
  copy.close();
});

test('the commands of docs/data.md back up and restore', async () => {
  const [backup = '', restore = '', ...others] = codeBelow('docs/data.md', 'Back up and restore');
  expect(others).toEqual([]);
  const { sh, calls } = openShell(folder, { runuser: 'shift 3\nexec "$@"', systemctl: '' });
  await load(3);
  sh(backup);
  const copies = readdirSync(folder.path('.')).filter((it) => it.startsWith('rollcall-'));
  expect(copies).toHaveLength(1);
  const copy = folder.path(String(copies[0]));
  const saved = sha(copy);
  await load(2);
  expect(count(file)).toBe(5);
  sh(restore.replaceAll(/rollcall-[\d-]+\.db/g, String(copies[0])));
  expect(count(file)).toBe(3);
  expect(sha(copy)).toBe(saved);
  expect(calls().filter((it) => !it.includes('check'))).toEqual([
    'systemctl stop rollcall',
    `runuser -u rollcall -- cp ${String(copies[0])} rollcall.db`,
    'systemctl start rollcall',
  ]);
});
