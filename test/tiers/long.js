/** `npm run test:long`: tests on SQLite that start processes, read whole lists, or take more than a second. */
import { tier } from '../../jest.config.js';

export default tier('sqlite', ['**/*.long.ts'], {
  testPathIgnorePatterns: ['/node_modules/', '/test/processes/postgres/'],
});
