/** The SHA-256 digests of the artefacts of a release. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

export const SUMS = 'SHA256SUMS';

export type Digests = ReadonlyMap<string, string>;

/** @returns the digest of each file in a folder, ordered by name. */
export async function digestsIn(folder: string): Promise<Digests> {
  const digests = new Map<string, string>();
  for (const name of readdirSync(folder)
    .toSorted()
    .filter((it) => it !== SUMS)) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(folder, name)), hash);
    digests.set(name, hash.digest('hex'));
  }
  return digests;
}

/** Writes the digests as `sha256sum --check` reads them. */
export function writeSums(folder: string, digests: Digests): void {
  writeFileSync(join(folder, SUMS), [...digests].map(([name, digest]) => `${digest}  ${name}\n`).join(''));
}

/** @returns the names of the files that are not the same in two builds. */
export function differences(a: Digests, b: Digests): readonly string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((it) => a.get(it) !== b.get(it)).toSorted();
}
