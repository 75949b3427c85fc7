/**
 * Makes all artefacts of a release twice, in two clones of the last commit, checks them, and writes them to one folder. It publishes
 * nothing: the release workflow does, with the files that this writes.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkInstalled, checkTarball, checkUse } from './checks.ts';
import { SUMS, differences, digestsIn, writeSums } from './digests.ts';
import type { Digests } from './digests.ts';
import { ARCHITECTURES, makeImage } from './images.ts';
import { PACKAGES, cleanCommit, clone, installTools, makeSbom, pack, versionIn } from './packages.ts';
import type { Build, Commit } from './packages.ts';

const HELP = `npm run release -- --dry-run [options]

Makes the artefacts of a release from the last commit, twice, and checks them. It publishes nothing.

  --out DIR   where they are written (release)
  --quick     without the images, with the tools of this work tree
`;
const PUBLISHING = `The release workflow publishes packages, with provenance. To make and check its artefacts, run: npm run release -- --dry-run
`;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Options {
  readonly out: string;
  readonly isQuick: boolean;
  readonly signal: AbortSignal;
}

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints what a stage has done, and how long it took. */
async function stage(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now();
  const done = await work();
  print(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${name}: ${done}`);
}

/** The two builds differ in all that must have no influence: the length and depth of paths, and the time zone. */
function buildIn(work: string, name: string, TZ: string): Build {
  const folder = join(work, name);
  return {
    clone: join(folder, 'clone'),
    out: join(folder, 'out'),
    project: (of) => join(folder, 'installed', of.file),
    env: { TZ },
  };
}

/** Runs the same in both builds, and ends when both have: the folder is removed then. */
async function both(builds: readonly Build[], work: (build: Build) => Promise<void>): Promise<void> {
  const results = await Promise.allSettled(builds.map(work));
  for (const it of results) if (it.status === 'rejected') throw it.reason;
}

async function makeIn(
  work: string,
  commit: Commit,
  { isQuick, signal }: Options,
): Promise<{ first: Build; digests: Digests }> {
  const first = buildIn(work, 'first', 'UTC');
  const builds = [first, buildIn(work, join('second', 'in-a-longer-path'), 'Asia/Kathmandu')];
  let version = '';
  await stage('clones', async () => {
    await both(builds, (it) => clone(commit, it, signal));
    version = versionIn(first, commit);
    return `version ${version}, commit ${commit.id.slice(0, 12)}`;
  });
  await stage('tools', async () => {
    await both(builds, (it) => installTools(commit, it, isQuick, signal));
    return isQuick ? 'those of the work tree' : 'npm ci';
  });
  await stage('packages', async () => {
    await both(builds, (it) => pack(it, version, commit, signal));
    return PACKAGES.map((it) => it.name).join(' and ');
  });
  await stage('SBOMs', async () => {
    for (const of of PACKAGES) await both(builds, (it) => makeSbom(of, it, version, commit, signal));
    return 'CycloneDX, from the installed packages';
  });
  await stage('checks', async () => {
    for (const of of PACKAGES) await checkTarball(of, first, version, signal);
    const checked = PACKAGES.map((it) => checkInstalled(it, first));
    const faults = checked.flatMap((it) => it.faults);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    await checkUse(first, version, signal);
    const counts = PACKAGES.map((it, at) => `${it.name} with ${String(checked[at]?.packages)} packages`);
    return `publint, attw, SBOM, licences, use; ${counts.join(', ')}`;
  });
  for (const architecture of isQuick ? [] : ARCHITECTURES) {
    await stage(`image ${architecture}`, async () => {
      // One after the other: each takes all processors to compress.
      for (const it of builds) await makeImage(architecture, it, version, commit, join(work, 'debian'), signal);
      return 'built twice';
    });
  }
  const [digests = new Map<string, string>(), again = digests] = await Promise.all(
    builds.map((it) => digestsIn(it.out)),
  );
  const different = differences(digests, again);
  if (different.length > 0) throw new Error(`The two builds of these files differ: ${different.join(', ')}.`);
  writeSums(first.out, digests);
  return { first, digests };
}

/** @throws Error if a folder has files that are not those of an earlier release. */
function requireReplaceable(out: string): void {
  if (!existsSync(out)) return;
  const names = readdirSync(out);
  if (names.length > 0 && !names.includes(SUMS)) {
    throw new Error(`${out} has other files, and no ${SUMS} of an earlier run: choose an empty folder.`);
  }
}

async function release(options: Options): Promise<void> {
  requireReplaceable(options.out);
  const commit = await cleanCommit(ROOT, options.signal);
  process.umask(0o022); // The modes of packed files are those on disk.
  const work = mkdtempSync(join(tmpdir(), 'rollcall-release-'));
  try {
    await stage('release', async () => {
      const { first, digests } = await makeIn(work, commit, options);
      rmSync(options.out, { recursive: true, force: true });
      cpSync(first.out, options.out, { recursive: true });
      for (const [name, digest] of digests) print(`          ${digest}  ${name}`);
      return `${String(digests.size)} files in ${relative(process.cwd(), options.out)}, the same in both builds`;
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Exit code 2: the command is wrong. 1: the release is. */
async function main(): Promise<void> {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        quick: { type: 'boolean', default: false },
        out: { type: 'string', default: 'release' },
        help: { type: 'boolean', default: false },
      },
    }));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exitCode = 2;
    return;
  }
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  if (!values['dry-run']) {
    process.stderr.write(PUBLISHING);
    process.exitCode = 2;
    return;
  }
  const controller = new AbortController();
  for (const it of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(it, () => {
      controller.abort(new Error(`Interrupted by ${it}.`));
    });
  }
  try {
    await release({ out: resolve(values.out), isQuick: values.quick, signal: controller.signal });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

await main();
