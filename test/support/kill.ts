/** Kills commands in the middle of their work. */
import type { Running } from './cli.ts';

/**
 * Starts a command and kills it at a moment; again where it came to its end first, as it may on a busy machine.
 * @param start sets everything as it was, and starts the command.
 */
export async function killAt(
  isTime: () => boolean | Promise<boolean>,
  start: () => Running | Promise<Running>,
): Promise<void> {
  for (;;) {
    const { process: child, ended } = await start();
    const state = { isRunning: true };
    void ended.then(() => (state.isRunning = false));
    while (state.isRunning && !(await isTime())) await new Promise(setImmediate);
    child.kill('SIGKILL');
    if ((await ended).signal === 'SIGKILL') return;
  }
}
