/**
 * Builds the pages into `built/` if their sources have changed: npm runs this after an installation in a clone (as `dependencies`: of `prepare`,
 * npm warns in every project that installs the package), and before `demo`, the tests and `npm pack`. The machine's own Node runs it, which may be older than the project's. Where it cannot build, as after `npm ci --omit=dev`, it
 * says what is missing and ends with 0; with `--must`, with 1. Without the pages a server serves the API.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NODE = join(ROOT, 'node_modules/.bin/node');
const SOURCES = ['openapi.yaml', 'package-lock.json', 'scripts', 'server/pages', 'client/retry-after.ts', 'contract'];
const STAMP = join(ROOT, 'built/sources.sha256');

/** @returns the files at a path, in an order that does not depend on the file system. */
const filesAt = (path) =>
  statSync(join(ROOT, path)).isDirectory()
    ? readdirSync(join(ROOT, path))
        .sort()
        .flatMap((name) => filesAt(`${path}/${name}`))
    : [path];

const hash = createHash('sha256');
for (const file of SOURCES.flatMap(filesAt)) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
const sources = hash.digest('hex');

const missing = [NODE, join(ROOT, 'node_modules/rolldown'), join(ROOT, 'node_modules/yaml')].find(
  (it) => !existsSync(it),
);
if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) {
  // Nothing has changed.
} else if (missing !== undefined) {
  const what = missing.slice(ROOT.length);
  process.stderr.write(
    `The pages are not built: ${what} is missing, which \`npm ci\` installs. The API is served without them.\n`,
  );
  if (process.argv.includes('--must')) process.exitCode = 1;
} else {
  rmSync(join(ROOT, 'built'), { recursive: true, force: true }); // No stale page is served if the build fails.
  if (run('scripts/build-pages.ts')) writeFileSync(STAMP, sources);
}
// npm installs a package from git out of a clone like this one, where it runs no `prepack`.
if (process.env._PACOTE_NO_PREPARE_ !== undefined) run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');

/** Runs a program of the project. @returns whether it succeeds; otherwise this process fails too. */
function run(program, ...argv) {
  const { status } = spawnSync(NODE, [join(ROOT, program), ...argv], { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
  return status === 0;
}
