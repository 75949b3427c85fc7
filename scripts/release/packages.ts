/** Builds the tarballs, their SBOMs and the release notes from a clone of the last commit. */
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf } from './changelog.ts';
import { run } from './command.ts';
import { normalize } from './sbom.ts';
import type { Bom } from './sbom.ts';

/** A commit to release. */
export interface Commit {
  readonly root: string;
  readonly id: string;
  /** In seconds, as in `SOURCE_DATE_EPOCH`. */
  readonly time: number;
  /** The version that a tag `v1.2.3` of this commit gives it. */
  readonly tagged: string | undefined;
}

/** A published package. */
export interface Package {
  readonly name: string;
  /** Of its files in a release: `NAME-VERSION.tgz`. */
  readonly file: string;
  readonly sbom: string;
  readonly folder: string;
}

export const PACKAGES = [
  { name: 'rollcall', file: 'rollcall', sbom: 'rollcall.cdx.json', folder: '.' },
  { name: '@rollcall/client', file: 'rollcall-client', sbom: 'client.cdx.json', folder: 'client' },
] as const satisfies readonly Package[];
export const NOTES = 'NOTES.md';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // npm has checked it.

/** @returns the last commit. @throws Error if the work tree differs from it. */
export async function cleanCommit(root: string, signal: AbortSignal): Promise<Commit> {
  const git = (...args: readonly string[]): Promise<string> => run(['git', ...args], { cwd: root, signal });
  const changed = (await git('status', '--porcelain')).trimEnd();
  if (changed !== '') {
    throw new Error(
      `A release is made from a commit, but the work tree has changes. Commit or stash them:\n${changed.slice(0, 1000)}`,
    );
  }
  const [id = '', time = ''] = (await git('log', '-1', '--format=%H %ct')).trim().split(' ');
  const tags = (await git('tag', '--points-at', 'HEAD')).split('\n');
  return { root, id, time: Number(time), tagged: tags.find((it) => /^v\d+\.\d+\.\d+$/.test(it))?.slice(1) };
}

/** Of one of the two builds of a release, which must not depend on any of these. */
export interface Build {
  readonly clone: string;
  /** The folder of the artefacts. */
  readonly out: string;
  /** Where the installed package of an SBOM is. */
  readonly project: (of: Package) => string;
  readonly env: Readonly<Record<string, string>>;
}

/** Clones a commit. */
export async function clone({ root, id }: Commit, build: Build, signal: AbortSignal): Promise<void> {
  mkdirSync(build.out, { recursive: true });
  await run(['git', 'clone', '--quiet', '--no-hardlinks', '--no-checkout', root, build.clone], { cwd: root, signal });
  await run(['git', 'checkout', '--quiet', '--detach', id], { cwd: build.clone, signal });
}

/** Installs the tools of a clone, or takes those of the work tree: with hard links, if they are on the same disk. */
export async function installTools(
  { root }: Commit,
  build: Build,
  isQuick: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { clone: cwd, env } = build;
  if (!isQuick) {
    await run(['npm', 'ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd, env, minutes: 10, signal });
    return;
  }
  const isSameDisk = statSync(root).dev === statSync(cwd).dev;
  await run(['cp', isSameDisk ? '-al' : '-a', join(root, 'node_modules'), cwd], { cwd, signal });
}

/** @returns the version of both packages. @throws Error if they differ, or if the commit has the tag of another version. */
export function versionIn(build: Build, { tagged }: Commit): string {
  const [version = '', ...others] = PACKAGES.map((it) => manifestIn(join(build.clone, it.folder)).version);
  if (others.some((it) => it !== version))
    throw new Error(`The packages have different versions: ${[version, ...others].join(', ')}.`);
  if (tagged !== undefined && tagged !== version)
    throw new Error(`The commit has the tag v${tagged}, but the packages have the version ${version}.`);
  return version;
}

export const tarballOf = ({ file }: Package, version: string): string => `${file}-${version}.tgz`;

/** Packs both packages, and writes the release notes. */
export async function pack(build: Build, version: string, commit: Commit, signal: AbortSignal): Promise<void> {
  const all = ['--workspaces', '--include-workspace-root'];
  const options = { cwd: build.clone, env: build.env, signal };
  await run(['npm', 'pack', '--silent', ...all, '--pack-destination', build.out], options);
  const packed = readdirSync(build.out).toSorted();
  const expected = PACKAGES.map((it) => tarballOf(it, version)).toSorted();
  if (String(packed) !== String(expected))
    throw new Error(`npm pack wrote ${packed.join(', ')}; expected: ${expected.join(', ')}.`);
  const changelog = readFileSync(join(build.clone, 'CHANGELOG.md'), 'utf8');
  writeFileSync(join(build.out, NOTES), notesOf(changelog, version, commit.tagged !== undefined));
}

/**
 * Installs a tarball in an empty project, with its optional peers in the versions that are tested, and writes its SBOM. Packages are
 * chosen as on the date of the commit, so that the SBOM can be made again.
 */
export async function makeSbom(
  of: Package,
  build: Build,
  version: string,
  commit: Commit,
  signal: AbortSignal,
): Promise<void> {
  const cwd = build.project(of);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'package.json'), '{ "name": "empty", "version": "0.0.0", "private": true }\n');
  const { devDependencies = {} } = manifestIn(build.clone);
  const peers = Object.keys(manifestIn(join(build.clone, of.folder)).peerDependencies ?? {});
  const tarballs = [
    join(build.out, tarballOf(of, version)),
    ...peers.map((it) => `${it}@${devDependencies[it] ?? ''}`),
  ];
  const before = new Date(commit.time * 1000).toISOString();
  const options = ['--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', '--before', before];
  await run(['npm', 'install', ...options, ...tarballs], { cwd, env: build.env, signal });
  const made = await run(['npm', 'sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev'], {
    cwd,
    env: build.env,
    signal,
  });
  const bom = normalize(JSON.parse(made) as Bom, of.name, peers); // Checked with the schema of CycloneDX.
  writeFileSync(join(build.out, of.sbom), `${JSON.stringify(bom, null, 2)}\n`);
}
