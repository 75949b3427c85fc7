/** The key of a folder's demos: kept for the next one, seen by nobody else, and read from nowhere else. */
import { execFileSync } from 'node:child_process';
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
import { describe, expect, test } from '@jest/globals';
import { isKey, newKey } from '../../server/store/keys.ts';
import { folder } from '../support/own-folder.ts';

const FOLDER = '.rollcall-demo';
const KEY_FILE = join(FOLDER, 'key');
const modeOf = (name: string): number => statSync(folder.path(name)).mode & 0o777;
const kept = (): string => readFileSync(folder.path(KEY_FILE), 'utf8');

/** @returns the key of a demo that has been started and stopped, and what it said besides. */
async function keyOf(...argv: readonly string[]): Promise<{ readonly key: string; readonly stderr: string }> {
  const demo = folder.start(['demo', '--port', '0', '--json', ...argv]);
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

describe('is kept', () => {
  test('for this user alone, and the next demo has it too', async () => {
    const first = await keyOf();
    expect(isKey(first.key)).toBe(true);
    expect(first.stderr).toBe('');
    expect(kept()).toBe(`${first.key}\n`);
    expect([modeOf(FOLDER), modeOf(KEY_FILE)]).toEqual([0o700, 0o600]);
    expect(readdirSync(folder.path(FOLDER)).sort()).toEqual(['.gitignore', 'key']);
    expect(await keyOf()).toEqual(first);
    expect(kept()).toBe(`${first.key}\n`);
  });

  test('where no commit takes it along', async () => {
    await keyOf();
    const git = (...argv: readonly string[]): string =>
      execFileSync('git', argv, { cwd: folder.path('.'), encoding: 'utf8' });
    git('init', '--quiet');
    git('add', '.');
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('');
  });

  test('once, however many demos are the first', async () => {
    const keys = (await Promise.all(Array.from({ length: 4 }, () => keyOf()))).map((it) => it.key);
    expect(new Set(keys)).toEqual(new Set([kept().trim()]));
    expect(readdirSync(folder.path(FOLDER)).sort()).toEqual(['.gitignore', 'key']);
  });

  test('as an editor leaves it', async () => {
    const key = newKey();
    makeFolder();
    writeFileSync(folder.path(KEY_FILE), `${key}\r\n`);
    expect(await keyOf()).toEqual({ key, stderr: '' });
  });

  test('although a demo was killed while it made one', async () => {
    makeFolder();
    writeFileSync(folder.path(`${KEY_FILE}.0123456789abcdef`), 'rollcall_');
    const { key } = await keyOf();
    expect(await keyOf()).toEqual({ key, stderr: '' });
  });

  test('not if --key gives one: nothing is written', async () => {
    expect(await keyOf('--key', 'given')).toEqual({ key: 'given', stderr: '' });
    expect(readdirSync(folder.path('.'))).toEqual([]);
  });
});

describe('what is no key is refused by name', () => {
  const secret = 'what another program keeps for itself';
  const outside = (): string => {
    writeFileSync(folder.path('outside'), secret);
    return folder.path('outside');
  };

  test.each<[string, () => void]>([
    [
      'an empty file',
      () => {
        writeFileSync(folder.path(KEY_FILE), '');
      },
    ],
    [
      'another text',
      () => {
        writeFileSync(folder.path(KEY_FILE), secret);
      },
    ],
    [
      'two keys',
      () => {
        writeFileSync(folder.path(KEY_FILE), `${newKey()}\n${newKey()}\n`);
      },
    ],
    [
      'a key in a large file',
      () => {
        writeFileSync(folder.path(KEY_FILE), newKey() + '\n'.repeat(1_000_000));
      },
    ],
    [
      'a folder',
      () => {
        mkdirSync(folder.path(KEY_FILE));
      },
    ],
    ['a pipe that nobody writes to', () => execFileSync('mkfifo', [folder.path(KEY_FILE)])],
    [
      'a link to a file of another program',
      () => {
        symlinkSync(outside(), folder.path(KEY_FILE));
      },
    ],
    [
      'a link to nothing',
      () => {
        symlinkSync(folder.path('nothing'), folder.path(KEY_FILE));
      },
    ],
  ])('%s', async (_, make) => {
    makeFolder();
    make();
    const before = lstatSync(folder.path(KEY_FILE));
    const ran = await folder.run(['demo', '--port', '0']);
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toBe(
      `rollcall: ${KEY_FILE} is not a file with a key. Delete it, and a new key is made; or give one by --key.\n`,
    );
    expect(lstatSync(folder.path(KEY_FILE)).mtimeMs).toBe(before.mtimeMs);
    expect(readdirSync(folder.path('.'))).not.toContain('nothing');
  });

  test('and what the refusal says helps', async () => {
    makeFolder();
    writeFileSync(folder.path(KEY_FILE), secret);
    expect(await keyOf('--key', 'k')).toEqual({ key: 'k', stderr: '' });
    rmSync(folder.path(KEY_FILE));
    expect(isKey((await keyOf()).key)).toBe(true);
  });
});

describe('a folder that cannot keep it is said, and the demo runs', () => {
  const NOTICE = `The key cannot be kept in ${KEY_FILE}, so the next demo will have another one: `;
  const NOT_OURS = `${FOLDER} is not a folder of this user alone. Delete it, and it is made anew.\n`;

  test('one that others can read or write to: they may have put the key there', async () => {
    const key = newKey();
    makeFolder();
    writeFileSync(folder.path(KEY_FILE), key);
    for (const mode of [0o755, 0o770]) {
      chmodSync(folder.path(FOLDER), mode);
      const ran = await keyOf();
      expect(ran.stderr).toBe(NOTICE + NOT_OURS);
      expect(isKey(ran.key) && ran.key !== key).toBe(true);
    }
    expect(kept()).toBe(key);
  });

  test('one that is a link to another folder, which stays as it is', async () => {
    mkdirSync(folder.path('elsewhere'), { mode: 0o700 });
    symlinkSync(folder.path('elsewhere'), folder.path(FOLDER));
    expect((await keyOf()).stderr).toBe(NOTICE + NOT_OURS);
    expect(readdirSync(folder.path('elsewhere'))).toEqual([]);
  });

  test('one that is a link to nothing, or a file', async () => {
    symlinkSync(folder.path('nothing'), folder.path(FOLDER));
    expect((await keyOf()).stderr).toMatch(NOTICE);
    expect(readdirSync(folder.path('.'))).toEqual([FOLDER]);
    rmSync(folder.path(FOLDER));
    writeFileSync(folder.path(FOLDER), 'mine');
    expect((await keyOf()).stderr).toMatch(NOTICE);
    expect(readFileSync(folder.path(FOLDER), 'utf8')).toBe('mine');
  });

  test('one on a full disk: nothing is left half written', async () => {
    const demo = folder.start(['demo', '--port', '0', '--json'], {}, 0);
    await demo.printed(/^.*\n/);
    demo.process.kill('SIGTERM');
    expect(await demo.ended).toMatchObject({ code: 0, stderr: expect.stringContaining(`${NOTICE}EFBIG`) as unknown });
    expect((await keyOf()).stderr).toBe('');
    expect(readdirSync(folder.path(FOLDER)).sort()).toEqual(['.gitignore', 'key']);
  });

  // Only root can give a folder away.
  (process.geteuid?.() === 0 ? test : test.skip)('one of another user', async () => {
    makeFolder();
    writeFileSync(folder.path(KEY_FILE), newKey());
    chownSync(folder.path(FOLDER), 65_534, 65_534);
    expect((await keyOf()).stderr).toBe(NOTICE + NOT_OURS);
  });
});
