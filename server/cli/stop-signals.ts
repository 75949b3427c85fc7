/** By what a server is told to stop: signals and, where that is asked for, the end of its standard input. */
import process from 'node:process';
import { Option } from 'commander';

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface ExitWithParent {
  readonly exitWithParent?: true;
}

/** `--exit-with-parent`. */
export const exitWithParentOption = (): Option =>
  new Option('--exit-with-parent', 'stop when standard input ends: for a program that starts it with a pipe');

/**
 * @param isWorker leaves signals that follow to the process that started this one: it stops its workers itself, while service
 *   managers and terminals send theirs to all processes. Otherwise the second one ends the process the usual way.
 * @param withParent stops it when its standard input ends, too: the system closes a pipe when the process at its other end is
 *   gone, also when that one was killed.
 * @returns what resolves at the first.
 */
export function stopSignal(isWorker: boolean, withParent = false): Promise<void> {
  return new Promise((resolve) => {
    const told = (): void => {
      resolve();
    };
    for (const it of STOP_SIGNALS) {
      if (isWorker) process.on(it, told);
      else process.once(it, told);
    }
    if (withParent) onInputEnd(told);
  });
}

/** What comes is passed over. A pipe that is reset has ended, and so has an input that cannot be read. */
function onInputEnd(ended: () => void): void {
  const { stdin } = process;
  for (const it of ['end', 'close', 'error']) stdin.on(it, ended);
  stdin.resume();
  if ('unref' in stdin) stdin.unref(); // That of a file has none, and does not keep the process either.
}
