/** How printed records are compared with those that were served. */
import { describe, expect, test } from '@jest/globals';
import { differenceOfValues, instantOf } from '../../../testkit/examine/values.ts';
import { toMicroseconds } from '../../../contract/timestamp.ts';

const SERVED = {
  id: 'a',
  created_at: '2026-02-28 23:59:59.25-09:30',
  completed_at: null,
  counts: { total: Number.MAX_SAFE_INTEGER, failed: 0 },
};

test.each<[string, unknown]>([
  ['the same', SERVED],
  ['in another order, with more properties', { extra: 1, ...SERVED, counts: { x: [], ...SERVED.counts } }],
  ['the same instant', { ...SERVED, created_at: '2026-03-01T09:29:59.250000Z' }],
])('equal: %s', (_, printed) => {
  expect(differenceOfValues(SERVED, JSON.parse(JSON.stringify(printed)))).toBeUndefined();
});

test('a printed value that nests 200,000 levels deep is another one', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
  expect(differenceOfValues(SERVED, { ...SERVED, id: deep })).toBe('id is a value that nests too deep, not "a"');
});

test.each<[string, unknown]>([
  ['counts.total is 9007199254740992, not 9007199254740991', { ...SERVED, counts: { total: 2 ** 53, failed: 0 } }],
  ['counts.failed is missing', { ...SERVED, counts: { total: Number.MAX_SAFE_INTEGER } }],
  ['counts is null, not {"total":9007199254740991,"failed":0}', { ...SERVED, counts: null }],
  ['completed_at is "", not null', { ...SERVED, completed_at: '' }],
  [
    'created_at is "2026-02-28 23:59:59.25+00", not "2026-02-28 23:59:59.25-09:30"',
    { ...SERVED, created_at: '2026-02-28 23:59:59.25+00' },
  ],
  [
    'the record is [], not {"id":"a","created_at":"2026-02-28 23:59:59.25-09:30","completed_at":null,"counts":{"total":90071992',
    [],
  ],
])('different: %s', (difference, printed) => {
  expect(differenceOfValues(SERVED, printed)).toBe(difference);
});

describe('timestamps', () => {
  const us = toMicroseconds('2026-02-28 23:59:00+00');

  test.each([
    '2026-02-28T23:59:00Z',
    '2026-02-28T23:59Z',
    '2026-02-28 23:59:00.000+00',
    '2026-02-28T23:59:00.000000000+0000',
    '2026-03-01T00:59:00+01:00',
    '2026-02-28T13:59:00-10',
    '2026-02-28t23:59:00z'.replace('t', 'T'),
  ])('%s is the same instant', (text) => {
    expect(instantOf(text)).toBe(us);
  });

  test.each([
    '2026-02-28T23:59:00',
    '2026-02-28',
    '1772323140',
    '2026-02-30T00:00:00Z',
    '2026-02-28T23:59:00.0000001Z',
    '',
  ])('%s is none', (text) => {
    expect(instantOf(text)).toBeUndefined();
  });
});
