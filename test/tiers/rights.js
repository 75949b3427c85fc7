/** Of `npm run test:rights`: the suites of files, and of who may read and write them. */
import { tier } from '../../jest.config.js';

export default tier(
  'sqlite',
  [
    'test/store/sqlite/*.test.ts',
    'test/cli/sqlite/*.{test,long}.ts',
    'test/cli/{backup,compile-cache,opening,output-paths,paths}.{test,long}.ts',
    'test/processes/{faults,rights}.long.ts',
  ].map((pattern) => `**/${pattern}`),
);
