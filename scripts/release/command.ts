/** Runs programs for a release: each has a time limit, and ends with the release. Of its output, the end is kept. */
import { spawn } from 'node:child_process';
import process from 'node:process';

const MINUTE_MS = 60_000;
// An SBOM of 200 packages has 200 KB.
const MAX_OUTPUT = 16 * 2 ** 20;
// Of what a program that failed has printed.
const SHOWN = 4000;

export interface Run {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly minutes?: number;
  readonly signal: AbortSignal;
}

/** npm passes the options of `npm run` to its scripts, and they would change what the npm of a script does. */
function environment(own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?:config_dry_run|lifecycle|package)/i.test(name),
  );
  return { ...Object.fromEntries(inherited), ...own };
}

/**
 * Runs a program to its end, in a process group that a time-out or an abort ends as a whole.
 * @returns what it printed to standard output.
 * @throws Error with the end of its output if it fails, takes longer than `minutes`, or prints more than 16 MB.
 */
export async function run(
  [program, ...args]: readonly [string, ...string[]],
  { cwd, env = {}, minutes = 5, signal }: Run,
): Promise<string> {
  signal.throwIfAborted();
  const child = spawn(program, args, {
    cwd,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let [stdout, printed, reason] = ['', '', ''];
  const stop = (why: string): void => {
    if (reason !== '' || child.pid === undefined) return;
    reason = why;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // The group has ended in the meantime.
    }
  };
  const onAbort = (): void => {
    stop('was interrupted');
  };
  signal.addEventListener('abort', onAbort);
  const timer = setTimeout(() => {
    stop(`took more than ${String(minutes)} min`);
  }, minutes * MINUTE_MS);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    printed = (printed + text).slice(-SHOWN);
    if (stdout.length > MAX_OUTPUT) stop('printed more than 16 MB');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-SHOWN)));
  const command = [program, ...args].join(' ');
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', (error) => {
        reject(new Error(`${command} does not start: ${error.message}`, { cause: error }));
      });
      child.on('close', resolve);
    });
    if (reason !== '') throw new Error(`${command} ${reason}:\n${printed}`);
    if (code !== 0) throw new Error(`${command} failed:\n${printed}`);
    return stdout;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
