/** The configuration of `npm test`: the tests that need only Node and npm, on SQLite. The configurations of the other tiers extend it. */
export const common = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
  setupFilesAfterEnv: ['<rootDir>/test/support/clean-up.ts'],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest', // Of this checkout. The default is one folder for all.
};

/** @returns the configuration of a run of its own, of the files that the patterns match, on one engine of storage. */
export const tier = (ENGINE, testMatch, options = {}) => ({
  rootDir: import.meta.dirname,
  // Ten times as long as a worker without anything open takes to end: it gives back half a gigabyte, on machines that may be busy.
  workerGracefulExitTimeout: 10_000,
  maxWorkers: 3, // On two cores: many tests wait for processes.
  globalSetup: '<rootDir>/test/support/compile-cache.ts',
  testTimeout: 600_000, // For what hangs. At a load of 50 on two cores, the slowest takes half of it.
  globals: { ENGINE },
  ...common,
  testMatch,
  ...options,
});

export default tier('sqlite', ['**/*.test.ts'], {
  testPathIgnorePatterns: ['/node_modules/', '/test/store/postgres/'],
});
