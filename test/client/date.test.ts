/** `toDate` parses the timestamps of the contract itself, independently of the JavaScript engine. */
import { describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.ts';
import { toDate } from '../../client/index.ts';
import { isOnCalendar, toMicroseconds } from '../../contract/timestamp.ts';
import { contract } from '../support/app.ts';

const PATTERN = new RegExp(String(contract.schemas.Timestamp.pattern));

test('every timestamp of the contract is the same instant as on the server, truncated to milliseconds', () => {
  fc.assert(
    fc.property(fc.stringMatching(PATTERN).filter(isOnCalendar), (timestamp) => {
      const microseconds = toMicroseconds(timestamp) ?? 0n;
      const ms = Number((microseconds - (((microseconds % 1000n) + 1000n) % 1000n)) / 1000n);
      expect(toDate(timestamp).getTime()).toBe(ms);
    }),
    // The years and the day that random timestamps seldom have.
    { numRuns: 200, examples: [['0000-03-01 00:00:00+00'], ['2024-02-29 23:59:59.999999+00']] },
  );
});

describe('an invalid timestamp is a RangeError that says so', () => {
  test.each([
    ...['', 'yesterday', '2026-04-16', '2026-04-16T13:49:40Z', '2026-04-16 13:49:40', '2026-04-16 13:49:40.1234567+00'],
    ...['2026-02-29 00:00:00+00', '2026-13-01 00:00:00+00', '2026-04-16 24:00:00+00', '2026-04-16 23:60:00+00'],
    ...['2026-04-16 23:59:60+00', '2026-00-10 00:00:00+00', ' 2026-04-16 13:49:40+00', '2026-04-16 13:49:40+00\n'],
  ])('%j', (text) => {
    expect(() => toDate(text)).toThrow(
      new RangeError(`Not a timestamp of the contract, such as 2026-04-16 13:49:40.678+00: ${JSON.stringify(text)}`),
    );
  });

  test.each([null, undefined, 0])('%p, from JavaScript', (value) => {
    expect(() => toDate(value as unknown as string)).toThrow(RangeError);
  });
});
