/**
 * Suites of other teams, in other languages, against `rollcall demo --control` of the packed package. Each copies its helper from the package,
 * as docs/test-kit.md tells them to.
 */
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createProject } from '../../test/support/packed.ts';
import type { Project } from '../../test/support/packed.ts';

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
const TESTS = 26;

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
};

/** Without Rollcall's command, the tests fail and say what to install. A folder is not executable. */
const MISSING = ['/missing/rollcall', import.meta.dirname];
const HINT = /install rollcall\b.*docs\/install\.md/i;

if (spawnSync('go', ['version']).status !== 0) throw new Error('The suite in Go needs go: install golang-go.');
const project = createProject(import.meta.dirname);
try {
  for (const [language, { helper }] of Object.entries(SUITES))
    cpSync(join(project.folder, HELPERS, helper), join(project.folder, language, helper));
  for (const [language, suite] of Object.entries(SUITES)) await testSuite(language, suite);
} finally {
  project.remove();
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
