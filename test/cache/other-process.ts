/** The process that changes the store, seen from the test. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Change, Order, Report } from './writer-process.ts';

export interface OtherProcess {
  /**
   * Has changes made, in order, one commit each.
   * @param onCommit told after each, with their number so far.
   * @returns when the other process has closed the store again.
   */
  change(address: string, changes: readonly Change[], onCommit?: (committed: number) => void): Promise<void>;
  stop(): Promise<void>;
}

export function startOtherProcess(): OtherProcess {
  // Values such as bigint cross in the advanced form only. Jest's own options are not for it.
  const child = fork(fileURLToPath(new URL('changer.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--no-warnings'],
  });
  const ended = once(child, 'exit');
  let fail: (error: Error) => void = () => undefined;
  child.on('error', (error) => {
    fail(error);
  });
  child.on('exit', () => {
    fail(new Error('The process that changes the store has ended.'));
  });
  return {
    change: (address, changes, onCommit = () => undefined) =>
      new Promise((resolve, reject) => {
        const settle = (settled: () => void): void => {
          child.off('message', hear);
          fail = () => undefined;
          settled();
        };
        fail = (error) => {
          settle(() => {
            reject(error);
          });
        };
        const hear = (report: Report): void => {
          if ('failed' in report) fail(new Error(report.failed));
          else if (report.isDone) settle(resolve);
          else onCommit(report.committed);
        };
        child.on('message', hear);
        child.send({ address, changes } satisfies Order);
      }),
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
