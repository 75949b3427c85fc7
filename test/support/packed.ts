/** The server's package as it is published, installed in a scratch folder, as another team has it. */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ROOT, must } from './project.ts';

export interface Project {
  /** Has `node_modules` with the package. */
  readonly folder: string;
  /** Runs a command in a folder of it, its output shown. @returns whether it ended with 0, in time. */
  readonly run: (command: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string) => Promise<boolean>;
  readonly remove: () => void;
}

const DEADLINE_MS = 5 * 60_000;
// The project's own Node first: that of the machine may be too old.
const PATH = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;

/**
 * @param suite the folder of a suite in the repository, copied beside `node_modules`.
 * @param packages what else is installed, at exact versions.
 */
export function createProject(suite: string, packages: readonly string[] = []): Project {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-project-'));
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    must(ROOT, 'npm', 'pack', '--silent', '--pack-destination', folder); // It is built first.
    const tarball = readdirSync(folder).find((it) => it.endsWith('.tgz')) ?? '';
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    must(folder, 'npm', 'install', '--silent', '--no-audit', '--save-exact', `./${tarball}`, ...packages);
    cpSync(suite, folder, { recursive: true });
  } catch (error) {
    remove();
    throw error;
  }
  const run: Project['run'] = ([command = '', ...args], env = {}, cwd = folder) =>
    new Promise((resolve, reject) => {
      const options = { cwd, env: { ...process.env, PATH, ...env }, timeout: DEADLINE_MS };
      const child = spawn(command, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'] });
      child.on('error', reject);
      child.on('close', (code) => {
        resolve(code === 0);
      });
    });
  return { folder, run, remove };
}
