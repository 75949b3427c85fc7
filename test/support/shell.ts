/** Commands of the docs as they stand, in a folder of a test's own: Rollcall from its sources, and stand-ins for what a machine has. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Folder } from './cli.ts';
import { ROOT } from './project.ts';

export interface Shell {
  /** Runs a script. @returns what it prints. @throws Error if a command of it fails. */
  readonly sh: (script: string) => string;
  /** The calls of the stand-ins, a line for each. */
  readonly calls: () => readonly string[];
}

const ROLLCALL = `"${process.execPath}" "${join(ROOT, 'cli/main.ts')}"`;

/** @param standIns programs that only record how they are called, or a script that they run then. */
export function openShell(folder: Folder, standIns: Readonly<Record<string, string>> = {}): Shell {
  const bin = folder.path('.bin');
  const log = folder.path('.calls');
  mkdirSync(bin);
  const program = (name: string, script: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  };
  const record = (name: string): string => `echo "${name} $*" >> '${log}'`;
  program('rollcall', `exec ${ROLLCALL} "$@"`);
  // What a package would be taken from is named before the command.
  program('npx', 'while :; do case "$1" in --package) shift 2 ;; --*) shift ;; *) exec "$@" ;; esac; done');
  program(
    'npm',
    `[ "$1 $2" = 'run --silent' ] && shift 2 && set -- run "$@"
[ "$1 $2" = 'run rollcall' ] && shift 3 && exec rollcall "$@"
${record('npm')}`,
  );
  for (const [name, script] of Object.entries(standIns)) program(name, `${record(name)}\n${script}`);
  const env = { ...process.env, PATH: `${bin}:${String(process.env['PATH'])}` };
  return {
    sh: (script) => {
      const options = { cwd: folder.path('.'), env, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync('sh', ['-ec', script], options);
      if (status !== 0) throw new Error(`${String(status)}: ${stdout}${stderr}`);
      return stdout;
    },
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []),
  };
}
