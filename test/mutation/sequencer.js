/**
 * The tests of a mutant, without those that are left out, and their order: first those whose path is most like that of the mutated file,
 * and of these the ones without processes. Jest's own option to leave out tests replaces what the projects of `jest.config.js` leave out.
 */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';

const partsOf = (path) => path.replace(/(\.test)?\.ts$/, '').split('/');
const leftOut = JSON.parse(process.env.ROLLCALL_LEFT_OUT);
const mutated = partsOf(process.env.ROLLCALL_MUTATED.replace(/^server\//, ''));

export default class {
  shard = (tests) => tests;
  allFailedTests = (tests) => tests;
  cacheResults = () => undefined;

  sort(tests) {
    const nameOf = ({ path, context }) => relative(context.config.rootDir, path);
    const rank = (test) => {
      const parts = partsOf(nameOf(test).replace(/^test\//, ''));
      const startsProcesses = /support\/(own-folder|own-database|cli)\.ts/.test(readFileSync(test.path, 'utf8'));
      return parts.filter((it) => mutated.includes(it)).length - (startsProcesses ? 0.5 : 0);
    };
    return tests
      .filter((test) => !leftOut.includes(nameOf(test)))
      .map((test) => ({ test, rank: rank(test) }))
      .sort((a, b) => b.rank - a.rank || (a.test.path < b.test.path ? -1 : 1))
      .map(({ test }) => test);
  }
}
