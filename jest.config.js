/** A project for each engine: SQLite has every test, PostgreSQL those of what reaches the store. */
import { globSync } from 'node:fs';
import process from 'node:process';

export const common = {
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
      '<rootDir>/test/http/{accounts,expiry,pagination,rate-limits,records}.test.ts',
      '<rootDir>/test/cli/{accounts,check,export,import,keys,opening,remove,upgrade,wait}.test.ts',
      '<rootDir>/test/conform/rollcall.test.ts',
    ],
  },
};

/** @returns the patterns that a pattern with choices, such as `{a,b}`, stands for. */
const choicesOf = (pattern) => {
  const [choices, names] = /\{([^}]*)\}/.exec(pattern) ?? [];
  return names === undefined ? [pattern] : names.split(',').flatMap((it) => choicesOf(pattern.replace(choices, it)));
};
// Jest skips a file that is listed and has another name by now, and says nothing.
const missing = Object.values(projects)
  .flatMap((it) => it.testMatch.flatMap(choicesOf))
  .map((it) => it.replace('<rootDir>/', ''))
  .filter((it) => globSync(it, { cwd: import.meta.dirname }).length === 0);
if (missing.length > 0) throw new Error(`jest.config.js lists files that are not there: ${missing.join(', ')}.`);

const engines = process.env.ROLLCALL_TEST_ENGINES?.split(',') ?? Object.keys(projects);
const unknown = engines.filter((it) => !Object.hasOwn(projects, it));
if (unknown.length > 0) {
  throw new Error(`ROLLCALL_TEST_ENGINES takes ${Object.keys(projects).join(',')}; not ${unknown.join(',')}.`);
}

export default {
  maxWorkers: 3, // On two cores: many tests wait for processes.
  globalSetup: '<rootDir>/test/support/compile-cache.ts',
  testTimeout: 60_000, // Ten times what the slowest takes, for machines that are busy. Files that start processes import test/support/slow.ts.
  projects: engines.map((ENGINE) => ({ displayName: ENGINE, globals: { ENGINE }, ...common, ...projects[ENGINE] })),
};
