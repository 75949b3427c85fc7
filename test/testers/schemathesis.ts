/** Schemathesis: generated requests, valid and invalid ones, and every check it has of responses. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { must, run } from './tester.ts';
import type { Ran, Tester } from './tester.ts';

const VERSION = '4.32.5';
/** Phases, and how many examples of each operation they try. Those of stateful are several requests, and far slower to make up. */
const PHASES = [
  ['examples,coverage,fuzzing', 500],
  ['stateful', 50],
] as const;
const QUICK = [['coverage', 100]] as const;

export const schemathesis: Tester = {
  prepare: async (folder) => {
    await must(['python3', '-m', 'venv', 'venv'], { cwd: folder });
    await must(['venv/bin/pip', 'install', '--quiet', `schemathesis==${VERSION}`], { cwd: folder });
  },
  test: async ({ folder, contract, url, apiKey, quick }) => {
    const runs: Ran[] = [];
    for (const [phases, examples] of quick ? QUICK : PHASES) {
      const ran = await run(
        [
          join(folder, 'venv/bin/schemathesis'),
          ...['run', contract, '--url', url, '--header', `Authorization: Bearer ${apiKey}`, '--checks', 'all'],
          ...['--phases', phases, '--max-examples', String(examples), '--generation-database', 'none', '--no-color'],
        ],
        // A folder without settings, so that nothing hides anything.
        {
          cwd: await mkdtemp(join(folder, 'run-')),
          env: { SCHEMATHESIS_HOOKS: 'hooks', PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: '1' },
        },
      );
      runs.push(ran);
    }
    return { ok: runs.every(({ ok }) => ok), output: runs.map(({ output }) => output).join('\n') };
  },
  finds: {
    'has_more is a string': /Response violates schema/,
    'no 422 is declared': /Undocumented status code/,
    'request ids are shorter': /Response header does not conform to the schema/,
    'limits go to 1000': /Schema-valid request rejected/,
    'limits end at 50': /Schema-violating request accepted/,
  },
};
