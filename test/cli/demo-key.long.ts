/** The key of a folder's demos: stored for the next one, readable by no other user, and read from nowhere else. */
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { demoKey } from '../../cli/demo-key.ts';
import type { DemoKey } from '../../cli/demo-key.ts';
import { CliError } from '../../command/errors.ts';
import { isKey, newKey } from '../../server/store/keys.ts';
import { folder } from '../support/own-folder.ts';

const run = promisify(execFile);
const FOLDER = '.rollcall-demo';
const KEY_FILE = join(FOLDER, 'key');
const modeOf = (name: string): number => statSync(folder.path(name)).mode & 0o777;
const stored = (): string => readFileSync(folder.path(KEY_FILE), 'utf8');
const namesIn = (name: string): readonly string[] => readdirSync(folder.path(name)).toSorted();
const ask = (): DemoKey => demoKey(folder.path('.'));

/** @returns the key of a demo that has been started and stopped, and what it said besides. */
async function keyOf(argv: readonly string[] = [], setUp?: string): Promise<{ key: string; stderr: string }> {
  const demo = folder.start(['demo', '--port', '0', '--json', ...argv], {}, setUp);
  const [line] = await demo.printed(/^.*\n/);
  demo.process.kill('SIGTERM');
  const { code, stderr } = await demo.ended;
  expect(code).toBe(0);
  return { key: (JSON.parse(line) as { key: string }).key, stderr };
}

/** Makes the folder of the key as a demo does. */
function makeFolder(): void {
  mkdirSync(folder.path(FOLDER), { mode: 0o700 });
}
const write = (text: string): void => {
  writeFileSync(folder.path(KEY_FILE), text);
};

describe('is stored', () => {
  test('for this user alone, and the next demo has it too', async () => {
    const { key, stderr } = await keyOf();
    expect([isKey(key), stderr, stored()]).toEqual([true, '', `${key}\n`]);
    expect([modeOf(FOLDER), modeOf(KEY_FILE)]).toEqual([0o700, 0o600]);
    expect(namesIn(FOLDER)).toEqual(['.gitignore', 'key']);
    expect(ask()).toEqual({ key });
    expect(stored()).toBe(`${key}\n`);
  });

  test('where no commit takes it along', () => {
    ask();
    const git = (...argv: readonly string[]): string =>
      execFileSync('git', argv, { cwd: folder.path('.'), encoding: 'utf8' });
    git('init', '--quiet');
    git('add', '.');
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
  });

  test('once, however many demos are the first', async () => {
    const module = new URL('../../cli/demo-key.ts', import.meta.url).href;
    const script = `import { demoKey } from '${module}'; console.log(demoKey('.').key)`;
    const argv = ['--no-warnings', '--input-type=module', '-e', script];
    const options = { cwd: folder.path('.') };
    const all = await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, argv, options)));
    expect(new Set(all.map((it) => it.stdout))).toEqual(new Set([stored()]));
    expect(namesIn(FOLDER)).toEqual(['.gitignore', 'key']);
  });

  test('as an editor leaves it', () => {
    const key = newKey();
    makeFolder();
    write(`${key}\r\n`);
    expect(ask()).toEqual({ key });
  });

  test('although a demo was killed while it made one', () => {
    makeFolder();
    writeFileSync(folder.path(`${KEY_FILE}.0123456789abcdef`), 'rollcall_');
    const { key } = ask();
    expect(isKey(key)).toBe(true);
    expect(ask()).toEqual({ key });
  });
});

describe('a file without a key is rejected by name', () => {
  const ADVICE = 'does not contain a key. Delete it to create a new key, or set one with --key.';
  const secret = 'what another program keeps for itself';
  const link = (text?: string) => (): void => {
    if (text !== undefined) writeFileSync(folder.path('outside'), text);
    symlinkSync(folder.path('outside'), folder.path(KEY_FILE));
  };

  test.each<[string, string | (() => unknown)]>([
    ['an empty file', ''],
    ['another text', secret],
    ['two keys', `${newKey()}\n${newKey()}\n`],
    ['a key in a large file', newKey() + '\n'.repeat(1_000_000)],
    ['a folder', () => mkdirSync(folder.path(KEY_FILE), { recursive: true })],
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [folder.path(KEY_FILE)])],
    ['a link to a file of another program', link(secret)],
    ['a link to a key', link(newKey())],
    ['a link to nothing', link()],
  ])('%s', (_, content) => {
    makeFolder();
    if (typeof content === 'string') write(content);
    else content();
    const [before, names] = [lstatSync(folder.path(KEY_FILE)), namesIn('.')];
    expect(ask).toThrow(new CliError(`${folder.path(KEY_FILE)} ${ADVICE}`));
    expect(lstatSync(folder.path(KEY_FILE)).mtimeMs).toBe(before.mtimeMs);
    expect(namesIn('.')).toEqual(names);
  });

  test('and the advice of the error works', async () => {
    makeFolder();
    write(secret);
    const ran = await folder.run(['demo', '--port', '0']);
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: `rollcall: ${KEY_FILE} ${ADVICE}\n` });
    expect(await keyOf(['--key', 'given'])).toEqual({ key: 'given', stderr: '' });
    expect([stored(), namesIn('.')]).toEqual([secret, [FOLDER]]); // Nothing is written.
    rmSync(folder.path(KEY_FILE));
    expect(isKey(ask().key)).toBe(true);
  });
});

describe('where it cannot be stored there is a new one each time, and the reason:', () => {
  const notOurs = (): string =>
    `${folder.path(FOLDER)} is not a private folder of this user. Delete it, and the next start recreates it.`;
  function expectNotKept(why: unknown): void {
    const [first, second] = [ask(), ask()];
    expect([first.notStoredReason, second.notStoredReason]).toEqual([why, why]);
    expect(isKey(first.key) && isKey(second.key) && first.key !== second.key).toBe(true);
  }

  test('a folder that others can read or write to: they may have put the key there', () => {
    const key = newKey();
    makeFolder();
    write(key);
    for (const mode of [0o755, 0o770, 0o702]) {
      chmodSync(folder.path(FOLDER), mode);
      expectNotKept(notOurs());
      expect(ask().key).not.toBe(key);
    }
    expect(stored()).toBe(key);
  });

  // Only root can give a folder away.
  (process.geteuid?.() === 0 ? test : test.skip)('a folder of another user', () => {
    makeFolder();
    write(newKey());
    chownSync(folder.path(FOLDER), 65_534, 65_534);
    expectNotKept(notOurs());
  });

  test('a link, or a file, which stays as it is', () => {
    mkdirSync(folder.path('elsewhere'), { mode: 0o700 });
    for (const [target, why] of [
      ['elsewhere', notOurs()],
      ['nothing', expect.any(String)],
    ] as const) {
      symlinkSync(folder.path(target), folder.path(FOLDER));
      expectNotKept(why);
      rmSync(folder.path(FOLDER));
    }
    expect([namesIn('.'), namesIn('elsewhere')]).toEqual([['elsewhere'], []]);
    writeFileSync(folder.path(FOLDER), 'mine');
    expectNotKept(notOurs());
    expect(readFileSync(folder.path(FOLDER), 'utf8')).toBe('mine');
  });

  test('a full disk, which the demo says: nothing is left half written', async () => {
    const { stderr } = await keyOf([], 'ulimit -f 0');
    expect(stderr).toMatch(
      /^The key cannot be stored, so the next demo will use another one: System call "write" failed: file too large \(EFBIG\)\.\n$/,
    );
    const { key } = ask();
    expect(ask()).toEqual({ key });
    expect(namesIn(FOLDER)).toEqual(['.gitignore', 'key']);
  });
});
