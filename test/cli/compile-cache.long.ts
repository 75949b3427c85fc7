/** What Node has compiled is kept in a folder of the user's own: whoever can write to it runs code as this user. */
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { folder } from '../support/own-folder.ts';

const isRoot = process.geteuid?.() === 0;
const NOBODY = 65_534;

/** Starts the command line as without the cache of the tests. @returns what it left in the folder of temporary files. */
async function start(env: Record<string, string> = {}): Promise<string[]> {
  mkdirSync(folder.path('tmp'));
  const own = { NODE_COMPILE_CACHE: '', TMPDIR: folder.path('tmp'), XDG_CACHE_HOME: '', HOME: folder.path('home') };
  expect(await folder.run(['--version'], { env: { ...own, ...env } })).toMatchObject({ code: 0, stderr: '' });
  return readdirSync(folder.path('tmp'));
}
const compiled = (): boolean => readdirSync(folder.path('home/.cache/rollcall/compiled')).length > 0;

test('it is not in the shared folder of temporary files', async () => {
  expect(await start()).toEqual([]);
  expect(compiled()).toBe(true);
});

test('it follows XDG_CACHE_HOME', async () => {
  expect(await start({ XDG_CACHE_HOME: folder.path('cache') })).toEqual([]);
  expect(readdirSync(folder.path('cache/rollcall/compiled'))).not.toEqual([]);
  expect(existsSync(folder.path('home'))).toBe(false);
});

const CACHE = 'home/.cache/rollcall/compiled';
test.each<[string, (path: string) => void]>([
  ['others can write to it', (path) => { chmodSync(path, 0o777); }], // prettier-ignore
  ['others can write to a folder above it', (path) => { chmodSync(dirname(path), 0o777); }], // prettier-ignore
  ...(isRoot
    ? ([
        ['it is of another user', (path: string) => { chownSync(path, NOBODY, NOBODY); }], // prettier-ignore
        ['a folder above it is of another user', (path: string) => { chownSync(dirname(path), NOBODY, NOBODY); }], // prettier-ignore
      ] as [string, (path: string) => void][])
    : []),
])('there is none where %s', async (_, spoil) => {
  mkdirSync(folder.path(CACHE), { recursive: true, mode: 0o700 });
  spoil(folder.path(CACHE));
  expect(await start()).toEqual([]);
  expect(compiled()).toBe(false);
});

test.each(['/dev/null', '/proc/none'])('there is none in %s, where none can be created', async (home) => {
  expect(await start({ HOME: home })).toEqual([]);
});
