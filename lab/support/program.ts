/** Programs of others as processes: each runs until it is stopped or killed, and is killed with this process. */
import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const STOP_MS = 60_000;
const POLL_MS = 50;
const KEPT_OF_LOG = 20_000; // Characters, for the message when something is late.

export interface Program {
  /** Waits until it serves. @throws Error with its log if it ends before, or takes too long; then it is killed. */
  readonly untilServing: (ms: number, isServing: () => Promise<boolean>) => Promise<void>;
  /** Asks it to end, and waits until it has. */
  readonly stop: () => Promise<void>;
  /** Kills it at once. */
  readonly kill: () => Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const it of running) it.kill('SIGKILL');
});

/** Starts a program. */
export function start(argv: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'> = {}): Program {
  const [program = '', ...words] = argv;
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
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
  const untilServing: Program['untilServing'] = async (ms, isServing) => {
    const deadline = performance.now() + ms;
    while (running.has(child) && !(await isServing())) {
      if (performance.now() > deadline) {
        await end('SIGKILL');
        throw new Error(`It takes more than ${String(ms / 1000)} s until ${program} serves.\n${log}`);
      }
      await pause(POLL_MS);
    }
    if (!running.has(child)) throw new Error(`${program} has ended:\n${log}`);
  };
  return { untilServing, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
