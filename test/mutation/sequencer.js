/** The order of the tests of a mutant: first those whose path is most like that of the mutated file. */
import { relative } from 'node:path';
import process from 'node:process';

const partsOf = (path) => path.replace(/(\.test)?\.ts$/, '').split('/');
const mutated = partsOf(process.env.ROLLCALL_MUTATED.replace(/^server\//, ''));

export default class {
  shard = (tests) => tests;
  allFailedTests = (tests) => tests;
  cacheResults = () => undefined;

  sort(tests) {
    const rank = ({ path, context }) => {
      const parts = partsOf(relative(context.config.rootDir, path).replace(/^test\//, ''));
      return parts.filter((it) => mutated.includes(it)).length;
    };
    return [...tests].sort((a, b) => rank(b) - rank(a) || (a.path < b.path ? -1 : 1));
  }
}
