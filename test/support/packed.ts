/** The server's package as it is published, installed in a scratch folder, as another team has it. */
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { run } from './tester.ts';
import type { Ran } from './tester.ts';
import { ROOT, must } from './project.ts';

export interface Project {
  /** Has `node_modules` with the package. */
  readonly folder: string;
  /** Runs a command in a folder of it, to its end. */
  readonly run: (
    command: readonly [string, ...string[]],
    env?: Readonly<Record<string, string>>,
    cwd?: string,
  ) => Promise<Ran>;
  readonly remove: () => void;
}

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
  return {
    folder,
    remove,
    run: (command, env = {}, cwd = folder) => run(command, { cwd, env: { PATH, ...env } }),
  };
}
