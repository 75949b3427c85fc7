/**
 * Runs a command of a user once, bounded in time and output. The command is the leader of its own process group, which is killed as a
 * whole when the command ends or exceeds a limit, so that no process of it outlives the run.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import process from 'node:process';

/** How a command has ended. */
export type Ending =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  /** It did not end within the time limit. */
  | { readonly kind: 'hung' }
  /** It printed more than the limit. */
  | { readonly kind: 'flooded' }
  /** It cannot be started. */
  | { readonly kind: 'not_started'; readonly reason: string };

export interface Ran {
  readonly ending: Ending;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface ChildOptions {
  /** The environment of the command. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeLimitMs: number;
  /** The most that it may print to standard output, and to standard error; 1 MB by default. */
  readonly maxBytes?: number | undefined;
  /** Kills the command. */
  readonly signal: AbortSignal;
}

const MAX_OUTPUT_BYTES = 1024 * 1024;
// A process outside of the group may hold the pipes: the run does not wait longer for them.
const PIPES_MS = 1000;

/** @returns how the command has ended, and its output. @throws the reason of the signal. */
export async function runChild(command: readonly string[], options: ChildOptions): Promise<Ran> {
  const { env, timeLimitMs, maxBytes = MAX_OUTPUT_BYTES, signal } = options;
  signal.throwIfAborted();
  const started = performance.now();
  const ran = (ending: Ending, stdout: readonly Buffer[] = [], stderr: readonly Buffer[] = []): Ran => {
    const ms = Math.round(performance.now() - started);
    return { ending, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString(), ms };
  };
  const [file = '', ...args] = command;
  let child: ChildProcessByStdio<null, Readable, Readable>;
  try {
    child = spawn(file, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...env } });
  } catch (error) {
    // Of arguments that no process can have, such as one with a NUL character.
    return ran({ kind: 'not_started', reason: error instanceof Error ? error.message : String(error) });
  }

  return new Promise((resolve, reject) => {
    let limit: Ending | undefined;
    const dropPipes = (): void => {
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const stop = (): void => {
      killGroup(child);
      // A process of another group may hold the pipes, and write to them for ever.
      if (child.exitCode !== null || child.signalCode !== null) dropPipes();
    };
    const exceed = (kind: 'hung' | 'flooded'): void => {
      limit ??= { kind };
      stop();
    };
    const stdout = collect(child.stdout, maxBytes, exceed);
    const stderr = collect(child.stderr, maxBytes, exceed);
    const timer = setTimeout(exceed, timeLimitMs, 'hung');
    signal.addEventListener('abort', stop);

    let pipes: NodeJS.Timeout | undefined;
    const settle = (ending: Ending): void => {
      clearTimeout(timer);
      clearTimeout(pipes);
      signal.removeEventListener('abort', stop);
      if (signal.aborted)
        reject(signal.reason as Error); // It is aborted with an error, or the default one.
      else resolve(ran(limit ?? ending, stdout, stderr));
    };
    child.once('error', ({ message }) => {
      if (child.pid === undefined) settle({ kind: 'not_started', reason: message });
    });
    child.once('exit', () => {
      killGroup(child); // Processes that the command has left behind.
      const dropIdlePipes = (before: number): void => {
        // On a busy machine, output may still be read a while after the end: the pipes are dropped once none arrives. What has
        // arrived is read first: after a pause of this process, timers come before it.
        setImmediate(() => {
          const read = stdout.length + stderr.length;
          if (read > before && limit === undefined && !signal.aborted)
            pipes = setTimeout(dropIdlePipes, PIPES_MS, read);
          else dropPipes();
        });
      };
      pipes = setTimeout(dropIdlePipes, PIPES_MS, 0);
    });
    child.once('close', (code, killedBy) => {
      settle(code === null ? { kind: 'killed', signal: String(killedBy) } : { kind: 'exited', code });
    });
  });
}

/** Kills a command with all processes of its group. */
function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

/** @param exceed called when there is too much output. @returns the output so far. */
function collect(stream: Readable, maxBytes: number, exceed: (kind: 'flooded') => void): readonly Buffer[] {
  const chunks: Buffer[] = [];
  let left = maxBytes;
  stream.on('data', (chunk: Buffer) => {
    if (left >= 0) chunks.push(chunk);
    left -= chunk.length;
    if (left < 0) exceed('flooded');
  });
  stream.on('error', () => undefined); // It ends, as any other.
  return chunks;
}
