/** Copies of the project, to try what happens when it is changed. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a program in a folder of the project, or of a copy of it. */
export function run(folder: string, argv: readonly string[], input?: string): { ok: boolean; output: string } {
  const [command = '', ...args] = argv;
  const env = { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${String(process.env['PATH'])}` };
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, input, encoding: 'utf8' });
  return { ok: status === 0, output: `${stdout}${stderr}` };
}

/** @returns what a program prints. @throws Error if it fails. */
export function must(folder: string, ...argv: readonly string[]): string {
  const { ok, output } = run(folder, argv);
  if (!ok) throw new Error(`${argv.join(' ')} fails:\n${output}`);
  return output;
}

/** Copies what git has of the project to a folder. */
function copySources(folder: string): void {
  const files = must(ROOT, 'git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard').split('\0');
  for (const file of files.filter((it) => it !== '' && existsSync(join(ROOT, it))))
    cpSync(join(ROOT, file), join(folder, file));
}

/** @returns the folder of a copy of what git has of the project, with its tools. @param prefix how its name begins. */
export function copyProject(prefix = 'rollcall-copy-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  copySources(folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
