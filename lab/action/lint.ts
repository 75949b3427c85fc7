/** actionlint on the workflows, and shellcheck on the scripts of the action. actionlint runs shellcheck on the scripts of the workflows. */
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { ROOT } from '../../test/support/project.ts';
import { readAction } from './composite.ts';

// The latest version that compiles with Debian's Go 1.19.
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.7';
const LIMIT_MS = 600_000;

/** Runs a program that must find nothing. @throws Error with what it prints. */
function check(program: string, args: readonly string[], input = '', env = process.env): void {
  const options = { cwd: ROOT, encoding: 'utf8', timeout: LIMIT_MS, input, env } as const;
  const { status, stdout, stderr, error } = spawnSync(program, args, options);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} finds:\n${stdout}${stderr}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'rollcall-actionlint-'));
try {
  check('shellcheck', ['--version']); // Without it, actionlint checks less, and does not say so.
  // Go downloads no other version of itself: what is installed must be able to compile it.
  check('go', ['install', ACTIONLINT], '', { ...process.env, GOBIN: scratch, GOTOOLCHAIN: 'local', GOFLAGS: '' });
  const workflows = globSync('.github/workflows/*.yml', { cwd: ROOT });
  check(join(scratch, 'actionlint'), ['-no-color', '-oneline', ...workflows]);
  const { steps } = readAction(join(ROOT, 'action.yml')).runs;
  for (const step of steps) check('shellcheck', ['--shell', 'bash', '--format', 'gcc', '-'], step.run);
  process.stdout.write(`No findings in ${workflows.join(', ')} and ${String(steps.length)} steps of action.yml.\n`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
