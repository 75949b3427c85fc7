/**
 * Writes the image as the OCI image layout, in one tar file. tar and gzip do it, rather than umoci: umoci needs root or
 * user namespaces to set an owner, keeps the times of files as they are, and is not in the container that `docs/Containerfile` builds in. The test of
 * the image reads the archive with umoci and skopeo.
 *
 * The same files make the same archive: names are sorted, and times, owners and modes do not depend on the machine. gzip is the
 * program, because the zlib of Node compresses differently on different processors.
 */
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './commands.ts';

/** A part of the layout, by its content. */
interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

/** A compressed layer. */
export interface Layer {
  readonly descriptor: Descriptor;
  /** The digest of the layer before it is compressed. */
  readonly diffId: string;
  /** The reason for the layer, in the image's history. */
  readonly comment: string;
}

const MEDIA = 'application/vnd.oci.image';
/** The format `ustar` has no field that depends on the machine, and tar fails if a path is too long for it. */
const tarOptions = (epoch: number): readonly string[] => [
  ...['--format=ustar', '--sort=name', '--numeric-owner', '--hard-dereference', `--mtime=@${String(epoch)}`],
];

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer); // Without an encoding.
  return `sha256:${hash.digest('hex')}`;
}

/** One layout, in a folder. */
export interface Layout {
  /**
   * Adds a layer with the files of a folder. They belong to root.
   * @param owned those that do not: paths in the folder, and their owner.
   */
  addLayer(root: string, comment: string, owned?: { readonly path: string; readonly user: number }): Promise<Layer>;
  /** Writes the layout to a file. @returns the digest of the image, and the size of what a registry transfers, in bytes. */
  write(out: string, image: ImageOptions): Promise<{ readonly digest: string; readonly size: number }>;
}

export interface ImageOptions {
  readonly platform: Readonly<Record<string, string>>;
  readonly config: object;
  readonly layers: readonly Layer[];
  /** The name of the image in the layout. */
  readonly reference: string;
}

/**
 * @param folder is created.
 * @param epoch the time of everything in the layout, in seconds since 1970.
 */
export function createLayout(folder: string, epoch: number): Layout {
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const created = new Date(epoch * 1000).toISOString().replace('.000', '');

  const store = async (mediaType: string, path: string): Promise<Descriptor> => {
    const digest = await digestOf(path);
    const { size } = statSync(path);
    renameSync(path, join(blobs, digest.replace('sha256:', '')));
    return { mediaType, digest, size };
  };
  const storeJson = (mediaType: string, value: object): Promise<Descriptor> => {
    const path = join(folder, 'value.json');
    writeFileSync(path, JSON.stringify(value));
    return store(mediaType, path);
  };

  return {
    addLayer: async (root, comment, owned) => {
      const tar = join(folder, `${comment.replaceAll(/\W+/g, '-')}.tar`);
      const others = owned === undefined ? [] : [`--exclude=./${owned.path}`];
      const add = (how: string, user: number, paths: readonly string[]): Promise<string> =>
        run('tar', [
          ...tarOptions(epoch),
          ...others,
          `--owner=${String(user)}`,
          '--group=0',
          how,
          tar,
          '-C',
          root,
          ...paths,
        ]);
      await add(
        '-cf',
        0,
        readdirSync(root)
          .filter((it) => it !== owned?.path)
          .sort(),
      );
      if (owned !== undefined) await add('-rf', owned.user, [owned.path]);
      const diffId = await digestOf(tar);
      await run('gzip', ['--no-name', '--force', tar]);
      return { descriptor: await store(`${MEDIA}.layer.v1.tar+gzip`, `${tar}.gz`), diffId, comment };
    },
    write: async (out, { platform, config, layers, reference }) => {
      const configuration = await storeJson(`${MEDIA}.config.v1+json`, {
        created,
        ...platform,
        config,
        rootfs: { type: 'layers', diff_ids: layers.map((it) => it.diffId) },
        history: layers.map(({ comment }) => ({ created, created_by: comment })),
      });
      const mediaType = `${MEDIA}.manifest.v1+json`;
      const parts = layers.map((it) => it.descriptor);
      const manifest = await storeJson(mediaType, {
        schemaVersion: 2,
        mediaType,
        config: configuration,
        layers: parts,
      });
      const named = { ...manifest, platform, annotations: { 'org.opencontainers.image.ref.name': reference } };
      const index = { schemaVersion: 2, mediaType: `${MEDIA}.index.v1+json`, manifests: [named] };
      writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
      writeFileSync(join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
      const options = [...tarOptions(epoch), '--owner=0', '--group=0', '--mode=u=rwX,go=rX'];
      await run('tar', [...options, '-cf', out, '-C', folder, 'oci-layout', 'index.json', 'blobs']);
      const size = [configuration, manifest, ...parts].reduce((sum, it) => sum + it.size, 0);
      return { digest: manifest.digest, size };
    },
  };
}
