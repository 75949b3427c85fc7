/** The order of the tests of a mutant: first those whose path is most like that of the mutated file, and of these the ones without processes. */
import { readFileSync } from 'node:fs';
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
      const startsProcesses = /support\/(own-folder|own-database|cli)\.ts/.test(readFileSync(path, 'utf8'));
      return parts.filter((it) => mutated.includes(it)).length - (startsProcesses ? 0.5 : 0);
    };
    return tests
      .map((test) => ({ test, rank: rank(test) }))
      .sort((a, b) => b.rank - a.rank || (a.test.path < b.test.path ? -1 : 1))
      .map(({ test }) => test);
  }
}
