/** Portman: a Postman collection made of the contract and its examples, run by Newman. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { must, run } from './tester.ts';
import type { Tester } from './tester.ts';

const VERSION = '1.33.0';

export const portman: Tester = {
  prepare: async (folder) => {
    // It does not say that it needs tslib.
    const packages = [`@apideck/portman@${VERSION}`, 'tslib@2.8.1'];
    await must(['npm', 'install', '--prefix', folder, '--ignore-scripts', '--no-audit', ...packages], { cwd: folder });
  },
  test: async ({ folder, contract, url, apiKey }) =>
    run(
      [
        join(folder, 'node_modules/.bin/portman'),
        ...['--local', contract, '--baseUrl', url, '--runNewman'],
        ...['--portmanConfigFile', join(import.meta.dirname, 'portman.json')],
      ],
      { cwd: await mkdtemp(join(folder, 'run-')), env: { PORTMAN_BEARER_TOKEN: apiKey } },
    ),
  finds: { 'has_more is a string': /has_more should be string/ },
};
