/** The tests of the pages, once for each browser: `--selectProjects firefox` runs them in that one alone. */
import { fileURLToPath } from 'node:url';
import { common } from '../../jest.config.js';

const rootDir = fileURLToPath(new URL('../..', import.meta.url));

export default {
  maxWorkers: 3,
  testTimeout: 60_000,
  rootDir,
  globalSetup: '<rootDir>/test/support/compile-cache.ts',
  projects: ['chromium', 'firefox'].map((BROWSER) => ({
    displayName: BROWSER,
    globals: { BROWSER },
    rootDir,
    ...common,
    testMatch: ['<rootDir>/test/browser/*.browser.ts'],
  })),
};
