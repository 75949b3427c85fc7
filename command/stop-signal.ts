/** What stops a process that serves: signals and, with `--exit-with-parent`, the end of standard input. */
import process from 'node:process';
import { Option } from 'commander';

// SIGUSR2 is how some programs that watch files restart a server.
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const;

export interface ExitWithParent {
  readonly exitWithParent?: true;
}

/** `--exit-with-parent`. */
export const exitWithParentOption = (): Option =>
  new Option('--exit-with-parent', 'stop when standard input closes, for example a pipe from the parent process');

/**
 * @param isWorker whether this process is a worker, which ignores further signals: the primary stops its workers itself, while service
 *   managers and terminals send signals to all processes. In another process, a second signal ends the process immediately.
 * @param withParent whether the end of standard input also stops this process: the system closes a pipe when the process at its other end
 *   has ended, even if that was killed.
 * @returns a promise that resolves when the process must stop.
 */
export function stopSignal(isWorker: boolean, withParent = false): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      resolve();
    };
    for (const signal of STOP_SIGNALS) {
      if (isWorker) process.on(signal, stop);
      else process.once(signal, stop);
    }
    if (withParent) onInputEnd(stop);
  });
}

/** Calls `ended` when standard input ends, is reset, or cannot be read. The input itself is ignored. */
function onInputEnd(ended: () => void): void {
  const { stdin } = process;
  for (const event of ['end', 'close', 'error']) stdin.on(event, ended);
  stdin.resume();
  if ('unref' in stdin) stdin.unref(); // A file as standard input has no `unref`, and does not keep the process alive.
}
