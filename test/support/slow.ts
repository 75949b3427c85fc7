/**
 * For files whose tests start processes, one after the other, on machines that may be busy. Every other test has the
 * `testTimeout` of jest.config.js, so that one that hangs is seen soon.
 */
import { jest } from '@jest/globals';

const SLOW_MS = 120_000;

jest.setTimeout(SLOW_MS);
