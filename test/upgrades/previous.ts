/** The previous release: its two packages, packed from its commit and installed as its users have them. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../support/project.ts';
import { must, run } from '../testers/tester.ts';

/**
 * The commit that stands for the previous release: the last one before "10. Fix what the third outside look found", which removed
 * the pending-keys file, moved the server to one request path and renamed messages. Nothing was released yet.
 */
export const PREVIOUS = '0ea1cb721ae57d3430cd5b453c1a8d0978f762bf';

// A tarball of a commit never changes. `npm ci` removes the folder.
const CACHE = join(ROOT, 'node_modules/.cache/rollcall-previous', PREVIOUS);
const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;

/** @throws Error if a clone does not have the commit; it says what to run. */
export async function requirePrevious(repository: string): Promise<void> {
  const git = (...words: readonly string[]): ReturnType<typeof run> => run(['git', ...words], { cwd: repository });
  if ((await git('cat-file', '-e', `${PREVIOUS}^{commit}`)).ok) return;
  const isShallow = (await git('rev-parse', '--is-shallow-repository')).output.trim() === 'true';
  throw new Error(
    isShallow
      ? `This clone is shallow and does not have the commit of the previous release, ${PREVIOUS}. Run: git fetch --unshallow`
      : `${repository} does not have the commit of the previous release, ${PREVIOUS}. Clone the project with its history.`,
  );
}

export interface Previous {
  /** Has `node_modules` with both packages and the PostgreSQL driver. */
  readonly folder: string;
  /** Its command line. */
  readonly main: string;
  readonly remove: () => void;
}

/** Packs the previous release, unless that was done before, and installs it in a scratch folder. */
export async function installPrevious(): Promise<Previous> {
  await requirePrevious(ROOT);
  if (!existsSync(CACHE)) await pack();
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-previous-'));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    const drivers = ['pg', 'pg-copy-streams'].map((it) => `${it}@${String(devDependencies[it])}`);
    const tarballs = readdirSync(CACHE).map((it) => join(CACHE, it));
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    await must(['npm', 'install', '--silent', '--no-audit', ...tarballs, ...drivers], { cwd: folder, env: { PATH } });
    return { folder, main: join(folder, 'node_modules/rollcall/dist/server/main.js'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function pack(): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'rollcall-pack-'));
  try {
    const [archive, source, tarballs] = ['source.tar', 'source', 'tarballs'].map((it) => join(scratch, it)) as [
      string,
      string,
      string, // As many as there are names.
    ];
    for (const it of [source, tarballs]) mkdirSync(it);
    await must(['git', 'archive', '--output', archive, PREVIOUS], { cwd: ROOT });
    await must(['tar', '--extract', '--file', archive], { cwd: source });
    // Its own Node and tools, by its own lockfile.
    await must(['npm', 'ci', '--silent', '--no-audit'], { cwd: source, env: { PATH } });
    const both = ['--workspaces', '--include-workspace-root', '--pack-destination', tarballs];
    await must(['npm', 'pack', '--silent', ...both], { cwd: source, env: { PATH } });
    if (readdirSync(tarballs).length !== 2) throw new Error(`It packed ${readdirSync(tarballs).join(', ')}.`);
    mkdirSync(join(CACHE, '..'), { recursive: true });
    await must(['mv', tarballs, `${CACHE}.part`], { cwd: scratch }); // It may be another file system.
    renameSync(`${CACHE}.part`, CACHE);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
