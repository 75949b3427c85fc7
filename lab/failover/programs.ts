/** The programs of the recipe as processes: each runs until it is stopped or killed, and is killed with this process. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { chownSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const STOP_MS = 60_000;
const POLL_MS = 50;
const KEPT_OF_LOG = 20_000; // Characters, for the message when something is late.
const COMMAND_MS = 60_000;
const MAX_OUTPUT = 1_000_000;
const NOBODY = 65_534; // PostgreSQL does not run as root.

const IS_ROOT = process.geteuid?.() === 0;
const USER: SpawnOptions = IS_ROOT ? { uid: NOBODY, gid: NOBODY } : {};

/** Gives a file or folder to the user that the programs run as. */
export function give(path: string): void {
  if (IS_ROOT) chownSync(path, NOBODY, NOBODY);
}

export interface Program {
  readonly pid: number;
  /** The last that it has logged. */
  readonly log: () => string;
  /** Asks it to end, and waits until it has. */
  readonly stop: () => Promise<void>;
  /** Kills it at once. */
  readonly kill: () => Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const it of running) it.kill('SIGKILL');
});

/** Starts a program, as a user that may run PostgreSQL. */
export function start(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Program {
  const [program = '', ...words] = argv;
  const child = spawn(program, words, {
    ...USER,
    cwd,
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', HOME: cwd, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let log = '';
  const add = (text: string): void => {
    log = (log + text).slice(-KEPT_OF_LOG);
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', add);
  child.on('error', (error) => {
    add(`${program}: ${error.message}\n`);
  });
  const ended = new Promise((resolve) => {
    // Not `close`: what it has started may hold the pipes.
    child.once('exit', resolve);
    child.once('error', resolve);
  }).then(() => running.delete(child));
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.kill(signal);
    await ended;
    clearTimeout(late);
  };
  return { pid: child.pid ?? 0, log: () => log, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}

/** Runs a command to its end. @returns what it prints. @throws Error if it fails. */
export function must(
  argv: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): string {
  const [program = '', ...words] = argv;
  const limits = { encoding: 'utf8', timeout: COMMAND_MS, maxBuffer: MAX_OUTPUT } as const;
  const { status, stdout, stderr, error } = spawnSync(program, words, { ...options, ...limits });
  if (status === 0) return stdout;
  throw new Error(`${argv.join(' ')} fails: ${String(error ?? status)}\n${stdout}${stderr}`);
}

/**
 * Waits until something is so.
 * @param logs what the programs that it depends on have logged.
 * @throws Error with the logs if it takes too long.
 */
export async function until(
  what: string,
  ms: number,
  condition: () => boolean | Promise<boolean>,
  logs: () => string = () => '',
): Promise<void> {
  const deadline = performance.now() + ms;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`It takes more than ${String(ms / 1000)} s until ${what}.\n${logs()}`);
    await pause(POLL_MS);
  }
}
