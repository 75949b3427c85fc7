/** Before and after the tests of every file. */
import { afterAll, afterEach, expect } from '@jest/globals';
import { cleanUp } from './after-test.ts';

/** Folders of which every file starts processes, or servers of PostgreSQL. Other such files import `slow.ts` themselves. */
const SLOW = /\/test\/(browser|cache|cli|disk|extension|heavy|processes|store)\//;
if (SLOW.test(expect.getState().testPath ?? '')) await import('./slow.ts');

afterEach(() => cleanUp('test'));
afterAll(() => cleanUp('file'));
