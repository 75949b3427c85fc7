/**
 * The timers and the clock of Node, as they are when this file is first imported. Fake timers of a test suite replace the global ones,
 * and must not stop the server of the test kit or its faults.
 */
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';

// Constants: a named import would follow `syncBuiltinESMExports`, with which some test tools publish their replacements.
export const { clearTimeout, setImmediate, setTimeout } = timers;
const { clearInterval, setInterval } = timers;

/** @returns milliseconds of a monotonic clock. */
export const now: () => number = performance.now.bind(performance);

/** Calls `check` again and again with the time since this call, in milliseconds. @returns a function that ends it. */
export type Ticks = (everyMs: number, check: (sinceMs: number) => unknown) => () => void;

/** The clock of Node. It keeps no process alive. */
export const ticks: Ticks = (everyMs, check) => {
  const started = now();
  const timer = setInterval(() => {
    check(now() - started);
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
  };
};

/** Resolves in the next turn of the event loop: other events come first, and native memory that is no longer used is released. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

// Entries are overwritten, because an emptied array would have to grow again in every turn.
const endings: ((() => void) | undefined)[] = [];
let endingCount = 0;
const endTurn = (): void => {
  const count = endingCount;
  endingCount = 0;
  for (let index = 0; index < count; index += 1) {
    endings[index]?.();
    endings[index] = undefined;
  }
};

/**
 * Calls a function when this turn of the event loop has ended: all functions of a turn share one timer.
 * @param end must neither throw nor call this.
 */
export function atTurnEnd(end: () => void): void {
  if (endingCount === 0) setImmediate(endTurn);
  endings[endingCount] = end;
  endingCount += 1;
}
