/** `npm run test:e2e -- cache` plants faults into the code: what it looks for must stand there. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { PLANTS } from './mutants.ts';

test.each(Object.entries(PLANTS))('%s', (_name, [file, part]) => {
  const source = readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8');
  expect(source.split(part)).toHaveLength(2);
});
