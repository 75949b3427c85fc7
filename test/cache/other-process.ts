/** Starts the process that changes the store, and gives it its jobs. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Change, Job, Report } from './writer-process.ts';

export interface OtherProcess {
  /** Makes changes, in order, one commit each. @returns when the other process has closed the store again. */
  change(address: string, changes: readonly Change[]): Promise<void>;
  stop(): Promise<void>;
}

export function startOtherProcess(): OtherProcess {
  // Only the advanced serialization has bigint. Jest's own options are not for this process.
  const child = fork(fileURLToPath(new URL('writer-process.ts', import.meta.url)), {
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
    change: (address, changes) =>
      new Promise((resolve, reject) => {
        const settle = (settled: () => void): void => {
          child.off('message', listener);
          fail = () => undefined;
          settled();
        };
        fail = (error) => {
          settle(() => {
            reject(error);
          });
        };
        const listener = (report: Report): void => {
          if (report.failed === undefined) settle(resolve);
          else fail(new Error(report.failed));
        };
        child.on('message', listener);
        child.send({ address, changes } satisfies Job);
      }),
    stop: async () => {
      child.disconnect();
      await ended;
    },
  };
}
