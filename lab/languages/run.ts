/**
 * Suites of other teams, in other languages, against `rollcall demo --control` of the packed package: `npm run languages`.
 * Each must be green, and red where a record, a cue or a fault is changed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createProject } from '../../test/support/packed.ts';
import type { Project } from '../../test/support/packed.ts';
import { ROOT } from '../../test/support/project.ts';
import type { Ran } from '../../test/support/tester.ts';

type Argv = readonly [string, ...string[]];

interface Suite {
  readonly command: Argv;
  readonly file: string;
  /** The names of tests in its output. */
  readonly passed: RegExp;
  readonly failed: RegExp;
  /** What its tests of these are named. */
  readonly tests: { readonly cursor: string; readonly rateLimit: string; readonly truncated: string };
}

/** The tests of every suite: 20 of them in parallel accounts. */
const TESTS = 24;

const SUITES: Readonly<Record<string, Suite>> = {
  python: {
    command: [pythonWithPytest(), '-m', 'pytest', '-n', '4', '-v', '-p', 'no:cacheprovider'],
    file: 'test_rollcall.py',
    passed: /PASSED \S+::(\S+)/g,
    failed: /(?:FAILED|ERROR) \S+::(\S+)/g,
    tests: {
      cursor: 'test_a_cursor_that_is_removed',
      rateLimit: 'test_a_429_midway',
      truncated: 'test_a_truncated_body',
    },
  },
  go: {
    command: ['go', 'test', '-count=1', '-v', './...'],
    file: 'rollcall_test.go',
    passed: /--- PASS: (\S+)/g,
    failed: /--- FAIL: (\S+)/g,
    tests: { cursor: 'TestACursorThatIsRemoved', rateLimit: 'TestA429Midway', truncated: 'TestATruncatedBody' },
  },
  typescript: {
    command: ['node', '--test', '--test-reporter=tap', 'suite.ts'],
    file: 'suite.ts',
    passed: /^ {4}ok \d+ - (.+)$/gm,
    failed: /^ {4}not ok \d+ - (.+)$/gm,
    tests: { cursor: 'a cursor that is removed', rateLimit: 'a 429 midway', truncated: 'a truncated body' },
  },
};

/** Changes of a suite, each in one place, and the tests that must fail then: no other may. */
const CHANGES: readonly {
  readonly what: string;
  readonly place: RegExp;
  readonly text: string;
  readonly failing: readonly (keyof Suite['tests'])[];
}[] = [
  {
    what: 'record',
    place: /(?<=automation\(2, .)Win back/g,
    text: 'Won back',
    failing: ['cursor', 'rateLimit', 'truncated'],
  },
  { what: 'cue', place: /(?<=cursor\W+id_?of\()4/gi, text: '5', failing: ['cursor'] },
  { what: 'fault', place: /(?<=body\W+)cut/g, text: 'malformed', failing: ['truncated'] },
];

if (spawnSync('go', ['version']).status !== 0) throw new Error('The suite in Go needs go: install golang-go.');
const project = createProject(import.meta.dirname, packagesOf('openapi-typescript', 'typescript', '@types/node'));
try {
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

async function testSuite(language: string, { command, file, passed, failed, tests }: Suite): Promise<void> {
  const folder = join(project.folder, language);
  const env = {
    ROLLCALL: join(project.folder, 'node_modules/.bin/rollcall'),
    ...{ PYTHONDONTWRITEBYTECODE: '1', GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local' },
  };
  const run = (): Promise<Ran> => project.run(command, env, folder);

  const { ok, output } = await run();
  const count = namesIn(output, passed).length;
  if (!ok || count < TESTS)
    throw new Error(`${output}\nThe suite in ${language} fails, or has fewer tests than ${String(TESTS)}.`);
  say(`${language}: ${String(count)} tests are green`);

  const path = join(folder, file);
  const original = readFileSync(path, 'utf8');
  for (const { what, place, text, failing } of CHANGES) {
    if (original.match(place)?.length !== 1) throw new Error(`${file} must have ${String(place)} in one place.`);
    writeFileSync(path, original.replace(place, text));
    const planted = await run();
    const expected = failing.map((it) => tests[it]).sort();
    if (planted.ok || !isDeepStrictEqual(namesIn(planted.output, failed), expected))
      throw new Error(
        `${planted.output}\n${language}: with a changed ${what}, these must fail: ${expected.join(', ')}.`,
      );
    say(`${language}: a changed ${what} is noticed by ${expected.join(', ')}`);
  }
  writeFileSync(path, original);
}

/** @returns the names in the output of a suite, each once, in alphabetical order. */
function namesIn(output: string, pattern: RegExp): readonly string[] {
  return [...new Set([...output.matchAll(pattern)].map(([, name = '']) => name))].sort();
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
