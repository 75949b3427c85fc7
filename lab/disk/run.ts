/**
 * Full disks: `npm run --prefix lab disk`. Makes a small disk, a tmpfs, runs `*.disk.ts` on it, and takes it away again, whatever comes
 * of them. Needs root, or a sudo that asks for nothing: without a disk it fails.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../../test/support/project.ts';

const SIZE_MB = 8;
const JEST = [
  ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
  ...['--testMatch', '**/*.disk.ts', '--runInBand'],
];

const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
const asRoot = uid === 0 ? [] : ['sudo', '-n'];
function asked(...argv: readonly string[]): boolean {
  const [command = '', ...words] = [...asRoot, ...argv];
  return spawnSync(command, words, { stdio: 'inherit' }).status === 0;
}

const disk = mkdtempSync(join(tmpdir(), 'rollcall-disk-'));
// Ctrl-C and the like end the tests; the disk goes after them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.exitCode = 1;
try {
  const options = `size=${String(SIZE_MB)}m,mode=0700,uid=${String(uid)},gid=${String(gid)}`;
  if (asked('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', disk)) {
    try {
      const env = { ...process.env, ROLLCALL_SMALL_DISK: disk };
      process.exitCode = spawnSync(process.execPath, JEST, { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1;
    } finally {
      if (!asked('umount', '--lazy', disk)) process.exitCode = 1;
    }
  } else {
    process.stderr.write('A small disk could not be mounted. This test needs root, or a sudo that asks for nothing.\n');
  }
} finally {
  rmdirSync(disk);
}
