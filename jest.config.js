/** A project for each engine: SQLite has every test, PostgreSQL those of what reaches the store. */
import process from 'node:process';

const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
  setupFilesAfterEnv: ['<rootDir>/test/support/clean-up.ts'],
  modulePathIgnorePatterns: ['<rootDir>/dist'],
};
const projects = {
  sqlite: {
    testMatch: ['<rootDir>/test/**/*.test.ts'],
    testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/store/postgres/'],
  },
  // Its server is started only where one of these is among the tests of the run.
  postgres: {
    globalSetup: '<rootDir>/test/support/postgres-setup.ts',
    globalTeardown: '<rootDir>/test/support/postgres-teardown.ts',
    testMatch: [
      '<rootDir>/test/cache/differential.test.ts',
      '<rootDir>/test/store/{postgres/,}*.test.ts',
      '<rootDir>/test/http/{accounts,decisions,expiry,pagination,rate-limits}.test.ts',
      '<rootDir>/test/cli/{accounts,check,export,import,keys,opening,remove,upgrade,wait}.test.ts',
      '<rootDir>/test/conform/rollcall.test.ts',
    ],
  },
};

const engines = process.env.ROLLCALL_TEST_ENGINES?.split(',') ?? Object.keys(projects);
const unknown = engines.filter((it) => !Object.hasOwn(projects, it));
if (unknown.length > 0) {
  throw new Error(`ROLLCALL_TEST_ENGINES takes ${Object.keys(projects).join(',')}; not ${unknown.join(',')}.`);
}

export default {
  maxWorkers: 3, // On two cores: many tests wait for processes.
  globalSetup: '<rootDir>/test/support/compile-cache.ts',
  testTimeout: 120_000, // Many start processes one after the other, on machines that may be busy.
  projects: engines.map((ENGINE) => ({ displayName: ENGINE, globals: { ENGINE }, ...common, ...projects[ENGINE] })),
};
