/**
 * Builds the container image without a base image and without a daemon:
 * `node scripts/image/build.ts --arch amd64|arm64 --out FILE`. The same commit, tarball and Debian packages make the same digest.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeNode, writePackage } from './application.ts';
import { createLayout } from './archive.ts';
import { BuildError, run } from './commands.ts';
import { writeDebian } from './debian.ts';
import { ARCHITECTURES, CONFIG, USER, VOLUME, isArchitecture, labelsOf } from './description.ts';
import type { Architecture } from './description.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const USAGE = `node scripts/image/build.ts --arch amd64|arm64 (--out FILE | --root FOLDER) [options]

  --arch NAME        architecture of the image
  --out FILE         writes the image: an OCI image layout as a tar file
  --root FOLDER      writes the root file system only, as docs/Containerfile needs it
  --tarball FILE     the packed package; without it, it is packed from the sources
  --packages FOLDER  keeps Debian's packages in the folder, and uses those that are there already: the same versions again

SOURCE_DATE_EPOCH is the time of all files, in seconds; by default, the time of the commit.
`;

interface Options {
  readonly architecture: Architecture;
  readonly out: string | undefined;
  readonly root: string | undefined;
  readonly tarball: string | undefined;
  readonly packages: string | undefined;
}

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

function readOptions(argv: readonly string[]): Options {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...argv],
    options: { arch: option, out: option, root: option, tarball: option, packages: option },
  });
  const { arch = '', out, root, tarball, packages } = values;
  if (!isArchitecture(arch)) throw new BuildError(`--arch is one of ${Object.keys(ARCHITECTURES).join(', ')}.`);
  if ((out === undefined) === (root === undefined)) throw new BuildError('Either --out or --root is needed.');
  if (root !== undefined && existsSync(root)) throw new BuildError(`${root} exists already.`);
  if (tarball !== undefined && !existsSync(tarball)) throw new BuildError(`${tarball} does not exist.`);
  const absolute = (path: string | undefined): string | undefined => (path === undefined ? path : resolve(path));
  return {
    architecture: arch,
    out: absolute(out),
    root: absolute(root),
    tarball: absolute(tarball),
    packages: absolute(packages),
  };
}

async function readEpoch(): Promise<number> {
  const text = process.env['SOURCE_DATE_EPOCH'] ?? (await run('git', ['log', '-1', '--format=%ct'], ROOT)).trim();
  if (!/^\d{1,11}$/.test(text)) throw new BuildError('SOURCE_DATE_EPOCH is a number of seconds.');
  return Number(text);
}

/** @returns the commit; `undefined` outside of a clone, such as in a container. */
async function readRevision(): Promise<string | undefined> {
  if (!existsSync(join(ROOT, '.git'))) return undefined;
  return (await run('git', ['rev-parse', 'HEAD'], ROOT)).trim();
}

async function pack(folder: string): Promise<string> {
  mkdirSync(folder);
  await run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  const [name] = readdirSync(folder);
  if (name === undefined) throw new BuildError('npm pack has written no file.');
  return join(folder, name);
}

function nodeVersion(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8');
  const { node } = (JSON.parse(text) as { readonly devDependencies: Readonly<Record<string, string>> }).devDependencies; // The project's own.
  if (node === undefined || !/^\d+\.\d+\.\d+$/.test(node))
    throw new BuildError('package.json must name one version of node.');
  return node;
}

async function build({ architecture, out, root, packages, ...options }: Options, scratch: string): Promise<void> {
  const epoch = await readEpoch();
  const folders = {
    debian: join(scratch, 'debian'),
    node: join(scratch, 'node-root'),
    rollcall: join(scratch, 'rollcall'),
  };
  for (const it of Object.values(folders)) mkdirSync(it);
  const tarball = options.tarball ?? (await pack(join(scratch, 'packed')));
  const node = nodeVersion();
  const versions = await writeDebian(architecture, folders.debian, scratch, packages);
  await writeNode(architecture, node, folders.node, scratch);
  const manifest = await writePackage(architecture, tarball, ROOT, folders.rollcall, scratch);
  mkdirSync(join(folders.rollcall, VOLUME));
  // Whatever the umask is.
  for (const it of Object.values(folders)) await run('chmod', ['-R', 'u=rwX,go=rX', it]);
  chmodSync(join(folders.debian, 'tmp'), 0o1777);
  chmodSync(join(folders.rollcall, VOLUME), 0o775);

  const parts = { node, ...versions };
  for (const [name, version] of Object.entries(parts)) say(`${name} ${version}`);
  if (root !== undefined) {
    mkdirSync(root);
    for (const it of Object.values(folders)) await run('cp', ['--archive', `${it}/.`, root]);
    return;
  }
  if (out === undefined) return;
  const layout = createLayout(join(scratch, 'layout'), epoch);
  const data = { path: VOLUME.slice(1), user: USER.id };
  const layers = await Promise.all([
    layout.addLayer(folders.debian, "Debian's libraries"),
    layout.addLayer(folders.node, 'Node'),
    layout.addLayer(folders.rollcall, 'Rollcall', data),
  ]);
  const { digest, size } = await layout.write(out, {
    platform: ARCHITECTURES[architecture].platform,
    config: { ...CONFIG, Labels: labelsOf(manifest, parts, await readRevision()) },
    layers,
    reference: manifest.version,
  });
  for (const { comment, descriptor } of layers) say(`${comment}: ${String(descriptor.size)} bytes`);
  say(`${architecture}: ${(size / 1e6).toFixed(1)} MB, ${digest}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-image-'));
try {
  if (process.argv.includes('--help')) say(USAGE);
  else await build(readOptions(process.argv.slice(2)), scratch);
} catch (error) {
  // parseArgs throws a TypeError whose message is meant for users.
  if (!(error instanceof BuildError) && !(error instanceof TypeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
