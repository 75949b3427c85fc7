/** The upper layers: Node from its npm package, and the packed package with the dependencies that `package-lock.json` names. */
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { BuildError, run } from './commands.ts';
import { ARCHITECTURES } from './description.ts';
import type { Architecture, Manifest } from './description.ts';

const NODE = '/usr/local/bin/node';
const FOLDER = 'usr/local/lib/node_modules';
/** What does not run: type declarations and source maps anywhere, and the texts and suites of the package. */
const UNUSED_FILES = /\.(d\.[cm]?ts|map)$/;
const UNUSED_OF_PACKAGE = ['docs', 'test', 'CONTRIBUTING.md'];
/** better-sqlite3 contains SQLite's source, and binaries for every platform. */
const UNUSED_OF_DRIVER = ['deps', 'src', 'binding.gyp'];
const LICENSE = /^(licen[cs]e|copying|notice)/i;

interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: true;
}

// Files of npm: the package has passed `npm pack`, and the lock `npm ci`.
const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
const readLock = (path: string): Lock => JSON.parse(readFileSync(path, 'utf8')) as Lock;

/** Writes Node to the root of a layer. */
export async function writeNode(
  architecture: Architecture,
  version: string,
  root: string,
  scratch: string,
): Promise<void> {
  const unpacked = join(scratch, 'node');
  mkdirSync(unpacked);
  const spec = `node-linux-${ARCHITECTURES[architecture].node}@${version}`;
  const packed = await run('npm', ['pack', '--silent', '--pack-destination', unpacked, spec]);
  await run('tar', ['-xzf', packed.trim(), 'package/bin/node', 'package/LICENSE'], unpacked);
  for (const [from, to] of [
    ['bin/node', NODE],
    ['LICENSE', '/usr/local/share/doc/node/LICENSE'],
  ] as const) {
    cpSync(join(unpacked, 'package', from), join(root, to), { recursive: true });
  }
}

/**
 * Writes the package and its dependencies to the root of a layer: those that it needs, and the drivers for PostgreSQL.
 * @param project has the lock.
 */
export async function writePackage(
  architecture: Architecture,
  tarball: string,
  project: string,
  root: string,
  scratch: string,
): Promise<Manifest> {
  const folder = join(root, FOLDER, 'rollcall');
  mkdirSync(folder, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  const manifest = readManifest(folder);
  await install(architecture, manifest, project, join(scratch, 'dependencies'));
  cpSync(join(scratch, 'dependencies/node_modules'), join(folder, 'node_modules'), { recursive: true });
  prune(architecture, folder);
  // Not a link: the first line of main.js asks for `env`, which the image does not have.
  const entry = join(root, 'usr/local/bin/rollcall');
  mkdirSync(dirname(entry), { recursive: true });
  writeFileSync(entry, `#!${NODE}\nimport '/${FOLDER}/rollcall/dist/server/main.js';\n`);
  chmodSync(entry, 0o755);
  return manifest;
}

async function install(architecture: Architecture, manifest: Manifest, project: string, folder: string): Promise<void> {
  const lock = readLock(join(project, 'package-lock.json'));
  const drivers = Object.keys(manifest.peerDependencies).map((name) => {
    const version = lock.packages[`node_modules/${name}`]?.version;
    if (version === undefined) throw new BuildError(`package-lock.json does not name ${name}.`);
    return [name, version] as const;
  });
  const { name, version, dependencies } = manifest;
  const own = { name, version, dependencies: { ...dependencies, ...Object.fromEntries(drivers) } };
  // Without the workspace, which is a link.
  const others = Object.entries(lock.packages).filter(([at, { link }]) => at.startsWith('node_modules/') && !link);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: { '': own, ...Object.fromEntries(others) } }),
  );
  const platform = ['--os=linux', '--libc=glibc', `--cpu=${ARCHITECTURES[architecture].node}`];
  await run('npm', ['install', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...platform], folder);
  const record = join(folder, 'node_modules/.package-lock.json');
  for (const [at, { integrity }] of Object.entries(readLock(record).packages)) {
    if (integrity === undefined || integrity !== lock.packages[at]?.integrity) {
      throw new BuildError(`${basename(at)} is not the package that package-lock.json names.`);
    }
  }
  rmSync(record);
  rmSync(join(folder, 'node_modules/.bin'), { recursive: true, force: true });
}

function prune(architecture: Architecture, folder: string): void {
  for (const it of UNUSED_OF_PACKAGE) rmSync(join(folder, it), { recursive: true, force: true });
  const driver = join(folder, 'node_modules/better-sqlite3');
  for (const it of UNUSED_OF_DRIVER) rmSync(join(driver, it), { recursive: true });
  const binary = `linux-${ARCHITECTURES[architecture].node}.node`;
  const binaries = readdirSync(join(driver, 'prebuilds'));
  if (!binaries.includes(binary)) throw new BuildError(`better-sqlite3 has no ${binary}.`);
  for (const it of binaries) if (it !== binary) rmSync(join(driver, 'prebuilds', it));
  for (const it of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (it.isFile() && isUnused(it.name, it.parentPath)) rmSync(join(it.parentPath, it.name));
  }
}

function isUnused(name: string, folder: string): boolean {
  if (UNUSED_FILES.test(name)) return true;
  if (!/\.md$/i.test(name) || LICENSE.test(name)) return false;
  // Where no file has the licence, the README may.
  return !existsSync(join(folder, 'package.json')) || readdirSync(folder).some((it) => LICENSE.test(it));
}
