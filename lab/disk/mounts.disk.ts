/** Mounts, for real, as `docker run --volume` makes them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { openFolder } from '../../test/support/cli.ts';

const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
function mount(...argv: readonly string[]): void {
  const [command = '', ...words] = [...asRoot, ...argv];
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

const READING = [['check'], ['export', 'automations', '--account', 'acme'], ['accounts', 'list'], ['keys', 'list']];
const NEEDS_LOG =
  'cannot be opened: its file system is read-only, and SQLite needs files next to a database that was served or written. ' +
  'Make the folder writable, or use a copy by rollcall backup, which can be read there.';

test('a database file that is mounted itself has another name outside: what writes rejects it, what reads warns', async () => {
  const folder = openFolder();
  try {
    await folder.call(['keys', 'create', '--account', 'acme', '--db', 'a.db']);
    writeFileSync(folder.path('b.db'), '');
    mount('mount', '--bind', folder.path('a.db'), folder.path('b.db'));
    try {
      const fault = 'b.db is a mount point, and has another name where it is mounted from. ';
      for (const words of [['serve', '--port', '0'], ['keys', 'create', '--account', 'acme'], ['upgrade']]) {
        const { code, stderr } = await folder.call([...words, '--db', 'b.db']);
        expect([code, stderr.startsWith(`rollcall: ${fault}`)]).toEqual([1, true]);
      }
      const { code, stderr } = await folder.call(['keys', 'list', '--db', 'b.db']);
      expect([code, stderr.startsWith(`WARNING: ${fault}`)]).toEqual([0, true]);
    } finally {
      mount('umount', folder.path('b.db'));
    }
  } finally {
    folder.remove();
  }
});

test('on a read-only file system a backup is read and served, and what else cannot be opened is not blamed on permissions', async () => {
  const folder = openFolder();
  const key = (await folder.call(['keys', 'create', '--account', 'acme'])).stdout.trim();
  mkdirSync(folder.path('in'));
  mkdirSync(folder.path('ro'));
  expect(await folder.call(['backup', 'in/copy.db'])).toMatchObject({ code: 0 });
  cpSync(folder.path('rollcall.db'), folder.path('in/written.db'));
  try {
    mount('mount', '--bind', folder.path('in'), folder.path('ro'));
    mount('mount', '-o', 'remount,bind,ro', folder.path('ro'));
    for (const words of [...READING, ['backup', 'again.db']]) {
      expect(await folder.call([...words, '--db', 'ro/copy.db'])).toMatchObject({ code: 0, stderr: '' });
    }
    const { url, process: server, ended } = await folder.serve(['--db', 'ro/copy.db']);
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${url}/automations`, { headers })).status).toBe(200);
    server.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, stderr: '' });

    const create = ['keys', 'create', '--account', 'acme'];
    for (const [db, reason, ...commands] of [
      ['written', NEEDS_LOG, ...READING, ['backup', 'other.db'], ['serve', '--port', '0'], create],
      ['copy', 'cannot be written (attempt to write a readonly database). Its file system is read-only.', create],
      ['new', 'cannot be opened: unable to open database file. Its file system is read-only.', create],
    ] as const) {
      for (const words of commands) {
        const stderr = `rollcall: ro/${db}.db ${reason}\n`;
        expect(await folder.call([...words, '--db', `ro/${db}.db`])).toMatchObject({ code: 1, stdout: '', stderr });
      }
    }
    expect(readdirSync(folder.path('in')).toSorted()).toEqual(['copy.db', 'written.db']);
  } finally {
    mount('umount', folder.path('ro'));
    folder.remove();
  }
});
