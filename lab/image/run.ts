/**
 * The image of `docs/Containerfile`: `npm run --prefix lab image`. It is built by buildah as docs/running.md says, but on a base made of Debian's
 * packages and Node's npm package, because no registry of images is asked; and run.
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { codeBelow } from '../../test/support/docs.ts';
import { ROOT, must } from '../../test/support/project.ts';
import { report } from '../support/report.ts';

/** What Node is linked with; and busybox, for the `env` that starts `rollcall`. */
const DEBIAN = ['libc6', 'libgcc-s1', 'libstdc++6', 'busybox-static'];
const [PORT, ADMIN_PORT] = ['3999', '3998']; // In a chroot the network is the machine's.
const USER = '65532';

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-image-'));
chmodSync(scratch, 0o755); // The image's user reads below it.
const storage = ['--root', join(scratch, 'storage'), '--runroot', join(scratch, 'run'), '--storage-driver', 'vfs'];
const buildah = (...argv: readonly string[]): string => must(scratch, 'buildah', ...storage, ...argv).trim();

function makeBase(): void {
  const base = join(scratch, 'base');
  mkdirSync(join(base, 'usr/local/bin'), { recursive: true });
  must(scratch, 'apt-get', 'download', ...DEBIAN);
  for (const file of readdirSync(scratch).filter((name) => name.endsWith('.deb')))
    must(scratch, 'dpkg-deb', '--extract', file, base);
  cpSync(join(ROOT, 'node_modules/node/bin/node'), join(base, 'usr/local/bin/node'), { dereference: true });
  mkdirSync(join(base, 'usr/bin'), { recursive: true });
  symlinkSync('/bin/busybox', join(base, 'usr/bin/env'));
  const container = buildah('from', 'scratch');
  buildah('copy', container, base, '/');
  buildah('commit', container, 'rollcall-base');
}

/** Builds the image by the commands of the page, except for `npm ci`, and with another builder than Docker. */
function makeImage(): void {
  const commands = codeBelow('docs/running.md', 'Container').join('').split('\n');
  const install = commands.find((line) => line.startsWith('npm install'))?.split(' ') ?? [];
  must(ROOT, 'npm', 'pack', '--silent', '--pack-destination', scratch);
  must(scratch, ...install);
  mkdirSync(join(scratch, 'image/data'));
  const build = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', 'BASE=localhost/rollcall-base'];
  buildah('build', ...build, '--file', join(ROOT, 'docs/Containerfile'), '--tag', 'rollcall', join(scratch, 'image'));
}

try {
  makeBase();
  makeImage();
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'rollcall')) as {
    readonly Docker: { readonly config: Readonly<Record<string, unknown>> };
  };
  const { User, Entrypoint, Cmd, Healthcheck, Volumes } = Docker.config;
  assert.deepEqual([User, Entrypoint, Cmd], [USER, ['rollcall'], ['serve', '--create']]);
  report(JSON.stringify(Volumes) === '{"/data":{}}', '/data as a volume');
  const {
    Test: [, ...healthCheck],
  } = Healthcheck as { readonly Test: readonly string[] }; // Of the Containerfile.

  const container = buildah('from', 'rollcall');
  const inside = (...argv: readonly string[]): readonly string[] => [
    ...['run', '--isolation', 'chroot', '--user', USER, '--env', `ROLLCALL_PORT=${PORT}`],
    ...['--env', `ROLLCALL_ADMIN_PORT=${ADMIN_PORT}`, container, '--', ...argv],
  ];
  const server = spawn('buildah', [...storage, ...inside('rollcall', 'serve', '--create')], { cwd: scratch });
  server.stderr.pipe(process.stderr);
  const ended = once(server, 'close');
  try {
    const lost = ended.then(() => Promise.reject(new Error('The server has ended.')));
    await Promise.race([once(server.stdout, 'data'), lost]);
    lost.catch(() => undefined);
    const [key = ''] = buildah(...inside('rollcall', 'keys', 'create', '--account', 'acme')).split('\n'); // Then what it says to people.
    const health = spawnSync('buildah', [...storage, ...inside(...healthCheck)], { cwd: scratch }).status;
    report(health === 0, `its health check, on another admin port, exits with ${String(health)}`);
    const list = await fetch(`http://127.0.0.1:${PORT}/automations`, { headers: { authorization: `Bearer ${key}` } });
    report(list.status === 200, `the list of a new account has ${String(list.status)}`);
  } finally {
    server.kill('SIGTERM'); // buildah kills what runs in a chroot, instead of passing the signal on.
    await ended;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
