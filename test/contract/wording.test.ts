/** Counts in sentences: the noun is singular after 1. */
import { expect, test } from '@jest/globals';
import { noun } from '../../contract/collections.ts';
import { be, counted } from '../../contract/wording.ts';

test.each([
  [0, 'live keys', '0 live keys'],
  [1, 'live keys', '1 live key'],
  [2, 'live keys', '2 live keys'],
  [1, 'bytes', '1 byte'],
  [1200, 'contact properties', '1,200 contact properties'],
])('%d %s', (number, things, text) => {
  expect(counted(number, things)).toBe(text);
});

test.each([
  ['automations', '1 automation'],
  ['contactProperties', '1 contact property'],
  ['contactImports', '1 contact import'],
] as const)('of %s', (collection, text) => {
  expect(counted(1, noun(collection))).toBe(text);
});

test('with its verb', () => {
  expect([0, 1, 2].map(be)).toEqual(['are', 'is', 'are']);
});
