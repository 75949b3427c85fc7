/** The image archives: built as a release builds them, and read by tools that did not write them. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/image/commands.ts';
import { ARCHITECTURES, CONFIG } from '../../scripts/image/description.ts';
import type { Architecture } from '../../scripts/image/description.ts';
import { onlyCodeBelow } from '../support/docs.ts';
import { ROOT } from '../support/project.ts';

const MAX_BYTES = 90_000_000;

/** What `skopeo inspect` prints of a manifest and of a configuration: of what it is asked for here. */
interface Manifest {
  readonly config: { readonly size: number };
  readonly layers: readonly { readonly size: number; readonly digest: string }[];
}
interface Configuration {
  readonly architecture: string;
  readonly created: string;
  readonly config: { readonly Labels: Readonly<Record<string, string>> };
}

/** Packs the package once: both architectures have the same. @returns the tarball. */
export async function packPackage(folder: string): Promise<string> {
  mkdirSync(folder);
  await run('npm', ['pack', '--silent', '--pack-destination', folder], ROOT);
  const [name = ''] = readdirSync(folder);
  return join(folder, name);
}

/** Runs the command of docs/container.md, with another architecture and other files. @returns the archive. */
export async function buildArchive(
  architecture: Architecture,
  tarball: string,
  packages: string,
  out: string,
): Promise<string> {
  const command = onlyCodeBelow('docs/container.md', 'Build without Docker').trim();
  const [, script = '', ...words] = command.split(' ');
  const argv = words.map((it) => it.replace('amd64', architecture).replace('rollcall.oci.tar', out));
  const options = ['--tarball', tarball, '--packages', packages];
  process.stdout.write(await run(process.execPath, [script, ...argv, ...options], ROOT));
  return out;
}

/** @returns the digest of the image in an archive. */
export const digestOf = async (archive: string): Promise<string> =>
  (await run('skopeo', ['inspect', '--format', '{{.Digest}}', `oci-archive:${archive}`])).trim();

/** Checks what the image says about itself. @returns what a registry transfers, in bytes. */
export async function checkArchive(architecture: Architecture, archive: string): Promise<number> {
  const name = `oci-archive:${archive}`;
  const manifest = JSON.parse(await run('skopeo', ['inspect', '--raw', name])) as Manifest;
  const text = await run('skopeo', ['inspect', '--config', '--raw', name]);
  const { config, ...rest } = JSON.parse(text) as Configuration;
  const { Labels, ...others } = config;
  assert.deepEqual(others, CONFIG);
  assert.equal(rest.architecture, ARCHITECTURES[architecture].platform.architecture);
  const epoch = process.env['SOURCE_DATE_EPOCH'] ?? (await run('git', ['log', '-1', '--format=%ct'], ROOT));
  assert.equal(Date.parse(rest.created), Number(epoch) * 1000);
  const {
    name: title,
    version,
    description,
    license,
    devDependencies,
  } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<
    'name' | 'version' | 'description' | 'license',
    string
  > & { devDependencies: Record<string, string> };
  assert.deepEqual(
    ['title', 'version', 'description', 'licenses'].map((it) => Labels[`org.opencontainers.image.${it}`]),
    [title, version, description, license],
  );
  assert.equal(Labels['org.opencontainers.image.revision'], (await run('git', ['rev-parse', 'HEAD'], ROOT)).trim());
  assert.equal(Labels['rollcall.contains.node'], devDependencies['node']);
  for (const it of ['libc6', 'libstdc++6', 'libgcc-s1']) assert.match(Labels[`rollcall.contains.${it}`] ?? '', /^\d/);

  const size = manifest.layers.reduce((sum, it) => sum + it.size, manifest.config.size);
  assert(size <= MAX_BYTES, `${architecture}: ${String(size)} bytes`);
  return size;
}

/** @returns the root file system: skopeo checks every digest, and umoci unpacks. */
export async function unpackArchive(archive: string, folder: string): Promise<string> {
  const layout = join(folder, 'layout');
  mkdirSync(folder);
  await run('skopeo', ['copy', '--quiet', `oci-archive:${archive}`, `oci:${layout}:image`]);
  const rootless = process.geteuid?.() === 0 ? [] : ['--rootless'];
  const bundle = join(folder, 'bundle');
  await run('umoci', ['unpack', ...rootless, '--image', `${layout}:image`, bundle]);
  chmodSync(bundle, 0o755); // Another user runs it.
  return join(bundle, 'rootfs');
}

/** @returns a line for every file: its type, mode, path, and content or the target of the link. */
export const listTree = (root: string): Promise<string> =>
  run(
    'bash',
    ['-c', "{ find . -mindepth 1 -printf '%y %m %p %l\\n'; find . -type f -exec sha256sum {} +; } | sort"],
    root,
  );
