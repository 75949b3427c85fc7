/**
 * Builds what is derived from the contracts, the pages and their sources into `built/`, if these have changed: npm runs this after an
 * installation in a clone (as `dependencies`: of `prepare`, npm warns in every project that installs the package), and before `demo`, the
 * tests and `npm pack`. The machine's own Node runs it, which may be older than the project's. After `npm ci --omit=dev` it can build only the
 * contracts as JSON, which is enough for a server without pages. It says what is missing and ends with 0; with `--must`, with 1.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const NODE = 'node_modules/.bin/node';
const SOURCES = [
  ...['openapi.yaml', 'control.yaml', 'package-lock.json'],
  ...['scripts', 'server/pages', 'client/retry-after.ts', 'contract'],
];
const STAMP = pathOf('built/sources.sha256');

/** @returns the files at a path, in an order that does not depend on the file system. */
const filesAt = (path) =>
  statSync(pathOf(path)).isDirectory()
    ? readdirSync(pathOf(path))
        .sort()
        .flatMap((name) => filesAt(`${path}/${name}`))
    : [path];

const hash = createHash('sha256');
for (const file of SOURCES.flatMap(filesAt)) hash.update(`${file}\0`).update(readFileSync(pathOf(file)));
const sources = hash.digest('hex');

if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  rmSync(pathOf('built'), { recursive: true, force: true }); // No stale page is served if the build fails.
  if (has('node_modules/yaml', 'Nothing is built.')) {
    await buildDocuments();
    const hasTools = [NODE, 'node_modules/rolldown'].every((tool) =>
      has(tool, 'The pages are not built: the API is served without them.'),
    );
    if (hasTools && run('scripts/build-pages.ts')) writeFileSync(STAMP, sources);
  }
}
// npm installs a package from git out of a clone like this one, where it runs no `prepack`.
if (process.env._PACOTE_NO_PREPARE_ !== undefined) run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');

/** Writes the contracts as JSON, which a server reads at its start. */
async function buildDocuments() {
  const { parse } = await import('yaml');
  mkdirSync(pathOf('built'));
  for (const name of ['openapi', 'control']) {
    const document = parse(readFileSync(pathOf(`${name}.yaml`), 'utf8'));
    writeFileSync(pathOf(`built/${name}.json`), JSON.stringify(document));
  }
}

/** @returns whether there is a file or folder that building takes. If not, says so. */
function has(file, otherwise) {
  if (existsSync(pathOf(file))) return true;
  process.stderr.write(`${otherwise} ${file} is missing, which \`npm ci\` installs.\n`);
  if (process.argv.includes('--must')) process.exitCode = 1;
  return false;
}

/** Runs a program of the project. @returns whether it succeeds; otherwise this process fails too. */
function run(program, ...argv) {
  const { status } = spawnSync(pathOf(NODE), [pathOf(program), ...argv], { cwd: pathOf('.'), stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
  return status === 0;
}
