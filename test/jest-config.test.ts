/** jest.config.js names the files that also run on PostgreSQL. Jest does not start if one of them is not there. */
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { folder } from './support/own-folder.ts';
import { ROOT } from './support/project.ts';

const config = readFileSync(join(ROOT, 'jest.config.js'), 'utf8');

test.each([
  ['as it is', config, ''],
  ['with a file by another name', config.replace('/http/{', '/http/{no-such,'), 'test/http/no-such.test.ts'],
  ['with a folder by another name', config.replace('{postgres/,}', '{postgre/,}'), 'test/store/postgre/*.test.ts'],
  ['with a file of its own', config.replace('conform/rollcall', 'conform/rolcall'), 'test/conform/rolcall.test.ts'],
])('%s', (_name, text, missing) => {
  symlinkSync(join(ROOT, 'test'), folder.path('test'));
  const file = folder.path('jest.config.mjs');
  writeFileSync(file, text);
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  expect(status).toBe(missing === '' ? 0 : 1);
  if (missing !== '') expect(stderr).toContain(`jest.config.js lists files that are not there: ${missing}.`);
});
