/** Runs the user's own commands in a shell, each bounded in time and output, and killed with its children. */
import process from 'node:process';
import { runChild } from '../child.ts';
import type { CommandEnd } from '../lists/commands.ts';
import { Untestable } from '../session/session.ts';

const TIME_LIMIT_MS = 60_000;
const MAX_LINE = 200;

/**
 * @param line of a shell.
 * @returns how it has ended. @throws Untestable if the user interrupts it.
 */
export async function runInShell(line: string, timeLimitMs = TIME_LIMIT_MS): Promise<CommandEnd> {
  const stopped = new AbortController();
  // Ctrl-C does not reach a command that leads its own group.
  const stop = (): void => {
    stopped.abort(new Untestable('The audit was interrupted.'));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const { signal } = stopped;
    const { ending, stdout, stderr } = await runChild(['sh', '-c', line], { env: process.env, timeLimitMs, signal });
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    const failure = failureOf(ending, timeLimitMs);
    const said = last === '' ? '' : `: ${last.length > MAX_LINE ? `${last.slice(0, MAX_LINE)}…` : last}`;
    return { failure: failure && `${failure}${said}`, output: stdout };
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function failureOf(ending: Awaited<ReturnType<typeof runChild>>['ending'], timeLimitMs: number): string | undefined {
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0 ? undefined : `it exited with ${String(ending.code)}`;
    case 'killed':
      return `it was ended by ${ending.signal}`;
    case 'hung':
      return `it did not end within ${String(timeLimitMs / 1000)} s`;
    case 'flooded':
      return 'it printed more than 1 MB';
    case 'not_started':
      return `it cannot be started: ${ending.reason}`;
  }
}
