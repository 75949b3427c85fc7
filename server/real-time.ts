/**
 * The timers and the clock of Node, held when this file is first imported. Fake timers of a test suite replace the global ones,
 * and must stop neither the server of the test kit nor its faults.
 */
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';

// Constants: an import by name would follow `syncBuiltinESMExports`, with which some test tools publish their replacements.
export const { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } = timers;

/** @returns milliseconds of a clock that is never set back. */
export const now: () => number = performance.now.bind(performance);
