/** `npm run --prefix lab postgres`: TLS, and two servers on a primary and a standby, under load, while both fail. */
import { tier } from '../../jest.config.js';

export default tier('postgres', ['**/*.postgres.ts'], {
  globalSetup: '<rootDir>/test/support/postgres-setup.ts',
  globalTeardown: '<rootDir>/test/support/postgres-teardown.ts',
});
