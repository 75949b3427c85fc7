/** Has a second connection do something between two given statements of code under test: at each place in turn, instead of in a race. */
import { jest } from '@jest/globals';
import type Database from 'better-sqlite3';
import type { Statement } from 'better-sqlite3';
import { afterTest } from './after-test.ts';

/**
 * Runs the work again and again, until each of its statements was once followed by what the second connection does.
 * @param prepare done before the work each time.
 * @param interrupt done after the nth statement of the work: only by statements of `other`.
 * @param check called with what the work returned, and where it was interrupted.
 */
export type Interrupted = <T>(steps: {
  readonly prepare: () => unknown;
  readonly work: () => T | Promise<T>;
  readonly interrupt: () => unknown;
  readonly check: (result: T, nth: number) => unknown;
}) => Promise<void>;

/** @param other the second connection. Every other connection of this process is of the code under test. */
export function interruptStatements(other: Database.Database): Interrupted {
  let onStatement: (() => void) | undefined;
  const prototype = Object.getPrototypeOf(other.prepare('SELECT 1')) as Statement;
  for (const method of ['run', 'get', 'all'] as const) {
    const spy = jest.spyOn(prototype, method);
    const execute = spy.getMockImplementation();
    spy.mockImplementation(function (this: Statement, ...parameters) {
      const result: unknown = execute?.apply(this, parameters);
      if (this.database !== other) onStatement?.();
      return result as never; // As the method itself.
    });
    afterTest(() => {
      spy.mockRestore();
    });
  }
  return async ({ prepare, work, interrupt, check }) => {
    for (let [nth, statements] = [1, 1]; nth <= statements; nth += 1) {
      await prepare();
      let count = 0;
      onStatement = () => {
        count += 1;
        if (count === nth) interrupt();
      };
      const result = await work();
      onStatement = undefined;
      statements = count;
      await check(result, nth);
    }
  };
}
