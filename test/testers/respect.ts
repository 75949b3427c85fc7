/** `redocly respect`: a workflow of a caller, step by step, every response tested against the contract. */
import { copyFile, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './tester.ts';
import type { Tester } from './tester.ts';

const REDOCLY = fileURLToPath(new URL('../../node_modules/.bin/redocly', import.meta.url));
const WORKFLOW = 'workflow.arazzo.yaml';

export const respect: Tester = {
  prepare: () => Promise.resolve(), // A dependency of the project.
  test: async ({ folder, contract, url, apiKey }) => {
    const cwd = await mkdtemp(join(folder, 'run-'));
    await copyFile(join(import.meta.dirname, WORKFLOW), join(cwd, WORKFLOW));
    await copyFile(contract, join(cwd, 'openapi.yaml'));
    return run([REDOCLY, 'respect', WORKFLOW, '--input', `key=${apiKey}`, '--server', `rollcall=${url}`], {
      cwd,
      env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
  },
  finds: {
    'has_more is a string': /schema check[^]*type must be string/i,
    'no 404 is declared': /✗ status code check/,
  },
};
