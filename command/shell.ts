/** Runs the user's own commands in a shell, each bounded in time and output, and killed with its children. */
import process from 'node:process';
import { runChild } from '../audit/child.ts';
import type { CommandEnd } from '../audit/lists/commands.ts';
import { own, quote, say } from '../audit/rules/text.ts';
import type { Text } from '../audit/rules/text.ts';
import { Untestable } from '../audit/session/session.ts';

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
    stopped.abort(new Untestable(say`The audit was interrupted.`));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const { signal } = stopped;
    const { ending, stdout, stderr } = await runChild(['sh', '-c', line], { env: process.env, timeLimitMs, signal });
    const last = stderr.trimEnd().split('\n').at(-1) ?? '';
    const failure = failureOf(ending, timeLimitMs);
    return { failure: failure && say`${failure}${last === '' ? '' : say`: ${quote(last, MAX_LINE)}`}`, output: stdout };
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

function failureOf(ending: Awaited<ReturnType<typeof runChild>>['ending'], timeLimitMs: number): Text | undefined {
  switch (ending.kind) {
    case 'exited':
      return ending.code === 0 ? undefined : say`it exited with ${ending.code}`;
    case 'killed':
      return say`it was ended by ${own(ending.signal)}`;
    case 'hung':
      return say`it did not end within ${timeLimitMs / 1000} s`;
    case 'flooded':
      return say`it printed more than 1 MB`;
    case 'not_started':
      return say`it cannot be started: ${quote(ending.reason)}`;
  }
}

/** @returns a word as a shell reads it. */
export const shellWord = (word: string): string =>
  /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
