/** A mount of a file, for real, as `docker run --volume` makes it. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { expect, test } from '@jest/globals';
import { openFolder } from '../../test/support/cli.ts';

const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
function mount(...argv: readonly string[]): void {
  const [command = '', ...words] = [...asRoot, ...argv];
  const { status, stderr } = spawnSync(command, words, { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

test('a database file that is mounted itself has another name outside: what writes rejects it, what reads warns', async () => {
  const folder = openFolder();
  try {
    await folder.call(['keys', 'create', '--account', 'acme', '--db', 'a.db']);
    writeFileSync(folder.path('b.db'), '');
    mount('mount', '--bind', folder.path('a.db'), folder.path('b.db'));
    try {
      const fault = 'b.db is a mount point, and has another name where it is mounted from. ';
      for (const words of [
        ['serve', '--port', '0'],
        ['keys', 'create', '--account', 'acme'],
        ['db', 'upgrade'],
      ]) {
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
