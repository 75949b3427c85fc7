/** The parts of `npm run release` that need no build: arguments, the work tree, programs, licences and digests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { run } from '../../scripts/release/command.ts';
import { differences, digestsIn, writeSums } from '../../scripts/release/digests.ts';
import { installedIn } from '../../scripts/release/installed.ts';
import { isAllowed, licenceFaults } from '../../scripts/release/licences.ts';
import { cleanCommit } from '../../scripts/release/packages.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT, must, run as runHere } from '../support/project.ts';

const { signal } = new AbortController();
const write = (path: string, text: string): string => {
  const file = folder.path(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

describe('arguments', () => {
  const release = (...args: readonly string[]): { ok: boolean; output: string } =>
    runHere(ROOT, ['node', 'scripts/release/run.ts', ...args]);

  test('without --dry-run it publishes nothing, and says how to', () => {
    expect(release()).toEqual({
      ok: false,
      output:
        'The release workflow publishes packages, with provenance. To make and check its artefacts, run: npm run release -- --dry-run\n',
    });
  });

  test('an unknown option is an error with the help', () => {
    const { ok, output } = release('--dry-run', '--qick');
    expect([ok, output]).toEqual([false, expect.stringMatching(/^Unknown option '--qick'[^]*--quick {5}without/)]);
  });

  test('a folder with other files is not replaced', () => {
    write('out/own.txt', '');
    const out = folder.path('out');
    const { ok, output } = release('--dry-run', '--out', out);
    expect([ok, output]).toEqual([
      false,
      `${out} has other files, and no SHA256SUMS of an earlier run: choose an empty folder.\n`,
    ]);
  });
});

describe('the work tree', () => {
  const git = (...args: readonly string[]): string =>
    must(folder.path('.'), 'git', '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args);
  const commit = (): void => {
    git('init', '--quiet');
    write('a.txt', 'a');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'A', '--date', '2026-01-01T00:00:00Z');
  };

  test('is a commit, with the version of its tag', async () => {
    commit();
    const root = folder.path('.');
    const [id = '', time = ''] = git('log', '-1', '--format=%H %ct').trim().split(' ');
    expect(await cleanCommit(root, signal)).toEqual({ root, id, time: Number(time), tagged: undefined });
    git('tag', 'nightly');
    git('tag', 'v1.2.3');
    expect((await cleanCommit(root, signal)).tagged).toBe('1.2.3');
  });

  test.each([
    ['a change', 'a.txt', ' M a.txt'],
    ['a new file', 'b.txt', '?? b.txt'],
  ])('with %s is rejected', async (_what, file, listed) => {
    commit();
    write(file, 'changed');
    await expect(cleanCommit(folder.path('.'), signal)).rejects.toThrow(
      `A release is made from a commit, but the work tree has changes. Commit or stash them:\n${listed}`,
    );
  });
});

describe('a program', () => {
  const node = (script: string, of: object = {}): Promise<string> =>
    run([process.execPath, '--eval', script], { cwd: ROOT, signal, ...of });

  test('returns what it prints', async () => {
    expect(await node("console.log('a'); console.error('b')")).toBe('a\n');
  });

  test('that fails is an error with what it printed', async () => {
    await expect(node("console.log('a'); console.error('b'); process.exitCode = 3")).rejects.toThrow(
      / failed:\na\nb\n$/,
    );
  });

  test('that is not there is an error', async () => {
    await expect(run(['no-such-program'], { cwd: ROOT, signal })).rejects.toThrow(
      /^no-such-program does not start: .*ENOENT/,
    );
  });

  const WAIT = 'setTimeout(() => undefined, 60_000)';
  test('that takes too long is ended', async () => {
    await expect(node(WAIT, { minutes: 0.001 })).rejects.toThrow(/ took more than 0\.001 min:/);
  });

  test('ends with the release', async () => {
    const controller = new AbortController();
    const running = node(WAIT, { signal: controller.signal });
    controller.abort(new Error('Interrupted.'));
    await expect(running).rejects.toThrow(/ was interrupted:/);
    await expect(node('', { signal: controller.signal })).rejects.toThrow('Interrupted.');
  });
});

describe('licences', () => {
  test('those of all installed packages, in every form, are checked', () => {
    const packages = {
      a: { license: 'MIT' },
      '@scope/b': { license: '(GPL-3.0-only OR ISC)' },
      'a/node_modules/c': { license: 'GPL-3.0-only' },
      d: { license: { type: 'UNLICENSED' } },
      e: { licenses: [{ type: 'Proprietary' }, { type: 'Apache-2.0' }] },
      f: {},
    };
    for (const [path, fields] of Object.entries(packages)) {
      const name = path.replace(/^.*node_modules\//, '');
      write(join('node_modules', path, 'package.json'), JSON.stringify({ name, version: '1.0.0', ...fields }));
    }
    write('node_modules/.bin/a', '');
    const installed = installedIn(folder.path('.'));
    expect(installed.map((it) => it.name)).toEqual(['@scope/b', 'a', 'c', 'd', 'e', 'f']);
    expect(licenceFaults(installed)).toEqual([
      'c@1.0.0 has the licence GPL-3.0-only, which scripts/release/licences.ts does not allow.',
      'd@1.0.0 has the licence UNLICENSED, which scripts/release/licences.ts does not allow.',
      'f@1.0.0 states no licence.',
    ]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-only)', true],
    ['GPL-3.0-only OR MIT', true],
    ['MIT AND GPL-3.0-only', false],
    ['MIT AND (GPL-3.0-only OR ISC)', true],
    ['MIT OR GPL-3.0-only AND X', true],
    ['(MIT OR GPL-3.0-only) AND X', false],
    ['(MIT', false],
    ['MIT ISC', false],
    ['MIT WITH X', false],
    ['mit', false],
    ['SEE LICENSE IN LICENSE', false],
    ['', false],
  ])('%j: %j', (expression, expected) => {
    expect(isAllowed(expression)).toBe(expected);
  });
});

test('digests are those of sha256sum, and tell what differs', async () => {
  write('one/a', 'a');
  write('one/b', 'b');
  write('two/a', 'a');
  write('two/b', 'B');
  write('two/c', '');
  const one = await digestsIn(folder.path('one'));
  const two = await digestsIn(folder.path('two'));
  expect(differences(one, one)).toEqual([]);
  expect(differences(one, two)).toEqual(['b', 'c']);
  writeSums(folder.path('one'), one);
  expect(must(folder.path('one'), 'sha256sum', '--check', 'SHA256SUMS')).toBe('a: OK\nb: OK\n');
  expect(await digestsIn(folder.path('one'))).toEqual(one);
});
