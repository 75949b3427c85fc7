/**
 * The nursery of V8: where new objects are, those of a request and garbage right after it. A large one is memory for nothing;
 * in a small one a page of 100 records, met by a collection halfway, is copied and grows old. V8 doubles it when much survives, up
 * to 16 MB, and halves it while little is made; only a flag at the start of a process would set a bound to that.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const BYTES = 4 * 1024 * 1024;
const HALVES = 2; // V8 counts the one that is in use, and the one that survivors are copied to.

const letGrow = (factor: 1 | 2): void => {
  setFlagsFromString(`--semi-space-growth-factor=${String(factor)}`);
};

/**
 * Keeps the nursery as it is: while a server starts, much survives, but only once; and of the records that go through a
 * command, nothing does, so that a larger one is memory for nothing.
 */
export function holdNursery(): void {
  letGrow(1);
}

/** Bounds the nursery of this process, from now on: after each collection it is said whether the next may double it. */
export function boundNursery(): void {
  let mayGrow = false;
  const adjust = (): void => {
    const size = getHeapSpaceStatistics().find((it) => it.space_name === 'new_space')?.space_size ?? Infinity;
    if (mayGrow === size < HALVES * BYTES) return;
    mayGrow = !mayGrow;
    letGrow(mayGrow ? 2 : 1);
  };
  new PerformanceObserver(adjust).observe({ entryTypes: ['gc'] });
}
