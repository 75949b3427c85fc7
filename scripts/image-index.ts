/**
 * Joins the images of several architectures under one name: `node scripts/image-index.ts --out FOLDER --name NAME ARCHIVE...`. Each archive is an
 * OCI image layout with one image, as a tar file. The folder is a layout with all their blobs, and an index that a registry resolves by platform.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

const INDEX = 'application/vnd.oci.image.index.v1+json';
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const UNPACK_MS = 120_000;

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: { readonly os: string; readonly architecture: string };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const blobIn = (layout: string, digest: string): string => join(layout, 'blobs', ...digest.split(':'));

/** @returns the only image in a layout, with its platform. @throws Error if the layout has no image, several, or one without a platform. */
function imageIn(layout: string, archive: string): Descriptor {
  const { manifests } = readJson(join(layout, 'index.json')) as { manifests: readonly Descriptor[] }; // As the format says.
  const [image, ...others] = manifests;
  if (image?.mediaType !== MANIFEST || others.length > 0) throw new Error(`${archive} must contain one image.`);
  const { config } = readJson(blobIn(layout, image.digest)) as { config: Descriptor };
  const { os, architecture } = readJson(blobIn(layout, config.digest)) as { os?: string; architecture?: string };
  if (os === undefined || architecture === undefined) throw new Error(`The image in ${archive} has no platform.`);
  const { mediaType, digest, size } = image;
  return { mediaType, digest, size, platform: { os, architecture } };
}

/** Adds the blobs of an archive to a layout. @returns the image. */
function addArchive(archive: string, out: string): Descriptor {
  const unpacked = mkdtempSync(join(tmpdir(), 'rollcall-index-'));
  try {
    const options = { encoding: 'utf8', timeout: UNPACK_MS } as const;
    const { status, stderr, error } = spawnSync('tar', ['-xf', archive, '-C', unpacked], options);
    if (status !== 0) throw new Error(`${archive} cannot be unpacked: ${error?.message ?? stderr.trim()}`);
    const image = imageIn(unpacked, archive);
    cpSync(join(unpacked, 'blobs'), join(out, 'blobs'), { recursive: true });
    return image;
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/** Writes a layout with one index of several images. @returns the digest of the index. */
export function joinImages(archives: readonly string[], out: string, name: string): string {
  if (existsSync(out) && readdirSync(out).length > 0) throw new Error(`${out} is not empty.`);
  mkdirSync(join(out, 'blobs/sha256'), { recursive: true });
  const manifests = archives.map((it) => addArchive(it, out));
  const platforms = manifests.map(({ platform }) => `${platform?.os ?? ''}/${platform?.architecture ?? ''}`);
  if (new Set(platforms).size < platforms.length)
    throw new Error(`Two images have one platform: ${platforms.join(', ')}.`);
  const index = JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests });
  const digest = `sha256:${createHash('sha256').update(index).digest('hex')}`;
  writeFileSync(blobIn(out, digest), index);
  const annotations = { 'org.opencontainers.image.ref.name': name };
  const entry = { mediaType: INDEX, digest, size: Buffer.byteLength(index), annotations };
  writeFileSync(join(out, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [entry] }));
  writeFileSync(join(out, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  return digest;
}

if (import.meta.main) {
  try {
    const option = { type: 'string' } as const;
    const { values, positionals } = parseArgs({ options: { out: option, name: option }, allowPositionals: true });
    const { out = '', name = '' } = values;
    if (out === '' || name === '' || positionals.length === 0)
      throw new Error('Usage: --out FOLDER --name NAME ARCHIVE...');
    process.stdout.write(`${joinImages(positionals, out, name)}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
