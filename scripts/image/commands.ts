/** Runs the programs that build the image: with a time limit and bounded output. */
import { execFile } from 'node:child_process';
import process from 'node:process';

const LIMIT_MS = 10 * 60_000;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** An error that is explained by its message alone. */
export class BuildError extends Error {}

/**
 * Runs a program to its end.
 * @returns what it prints to standard output.
 * @throws BuildError with all that it prints if it fails, does not exist or takes too long.
 */
export function run(program: string, args: readonly string[], cwd = '.'): Promise<string> {
  const options = { cwd, env: { ...process.env, LC_ALL: 'C' }, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new BuildError(`${program} ${args.join(' ')} fails: ${error.message}\n${stdout}${stderr}`));
    });
  });
}
