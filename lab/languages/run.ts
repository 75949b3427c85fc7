/**
 * Suites of other teams, in other languages, against `rollcall demo --control` of the packed package. Each copies its helper from the package,
 * as docs/test-kit.md tells them to.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createProject } from '../../test/support/packed.ts';
import type { Project } from '../../test/support/packed.ts';
import { ROOT } from '../../test/support/project.ts';

type Argv = readonly [string, ...string[]];

interface Suite {
  readonly command: Argv;
  /** The file of the package that it copies. */
  readonly helper: string;
  /** The name of a test in its output. */
  readonly passed: RegExp;
}

/** Where the package has the files that the suites copy. */
const HELPERS = 'node_modules/rollcall/testkit/helpers';

/** The tests of every suite: 20 of them in parallel accounts. */
const TESTS = 27;

const SUITES: Readonly<Record<string, Suite>> = {
  python: {
    command: [pythonWithPytest(), '-m', 'pytest', '-n', '4', '-v', '-p', 'no:cacheprovider'],
    helper: 'conftest.py',
    passed: /PASSED \S+::(\S+)/g,
  },
  go: {
    command: ['go', 'test', '-count=1', '-v', './...'],
    helper: 'rollcall.go',
    passed: /--- PASS: (\S+)/g,
  },
  typescript: {
    command: ['node', '--test', '--test-reporter=tap', 'suite.ts'],
    helper: 'rollcall.ts',
    passed: /^ {4}ok \d+ - (.+)$/gm,
  },
};

/** Without Rollcall's command, the tests fail and say what to install. A folder is not executable. */
const MISSING = ['/missing/rollcall', import.meta.dirname];
const HINT = /install rollcall\b.*docs\/install\.md/i;

if (spawnSync('go', ['version']).status !== 0) throw new Error('The suite in Go needs go: install golang-go.');
const project = createProject(import.meta.dirname, packagesOf('openapi-typescript', 'typescript', '@types/node'));
try {
  for (const [language, { helper }] of Object.entries(SUITES))
    cpSync(join(project.folder, HELPERS, helper), join(project.folder, language, helper));
  await generateClient(project);
  for (const [language, suite] of Object.entries(SUITES)) await testSuite(language, suite);
} finally {
  project.remove();
}

/** The client of the control API in TypeScript, generated from the contract in the package; and the suite's types. */
async function generateClient({ run }: Project): Promise<void> {
  const contract = 'node_modules/rollcall/control.yaml';
  const commands: readonly Argv[] = [
    ['node_modules/.bin/openapi-typescript', contract, '--output', 'typescript/control.ts'],
    ['node_modules/.bin/tsc', '-p', 'typescript'],
  ];
  for (const command of commands) {
    const { ok, output } = await run(command);
    if (!ok) throw new Error(`${command.join(' ')} fails:\n${output}`);
  }
}

async function testSuite(language: string, { command, passed }: Suite): Promise<void> {
  const usual = {
    ROLLCALL: join(project.folder, 'node_modules/.bin/rollcall'),
    ...{ http_proxy: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' }, // Nothing listens there, and nothing must ask it.
    ...{ PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
  };
  const run = (env: Readonly<Record<string, string>>): ReturnType<Project['run']> =>
    project.run(command, env, join(project.folder, language));
  for (const ROLLCALL of MISSING) {
    const without = await run({ ...usual, ROLLCALL });
    if (without.ok || !HINT.test(without.output) || without.output.includes('INTERNALERROR'))
      throw new Error(`${without.output}\nWithout the command, the suite in ${language} does not say what to install.`);
  }
  const { ok, output } = await run(usual);
  const count = new Set([...output.matchAll(passed)].map(([, name]) => name)).size;
  if (!ok || count < TESTS)
    throw new Error(`${output}\nThe suite in ${language} fails, or has fewer tests than ${String(TESTS)}.`);
  process.stdout.write(`${language}: ${String(count)} tests pass.\n`);
}

/** @returns the Python that has pytest: Debian's packages are for Debian's, and another may come first in PATH. */
function pythonWithPytest(): string {
  const found = ['python3', '/usr/bin/python3'].find(
    (it) => spawnSync(it, ['-c', 'import pytest, xdist']).status === 0,
  );
  if (found !== undefined) return found;
  throw new Error(
    'The suite in Python needs pytest and pytest-xdist: install python3-pytest and python3-pytest-xdist.',
  );
}

/** @returns packages with the versions that the project has of them; `openapi-fetch` is that of its client. */
function packagesOf(...names: readonly string[]): readonly string[] {
  const manifest = (path: string): Readonly<Record<string, Readonly<Record<string, string>>>> =>
    JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as ReturnType<typeof manifest>; // Both have these properties.
  const { devDependencies } = manifest('package.json');
  const { dependencies } = manifest('client/package.json');
  const versions = { ...devDependencies, ...dependencies };
  return [...names, 'openapi-fetch'].map((it) => `${it}@${versions[it] ?? ''}`);
}
