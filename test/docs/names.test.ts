/** Names that people copy: the variables of keys, and the files that a database leaves beside it. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';
import { ROOT, must, run } from '../support/project.ts';

test('a key is ROLLCALL_API_KEY wherever it comes from the environment, another one ROLLCALL_API_KEY2', () => {
  const files = must(ROOT, 'git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  const texts = files
    .filter((it) => it !== '' && it !== 'CHANGELOG.md')
    .map((it) => readFileSync(join(ROOT, it), 'utf8'));
  const names = texts.flatMap((it) => it.match(/\bROLLCALL_[A-Z_]*KEY\d*\b/g) ?? []);
  expect(new Set(names)).toEqual(new Set(['ROLLCALL_API_KEY', 'ROLLCALL_API_KEY2']));
});

test.each(['-wal', '-shm', '-journal', '-last-used', '-pending-keys', '.0a1b.partial'])(
  'a database and its %s are not committed, whatever it is called',
  (end) => {
    must(folder.path('.'), 'git', 'init', '--quiet');
    copyFileSync(join(ROOT, '.gitignore'), folder.path('.gitignore'));
    const ignored = (name: string): boolean => run(folder.path('.'), ['git', 'check-ignore', name]).ok;
    expect(['rollcall.db', `rollcall.db${end}`, `data/customers${end}`].map(ignored)).toEqual([true, true, true]);
    expect(ignored('customers.json')).toBe(false);
  },
);
