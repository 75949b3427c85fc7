/**
 * actionlint for the workflows, and shellcheck for the scripts of the action: `npm run workflows`. actionlint runs shellcheck too, if it
 * finds it. Both must also find mistakes.
 */
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { readAction } from './composite.ts';
import { ROOT } from '../../test/support/project.ts';

/** The workflows of the project. */
const WORKFLOWS = globSync('.github/workflows/*.yml', { cwd: ROOT });
// The latest version that compiles with Debian's Go 1.19.
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7';
const COMPILE_MS = 300_000;
const LINT_MS = 60_000;

interface Ran {
  readonly code: number;
  readonly output: string;
}

/** Runs a program to its end. @throws Error if it is not installed, or takes too long. */
function run(
  [program = '', ...args]: readonly string[],
  timeout: number,
  input = '',
  env = process.env,
  cwd = ROOT,
): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout, input, env });
  if (error !== undefined || status === null)
    throw new Error(`${program} cannot be run: ${error?.message ?? 'it was killed'}`);
  return { code: status, output: stdout + stderr };
}

/** Mistakes, each in an otherwise correct workflow, and what actionlint must say about it. */
const MISTAKES: readonly (readonly [edit: (text: string) => string, expected: string])[] = [
  [(text) => text.replace('runs-on: ubuntu-24.04', 'runs-on: ubuntu-24.40'), 'label "ubuntu-24.40" is unknown'],
  [(text) => text.replace('npm ci', 'echo ${{ github.head_ref }}'), '"github.head_ref" is potentially untrusted'],
  [(text) => text.replace('npm ci', 'cd $HOME'), 'SC2086'],
  [(text) => text.replace('timeout-minutes', 'timeout-minuets'), 'unexpected key "timeout-minuets"'],
  [(text) => text.replace('base-url:', 'base-uri:'), 'input "base-uri" is not defined in action "rollcall conform"'],
];

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-workflows-'));
try {
  if (run(['shellcheck', '--version'], LINT_MS).code !== 0) throw new Error('shellcheck does not work.');
  // Go downloads no other version of itself: what is installed must be able to compile it.
  const env = { ...process.env, GOBIN: scratch, GOTOOLCHAIN: 'local', GOFLAGS: '' };
  const installed = run(['go', 'install', ACTIONLINT], COMPILE_MS, '', env);
  if (installed.code !== 0) throw new Error(`go install ${ACTIONLINT} fails:\n${installed.output}`);
  const actionlint = (files: readonly string[], cwd = ROOT): Ran =>
    run([join(scratch, 'actionlint'), '-no-color', '-oneline', ...files], LINT_MS, '', process.env, cwd);

  const { code, output } = actionlint(WORKFLOWS);
  if (code !== 0) throw new Error(`actionlint finds:\n${output}`);
  say(`actionlint: ${WORKFLOWS.map((it) => basename(it)).join(', ')}`);

  // A project of its own: actionlint reads the local action too.
  const [file = ''] = WORKFLOWS.filter((it) => it.endsWith('/pull-request.yml'));
  const text = readFileSync(join(ROOT, file), 'utf8');
  const copy = join(scratch, 'copy');
  mkdirSync(join(copy, dirname(file)), { recursive: true });
  mkdirSync(join(copy, '.git'));
  writeFileSync(join(copy, 'action.yml'), readFileSync(join(ROOT, 'action.yml')));
  for (const [edit, expected] of MISTAKES) {
    const changed = edit(text);
    if (changed === text) throw new Error(`The mistake for "${expected}" changes nothing.`);
    writeFileSync(join(copy, file), changed);
    const found = actionlint([file], copy);
    if (found.code !== 1 || !found.output.includes(expected))
      throw new Error(`actionlint does not find "${expected}":\n${found.output}`);
  }
  say(`actionlint finds ${String(MISTAKES.length)} mistakes`);

  const { steps } = readAction(join(ROOT, 'action.yml')).runs;
  const shellcheck = (script: string): Ran =>
    run(['shellcheck', '--shell', 'bash', '--format', 'gcc', '-'], LINT_MS, script);
  for (const step of steps) {
    const checked = shellcheck(step.run);
    if (checked.code !== 0) throw new Error(`action.yml, ${step.name}:\n${checked.output}`);
  }
  if (shellcheck('cd $HOME').code !== 1) throw new Error('shellcheck does not find a missing quote.');
  say(`shellcheck: ${String(steps.length)} steps of action.yml`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
