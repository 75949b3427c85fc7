/**
 * The lowest layer: the libraries that Node needs, from Debian's packages. The sources are those of the machine, so the
 * versions are the newest that they have; apt verifies the signatures. apt works in a folder of its own: nothing of the machine
 * changes, and the other architecture need not be enabled.
 *
 * There is no shell and no package manager. There are no certificates and no time zones either: Node contains its own.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { BuildError, run } from './commands.ts';
import { USER } from './description.ts';
import type { Architecture } from './description.ts';

/** apt adds what they depend on, such as libgcc-s1. */
const PACKAGES = ['libc6', 'libstdc++6'];
/** Does not run: texts, and what developers use. */
const UNUSED = ['usr/share/lintian', 'usr/share/locale', 'usr/share/man', 'usr/share/gdb', 'usr/share/gcc'];
const OS_RELEASE = '/usr/lib/os-release';
/** What Debian has moved to `/usr`: links, as on every Debian. */
const MERGED = ['bin', 'sbin', 'lib', 'lib64'];

/** What a container runtime mounts: it cannot create them on a read-only root. */
const MOUNTED = ['dev', 'proc', 'sys', 'tmp'];

const FILES = {
  'etc/passwd': `root:x:0:0:root:/:/usr/sbin/nologin\n${USER.name}:x:${String(USER.id)}:${String(USER.id)}::/data:/usr/sbin/nologin\n`,
  'etc/group': `root:x:0:\n${USER.name}:x:${String(USER.id)}:\n`,
  'etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
};

/**
 * Writes the layer to a folder.
 * @param kept keeps the packages for the next build, which then has the same versions; `undefined` if they are not kept.
 * @returns the version of each package.
 */
export async function writeDebian(
  architecture: Architecture,
  root: string,
  scratch: string,
  kept: string | undefined,
): Promise<Record<string, string>> {
  if (!existsSync(OS_RELEASE) || !/^ID=debian$/m.test(readFileSync(OS_RELEASE, 'utf8'))) {
    throw new BuildError(
      'The image is built on Debian, or in a container with Debian: its packages are part of the image.',
    );
  }
  const folder = kept === undefined ? join(scratch, 'packages') : join(kept, architecture);
  if (debsIn(folder).length === 0) await download(architecture, folder, scratch);
  const versions: Record<string, string> = {};
  mkdirSync(join(root, 'var/lib/dpkg/status.d'), { recursive: true });
  for (const deb of debsIn(folder)) {
    const path = join(folder, deb);
    const control = await run('dpkg-deb', ['--field', path]);
    const [, name = ''] = /^Package: (\S+)$/m.exec(control) ?? [];
    const [, version = ''] = /^Version: (\S+)$/m.exec(control) ?? [];
    const [, built] = /^Architecture: (\S+)$/m.exec(control) ?? [];
    if (built !== architecture && built !== 'all') throw new BuildError(`${path} is for ${String(built)}.`);
    versions[name] = version;
    // Scanners look for the installed packages of an image without dpkg here.
    writeFileSync(join(root, 'var/lib/dpkg/status.d', name), control);
    const unpacked = join(scratch, 'unpacked', name);
    mkdirSync(unpacked, { recursive: true });
    await run('dpkg-deb', ['--extract', path, unpacked]);
    merge(unpacked, root);
  }
  for (const it of PACKAGES) if (!(it in versions)) throw new BuildError(`${folder} has no package ${it}.`);
  prune(root);
  for (const it of MERGED) {
    mkdirSync(join(root, 'usr', it), { recursive: true });
    symlinkSync(`usr/${it}`, join(root, it));
  }
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(root, name), text);
  copyFileSync(OS_RELEASE, join(root, 'usr/lib/os-release'));
  symlinkSync('../usr/lib/os-release', join(root, 'etc/os-release'));
  for (const it of MOUNTED) mkdirSync(join(root, it));
  return versions;
}

const debsIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((it) => it.endsWith('.deb'))
        .sort()
    : [];

async function download(architecture: Architecture, folder: string, scratch: string): Promise<void> {
  const state = join(scratch, 'apt');
  for (const it of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(state, it), { recursive: true });
  writeFileSync(join(state, 'status'), ''); // No package is installed, so apt selects all that are needed.
  const settings = {
    'Dir::State': state,
    'Dir::State::status': join(state, 'status'),
    'Dir::Cache': join(state, 'cache'),
    'Dir::Log': state,
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    'APT::Sandbox::User': '', // The user of apt cannot write to the folder.
    'APT::Install-Recommends': 'false',
    'Acquire::Languages': 'none',
    'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
    'Acquire::Retries': '3',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['--option', `${name}=${value}`]);
  await run('apt-get', [...options, 'update']);
  await run('apt-get', [...options, '--yes', '--download-only', 'install', ...PACKAGES]);
  mkdirSync(folder, { recursive: true });
  const archives = join(state, 'cache/archives');
  for (const it of debsIn(archives)) copyFileSync(join(archives, it), join(folder, it));
}

/** Moves the files of a package to the root, those of `/lib` to `/usr/lib`. */
function merge(unpacked: string, root: string): void {
  for (const name of readdirSync(unpacked)) {
    const to = MERGED.includes(name) ? join(root, 'usr', name) : join(root, name);
    cpSync(join(unpacked, name), to, { recursive: true, verbatimSymlinks: true });
  }
}

/** ICU in Node has its own character sets, so those of glibc are not needed either. */
function prune(root: string): void {
  for (const it of UNUSED) rmSync(join(root, it), { recursive: true, force: true });
  for (const it of readdirSync(join(root, 'usr/lib'), { withFileTypes: true })) {
    if (it.isDirectory()) rmSync(join(root, 'usr/lib', it.name, 'gconv'), { recursive: true, force: true });
  }
  const docs = join(root, 'usr/share/doc');
  for (const it of readdirSync(docs, { withFileTypes: true, recursive: true })) {
    if (it.isFile() && it.name !== 'copyright') rmSync(join(it.parentPath, it.name), { force: true }); // The licenses stay. A link names a file twice.
  }
}
