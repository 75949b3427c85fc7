/** Schemathesis: requests made up from the contract, valid and invalid ones, and every check it has of the answers. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { must, run } from './tester.ts';
import type { Tester } from './tester.ts';

const VERSION = '4.32.5';
const EXAMPLES = 500;

export const schemathesis: Tester = {
  prepare: async (folder) => {
    await must(['python3', '-m', 'venv', 'venv'], { cwd: folder });
    await must(['venv/bin/pip', 'install', '--quiet', `schemathesis==${VERSION}`], { cwd: folder });
  },
  test: async ({ folder, contract, url, apiKey, quick }) => {
    const extent = quick
      ? ['--phases', 'coverage']
      : ['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', String(EXAMPLES)];
    return run(
      [
        join(folder, 'venv/bin/schemathesis'),
        ...['run', contract, '--url', url, '--header', `Authorization: Bearer ${apiKey}`],
        ...['--checks', 'all', ...extent, '--generation-database', 'none', '--no-color'],
      ],
      // A folder without settings, so that nothing hides anything.
      {
        cwd: await mkdtemp(join(folder, 'run-')),
        env: { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' },
      },
    );
  },
  finds: {
    'has_more is a string': /Response violates schema/,
    'no 422 is declared': /Undocumented status code/,
    'request ids are shorter': /Response header does not conform to the schema/,
    'limits go to 1000': /Schema-valid request rejected/,
    'limits end at 50': /Schema-violating request accepted/,
  },
};
