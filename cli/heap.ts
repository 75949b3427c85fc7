/**
 * Bounds the heap of a process. V8 doubles the space for new objects while some of them survive a collection, up to three times 16 MB. Bounded,
 * a million records into PostgreSQL take 135 MB instead of 213 MB (`npm run --prefix lab heavy`), and a server under mixed load 138 MB instead of
 * 238 MB (`npm run --prefix lab soak`), for the same CPU. The only other bound is a flag at the start of the process.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// With a smaller space, a collection that runs while a page of 100 records is built would copy the page.
const NEW_OBJECTS_BYTES = 4 * 1024 * 1024;
const SEMI_SPACES = 2; // V8 counts the one in use, and the one that survivors are copied to.

const growBy = (factor: 1 | 2): void => {
  setFlagsFromString(`--semi-space-growth-factor=${String(factor)}`);
};

/** For a command that streams records or pages, of which little survives: keeps the space for new objects as it is. */
export function keepHeapSmall(): void {
  growBy(1);
}

/** For a server: from now on, decides after each collection whether the next one may double the space for new objects. */
export function boundHeap(): void {
  // By default, the space for old objects grows to up to four times its live size. The live size of a server is small: collecting earlier
  // has no measured cost.
  setFlagsFromString('--heap-growing-percent=20');
  new PerformanceObserver(() => {
    const { space_size: size = Infinity } =
      getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space') ?? {};
    growBy(size < SEMI_SPACES * NEW_OBJECTS_BYTES ? 2 : 1);
  }).observe({ entryTypes: ['gc'] });
}
