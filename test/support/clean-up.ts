/** After each test of every file. */
import { afterEach } from '@jest/globals';
import { cleanUp } from './after-test.ts';

afterEach(cleanUp);
