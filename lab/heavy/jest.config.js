/** `npm run --prefix lab heavy`: what takes a million records, on each engine. */
import { fileURLToPath } from 'node:url';
import { common } from '../../jest.config.js';

const project = (ENGINE, setup = {}) => ({
  displayName: ENGINE,
  rootDir: fileURLToPath(new URL('../..', import.meta.url)),
  globals: { ENGINE },
  ...common,
  testMatch: ['**/*.heavy.ts'],
  ...setup,
});

export default {
  projects: [
    project('sqlite'),
    project('postgres', {
      globalSetup: '<rootDir>/test/support/postgres-setup.ts',
      globalTeardown: '<rootDir>/test/support/postgres-teardown.ts',
    }),
  ],
};
