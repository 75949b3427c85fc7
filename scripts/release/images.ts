/** Builds the OCI images, with scripts/image in a clone. */
import { join } from 'node:path';
import process from 'node:process';
import { run } from './command.ts';
import { PACKAGES, tarballOf } from './packages.ts';
import type { Build, Commit } from './packages.ts';

export const ARCHITECTURES = ['amd64', 'arm64'] as const;
type Architecture = (typeof ARCHITECTURES)[number];

const [SERVER] = PACKAGES;

export const imageOf = (architecture: Architecture, version: string): string =>
  `${SERVER.file}-${version}-linux-${architecture}.oci.tar`;

/**
 * Builds the image of an architecture from the packed server.
 * @param debian where the first build keeps Debian's packages, for the second one to have the same versions.
 */
export async function makeImage(
  architecture: Architecture,
  { clone, out, env }: Build,
  version: string,
  { time }: Commit,
  debian: string,
  signal: AbortSignal,
): Promise<void> {
  const files = [
    '--tarball',
    join(out, tarballOf(SERVER, version)),
    '--out',
    join(out, imageOf(architecture, version)),
  ];
  const packages = ['--packages', debian];
  await run([process.execPath, 'scripts/image/build.ts', '--arch', architecture, ...files, ...packages], {
    cwd: clone,
    env: { ...env, SOURCE_DATE_EPOCH: String(time) },
    minutes: 15,
    signal,
  });
}
