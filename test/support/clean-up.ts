/** After the tests of every file. */
import { afterAll, afterEach } from '@jest/globals';
import { cleanUp } from './after-test.ts';

afterEach(() => cleanUp('test'));
afterAll(() => cleanUp('file'));
