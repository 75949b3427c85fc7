/** The release workflow pushes one image for several architectures: `scripts/image-index.ts` joins their archives. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { joinImages } from '../../scripts/image-index.ts';
import { folder } from '../support/own-folder.ts';
import { ROOT, must } from '../support/project.ts';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

/** Writes an archive with an image of an architecture: its configuration is all it has. @returns the path of the archive, and the image's digest. */
function archiveOf(architecture: string, index?: object): { readonly archive: string; readonly digest: string } {
  const layout = folder.path(`layout-${architecture}`);
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(layout, name)), { recursive: true });
    writeFileSync(join(layout, name), text);
  };
  const blob = (text: string): { readonly digest: string; readonly size: number } => {
    write(`blobs/sha256/${digestOf(text).slice('sha256:'.length)}`, text);
    return { digest: digestOf(text), size: text.length };
  };
  const config = blob(JSON.stringify({ os: 'linux', architecture, rootfs: { type: 'layers', diff_ids: [] } }));
  const image = blob(JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, config, layers: [] }));
  const annotations = { 'org.opencontainers.image.ref.name': architecture };
  write(
    'index.json',
    JSON.stringify(index ?? { schemaVersion: 2, manifests: [{ mediaType: MANIFEST, ...image, annotations }] }),
  );
  write('oci-layout', '{"imageLayoutVersion":"1.0.0"}');
  const archive = folder.path(`${architecture}.tar`);
  must(layout, 'tar', '-cf', archive, '.');
  return { archive, digest: image.digest };
}

test('the index has each image with its platform, and the layout has all their blobs', () => {
  const images = ['amd64', 'arm64'].map((it) => archiveOf(it));
  const out = folder.path('joined');
  const digest = joinImages(
    images.map((it) => it.archive),
    out,
    '1.2.3',
  );
  const blobs = join(out, 'blobs/sha256');
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const { manifests } = read(join(blobs, digest.slice('sha256:'.length))) as { manifests: unknown[] };
  expect(manifests).toEqual([
    {
      mediaType: MANIFEST,
      digest: images[0]?.digest,
      size: expect.any(Number),
      platform: { os: 'linux', architecture: 'amd64' },
    },
    {
      mediaType: MANIFEST,
      digest: images[1]?.digest,
      size: expect.any(Number),
      platform: { os: 'linux', architecture: 'arm64' },
    },
  ]);
  expect(read(join(out, 'index.json'))).toMatchObject({
    manifests: [{ digest, annotations: { 'org.opencontainers.image.ref.name': '1.2.3' } }],
  });
  const names = readdirSync(blobs);
  expect(names).toHaveLength(5);
  for (const it of names) expect(digestOf(readFileSync(join(blobs, it), 'utf8'))).toBe(`sha256:${it}`);
});

test('archives that cannot be joined are errors', () => {
  const { archive } = archiveOf('amd64');
  const out = folder.path('joined');
  expect(() => joinImages([archive, archive], out, '1')).toThrow(
    'Two images have one platform: linux/amd64, linux/amd64.',
  );
  expect(() => joinImages([archive], out, '1')).toThrow(`${out} is not empty.`);
  const empty = archiveOf('riscv64', { schemaVersion: 2, manifests: [] }).archive;
  expect(() => joinImages([empty], folder.path('a'), '1')).toThrow(`${empty} must contain one image.`);
  expect(() => joinImages(['no.tar'], folder.path('b'), '1')).toThrow('no.tar cannot be unpacked: ');
});

test('without arguments, the command prints its usage and fails', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/image-index.ts')], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, 'Usage: --out FOLDER --name NAME ARCHIVE...\n']);
});
