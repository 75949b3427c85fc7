/** Processes that count themselves: a program with `probe.ts` in it, on a heap that only collects when it is told to. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Counts, Question } from './probe.ts';

/** Without compilers that allocate when they please, and with room for all that is allocated between two collections. */
const FLAGS = [
  ...['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256', '--no-memory-reducer'],
  ...['--no-opt', '--no-maglev', '--no-sparkplug', '--no-flush-bytecode'],
];
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface Measured {
  /** The URL in the first line that it printed. */
  readonly url: string;
  readonly count: (question: Question) => Promise<Counts>;
  /** Has `client.ts` send so many requests. */
  readonly repeat: (times: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a program, and waits until it has printed a line.
 * @param program by its path from here.
 */
export async function startMeasured(program: string, argv: readonly string[], cwd: string): Promise<Measured> {
  const child = fork(pathOf(program), argv, {
    cwd,
    env: { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' }, // Compiled code that was stored depends on earlier runs.
    execArgv: [...FLAGS, '--import', pathOf('./probe.ts')],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const lost = ended.then(() => Promise.reject(new Error(`${program} has ended.`)));
  lost.catch(() => undefined);
  const orLost = async (event: Promise<unknown[]>): Promise<unknown> => (await Promise.race([event, lost]))[0];
  if (child.stdout === null) throw new Error('It has a pipe.');
  const line = String(await orLost(once(createInterface(child.stdout), 'line')));
  const send = (message: Question | number): Promise<unknown> => {
    child.send(message);
    return orLost(once(child, 'message'));
  };
  return {
    url: /http:\S+/.exec(line)?.[0] ?? '',
    count: async (question) => (await send(question)) as Counts, // As the probe answers.
    repeat: async (times) => {
      await send(times);
    },
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
