/** `npm run test:long`: tests on SQLite that start many processes, or take more than some seconds. */
import { tier } from '../../jest.config.js';

export default tier('sqlite', ['**/*.long.ts'], {
  testPathIgnorePatterns: ['/node_modules/', '/test/processes/postgres/'],
});
