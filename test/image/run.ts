/**
 * Builds the image for both architectures, reads it with other tools, and runs it without a container runtime:
 * `npm run test:e2e -- image`. Also compares it with what docs/Containerfile and docs/compose.yaml say.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/image/commands.ts';
import { CONFIG, USER } from '../../scripts/image/description.ts';
import { PASSWORD, startPostgres } from '../support/postgres.ts';
import { ROOT } from '../support/project.ts';
import { buildArchive, checkArchive, digestOf, listTree, packPackage, unpackArchive } from './archives.ts';
import { checkCompose } from './compose.ts';
import { configOf, performContainerfile, wordsOf } from './containerfile.ts';
import { checkEmulated, checkPostgres, checkServing } from './serving.ts';
import type { Times } from './serving.ts';

const EMULATOR = '/usr/bin/qemu-aarch64-static';

const started = performance.now();
const say = (text: string): void => {
  process.stdout.write(`${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s  ${text}\n`);
};
const times = ({ first, stop }: Times): string =>
  `first 200 after ${(first / 1000).toFixed(2)} s, stopped after ${(stop / 1000).toFixed(2)} s`;
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-image-test-'));
chmodSync(scratch, 0o711); // Other users pass through it.
try {
  const at = (name: string): string => join(scratch, name);
  const tarball = await packPackage(at('packed'));
  say(`packed ${(await run('sha256sum', [tarball])).slice(0, 64)}`);
  const [amd64, arm64] = await Promise.all([
    buildArchive('amd64', tarball, at('packages'), at('amd64.tar')),
    buildArchive('arm64', tarball, at('packages'), at('arm64.tar')),
  ]);
  const sizes = [await checkArchive('amd64', amd64), await checkArchive('arm64', arm64)];
  say(`amd64: ${megabytes(sizes[0] ?? 0)}, arm64: ${megabytes(sizes[1] ?? 0)}, compressed`);
  const root = await unpackArchive(amd64, at('amd64'));
  mkdirSync(at('stages'));
  const epoch = (await run('git', ['log', '-1', '--format=%ct'], ROOT)).trim();
  const [again, built] = await Promise.all([
    buildArchive('amd64', tarball, at('packages'), at('again.tar')),
    performContainerfile(at('stages'), { TARGETARCH: 'amd64', SOURCE_DATE_EPOCH: epoch }),
  ]);
  assert.deepEqual(readFileSync(again), readFileSync(amd64));
  say(`a second build is the same: ${await digestOf(amd64)}`);
  assert.deepEqual(configOf(built), CONFIG);
  assert.match(readFileSync(join(ROOT, 'docs/Containerfile'), 'utf8'), new RegExp(`--chown=${String(USER.id)}:0 `));
  assert.equal(await listTree(built.root), await listTree(root));
  say('docs/Containerfile builds the same');

  const healthCheck = wordsOf(built, 'HEALTHCHECK');
  say(`amd64: ${times(await checkServing(root, scratch, healthCheck))}`);
  const service = await checkCompose(scratch, PASSWORD, healthCheck);
  const postgres = await startPostgres();
  try {
    await checkPostgres(root, scratch, service, postgres);
  } finally {
    await postgres.remove();
  }
  say('docs/compose.yaml: valid, and its service runs on PostgreSQL');
  const emulated = await checkEmulated(await unpackArchive(arm64, at('arm64')), scratch, EMULATOR);
  say(`arm64, emulated: ${times(emulated)}`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
