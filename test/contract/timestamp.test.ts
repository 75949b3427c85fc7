import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.ts';
import { fromMicroseconds, isOnCalendar, toMicroseconds } from '../../contract/timestamp.ts';

test.each([
  ['1970-01-01 00:00:00+00', 0n],
  ['1970-01-01 00:00:00.000001+00', 1n],
  ['1970-01-01 00:00:00.1+00', 100_000n],
  ['1970-01-01 01:00:00+01', 0n],
  ['1969-12-31 20:30:00-03:30', 0n],
  ['1969-12-31 23:59:59.999999+00', -1n],
  ['2026-04-16 13:49:40.678+00', 1_776_347_380_678_000n],
  ['2026-04-16 13:49:40.678000+00:00', 1_776_347_380_678_000n],
  ['2024-02-29 00:00:00+00', 1_709_164_800_000_000n],
  ['2300-01-01 00:00:00.000001+00', 10_413_792_000_000_001n],
  ['0001-01-01 00:00:00+00', -62_135_596_800_000_000n],
  ['9999-12-31 23:59:59.999999-19:59', 253_402_372_739_999_999n],
])('%s', (text, us) => {
  expect(toMicroseconds(text)).toBe(us);
  expect(isOnCalendar(text)).toBe(true);
});

test.each(['2025-02-29 00:00:00+00', '2026-02-30 00:00:00+00', '2026-04-31 12:00:00.5+02'])(
  '%j is on no calendar',
  (text) => {
    expect(toMicroseconds(text)).toBeUndefined();
    expect(isOnCalendar(text)).toBe(false);
  },
);

test.each(['nonsense', ''])('%j is no instant', (text) => {
  expect(toMicroseconds(text)).toBeUndefined();
});

test('the instant of a timestamp is a timestamp of the same instant', () => {
  expect(fromMicroseconds(-1n)).toBe('1969-12-31 23:59:59.999999+00');
  expect(fromMicroseconds(1_776_347_380_678_000n)).toBe('2026-04-16 13:49:40.678000+00');
  fc.assert(
    fc.property(fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }), (us) => {
      expect(toMicroseconds(fromMicroseconds(us))).toBe(us);
    }),
  );
});
