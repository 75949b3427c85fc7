/** Timestamps of the API as instants. */
import { expect, test } from '@jest/globals';
import { instantOf } from '../../server/pages/assets/console/contract.ts';

test.each([
  ['2026-04-16 13:49:40+00', '2026-04-16T13:49:40.000Z'],
  ['2026-04-16 13:49:40.678912+00', '2026-04-16T13:49:40.678Z'],
  ['2026-04-16 13:49:40.6+02', '2026-04-16T11:49:40.600Z'],
  ['2026-04-16 13:49:40-03:30', '2026-04-16T17:19:40.000Z'],
  ['2026-04-16T13:49:40Z', '2026-04-16T13:49:40.000Z'],
])('%s', (text, iso) => {
  expect(instantOf(text)?.toISOString()).toBe(iso);
});

test.each<[unknown]>([
  ['yesterday'],
  ['2026-04-16'],
  ['2026-13-16 13:49:40+00'],
  [' 2026-04-16 13:49:40+00'],
  [''],
  [null],
  [1],
])('%j is no timestamp', (value) => {
  expect(instantOf(value)).toBeUndefined();
});
