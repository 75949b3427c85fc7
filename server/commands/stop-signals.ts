/** The signals by which a server is told to stop. */
import process from 'node:process';

export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * @param isWorker leaves signals that follow to the process that started this one: it stops its workers itself, while service
 *   managers and terminals send theirs to all processes. Otherwise the second one ends the process the usual way.
 * @returns what resolves at the first.
 */
export function stopSignal(isWorker: boolean): Promise<void> {
  return new Promise((resolve) => {
    const told = (): void => {
      resolve();
    };
    for (const it of STOP_SIGNALS) {
      if (isWorker) process.on(it, told);
      else process.once(it, told);
    }
  });
}
