/**
 * Mutates `server` and `client` at random places, one at a time, in a copy of the project, and counts what the tests find.
 * `npm run test:mutation -- [--seed N] [--count N] [--only PATTERN]`: PATTERN is a regular expression for
 * `file:line`, and what becomes of the line.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { copyProject } from '../support/project.ts';
import { createCompiler } from './compiler.ts';
import { EQUIVALENTS } from './equivalents.ts';
import { equivalence, everyMutant, shuffled } from './sites.ts';
import type { Mutant } from './sites.ts';

const MIN_SCORE = 0.95;
/** All tests together take less. What takes longer hangs, or the machine is busy: such a mutant is not counted. */
const LIMIT_MS = 15 * 60_000;
const TIMED_OUT = `not within ${String(LIMIT_MS / 60_000)} min`;
const JEST = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js', '--maxWorkers', '2'];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '40' },
    only: { type: 'string', default: '' },
  },
});
const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

interface Failed {
  /** The file of the first test that failed; `undefined` if the tests did not start, or did not end in time. */
  readonly file: string | undefined;
  readonly what: string;
}

let group: number | undefined;
/** Ends Jest, its workers, and what they have started. */
function endTests(): void {
  try {
    if (group !== undefined) process.kill(-group, 'SIGKILL');
  } catch {
    // Nothing is left of it.
  }
  group = undefined;
}

/** Runs Jest in a copy. @returns what failed first; `undefined` if nothing did. */
async function runJest(folder: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Failed | undefined> {
  const child = spawn(process.execPath, [...JEST, ...args], {
    ...{ cwd: folder, env: { ...process.env, ...env }, detached: true },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  group = child.pid;
  let [output, isLate] = ['', false];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const timer = setTimeout(() => {
    isLate = true;
    endTests();
  }, LIMIT_MS);
  await once(child, 'exit');
  clearTimeout(timer);
  endTests();
  if (child.exitCode === 0) return undefined;
  const [, file] = /^FAIL \S+ (\S+)/m.exec(output) ?? []; // Also if what hangs has ended the tests late.
  if (isLate && file === undefined) return { file, what: TIMED_OUT };
  const isSetUp = !output.includes('error running globalSetup');
  if (file === undefined && isSetUp) throw new Error(`Jest fails by itself:\n${output}`);
  if (file === undefined) return { file, what: 'the set-up of the tests, which fails' };
  return { file, what: /^ *● (.+)$/m.exec(output)?.[1] ?? 'a test' };
}

/** The files of tests that pass in a copy without a mutant, and those that do not: what they say of a mutant means nothing. */
const passing = new Set<string>();
const failing = new Set<string>();

/** Runs the tests of a mutant. @returns the test that found it; `undefined` if it survived; `TIMED_OUT`. */
async function findingOf({ file, mutated }: Mutant, folder: string): Promise<string | undefined> {
  const path = join(folder, file);
  const original = readFileSync(path, 'utf8');
  // What both engines share is tested on both.
  const engines = /^server\/store\/(?!sqlite\/)/.test(file) ? 'sqlite,postgres' : 'sqlite';
  const env = { ROLLCALL_MUTATED: file, ROLLCALL_TEST_ENGINES: engines };
  // Tests of commands start processes, which import what no test imports.
  const related = ['--findRelatedTests', file, ...(file.startsWith('server/') ? ['test/support/cli.ts'] : [])];
  const order = ['--testSequencer', './test/mutation/sequencer.js'];
  const unsteady: string[] = [];
  for (;;) {
    writeFileSync(path, mutated());
    let failed: Failed | undefined;
    let again: Failed | undefined;
    try {
      const leftOut = { ROLLCALL_LEFT_OUT: JSON.stringify([...failing, ...unsteady]) };
      failed = await runJest(folder, ['--bail', ...order, ...related], { ...env, ...leftOut });
      if (failed?.file !== undefined) again = await runJest(folder, ['--runTestsByPath', failed.file], env);
    } finally {
      writeFileSync(path, original);
    }
    if (failed?.file === undefined) return failed?.what;
    if (again === undefined) {
      unsteady.push(failed.file); // On a busy machine a test may fail by itself.
      say(`  ${failed.file} failed once, but not again: ${failed.what}`);
      continue;
    }
    if (!passing.has(failed.file)) {
      const alone = await runJest(folder, ['--runTestsByPath', failed.file], env);
      (alone === undefined ? passing : failing).add(failed.file);
      if (alone !== undefined) {
        say(`${failed.file} fails without a mutant, and is left out: ${alone.what}`);
        continue;
      }
    }
    return `${failed.file} ${failed.what}`;
  }
}

const mutants = everyMutant();
const equivalentOf = equivalence(EQUIVALENTS, mutants);
const compiles = createCompiler();
const base = mkdtempSync(join(tmpdir(), 'rollcall-mutation-'));
chmodSync(base, 0o755); // PostgreSQL is not run as root.
process.env['TMPDIR'] = base; // Tests that are ended leave files behind, which go with the copy.
const cleanUp = (): void => {
  endTests();
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
};
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  process.once(signal, () => {
    cleanUp();
    process.exit(code);
  });
}

say(`${String(mutants.length)} mutants; ${values.count} of them with --seed ${values.seed}.`);
let [found, tested] = [0, 0];
try {
  const folder = copyProject();
  const unmutated = await runJest(folder, ['--runTestsByPath', 'test/mutation/sites.test.ts'], {});
  if (unmutated !== undefined) throw new Error(`Without a mutant the tests fail: ${unmutated.what}`);
  const pattern = new RegExp(values.only);
  for (const mutant of shuffled(mutants, values.seed)) {
    const { file, line, before, after } = mutant;
    const place = `${file}:${String(line)}`;
    if (tested === Number(values.count)) break;
    if (!pattern.test(`${place} ${after}`) || !compiles(file, mutant.mutated())) continue;
    const equivalent = equivalentOf(mutant);
    say(`\n${place}\n  - ${before}\n  + ${after}`);
    if (equivalent !== undefined) {
      say(`  equivalent: ${equivalent.reason}`);
      continue;
    }
    const started = performance.now();
    const by = await findingOf(mutant, folder);
    if (by !== TIMED_OUT) tested += 1;
    if (by !== undefined && by !== TIMED_OUT) found += 1;
    const seconds = String(Math.round((performance.now() - started) / 1000));
    if (by === TIMED_OUT) say(`  UNDECIDED: ${TIMED_OUT}`);
    else say(by === undefined ? `  SURVIVED (${seconds} s)` : `  found by ${by} (${seconds} s)`);
  }
} finally {
  cleanUp();
}
const score = tested === 0 ? 1 : found / tested;
say(`\n${String(found)} of ${String(tested)} found: ${(score * 100).toFixed(1)} %.`);
if (score < MIN_SCORE) process.exitCode = 1;
