/** The code that the mutants of `npm run test:e2e -- cache` replace is there, once. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { MUTANTS } from './mutants.ts';

test.each(Object.entries(MUTANTS))('%s', (_name, [file, part]) => {
  const source = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
  expect(source.split(part)).toHaveLength(2);
});
