/** Processes of the bench: servers that go on, and commands that end. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The command line as it is published: what is measured is what users run. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

const START_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 60 * 60_000;

export interface Server {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

/** Runs a Node program until it is stopped. @returns its address, once it has said where it listens. */
export function start(
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stderr: 'inherit' | number = 'inherit',
): Promise<Server> {
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ROLLCALL_LOG: 'off', ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      process.off('exit', kill);
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return new Promise((resolve, reject) => {
    const timeout = setTimeout(kill, START_TIMEOUT_MS);
    child.once('error', reject);
    let printed = '';
    const read = (text: string): void => {
      printed += text;
      const [, url] = /listen(?:s|ing) on (http:\/\/[\w.]+:\d+)/.exec(printed) ?? [];
      if (url === undefined || child.pid === undefined) return;
      clearTimeout(timeout);
      child.stdout?.off('data', read).resume(); // Some log every request.
      resolve({ url, pid: child.pid, stop });
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    void ended.then(() => {
      clearTimeout(timeout);
      reject(new Error(`It does not start: node ${argv.join(' ')}\n${printed}`));
    });
  });
}

/** Runs a command to its end. @returns what it printed, and the CPU time it took. @throws Error unless it ends with 0. */
export function run(command: readonly string[]): Promise<{ readonly stdout: string; readonly cpuMs: number }> {
  // The shell's own clock: Node does not tell what a child has cost.
  const timed = ['-c', 'TIMEFORMAT="%3U %3S"; time "$@"', 'bash', ...command];
  return new Promise((resolve, reject) => {
    const child = spawn('bash', timed, { stdio: ['ignore', 'pipe', 'pipe'], timeout: COMMAND_TIMEOUT_MS });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (code) => {
      const [, user, system] = /([\d.]+) ([\d.]+)\n$/.exec(stderr) ?? [];
      if (code === 0) resolve({ stdout, cpuMs: (Number(user) + Number(system)) * 1000 });
      else reject(new Error(`${command.join(' ')} failed:\n${stdout}${stderr}`));
    });
  });
}

/** Runs `rollcall`. */
export const rollcall = (...argv: readonly string[]): ReturnType<typeof run> => run([process.execPath, MAIN, ...argv]);
