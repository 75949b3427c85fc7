/** `Retry-After` is a number, or a date in one of the three forms of HTTP. Otherwise it counts as absent. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { retryAfterSeconds } from '../../client/retry-after.ts';

afterEach(() => {
  jest.useRealTimers();
});

test.each([
  ['0', 0],
  ['7', 7],
  ['007', 7],
  ['86400', 86_400],
  ['Thu, 16 Apr 2026 12:00:07 GMT', 7],
  ['Thursday, 16-Apr-26 12:00:07 GMT', 7],
  ['Thu Apr 16 12:00:07 2026', 7],
  ['Fri May  1 12:00:00 2026', 15 * 86_400],
  ['Thu, 16 Apr 2026 11:59:59 GMT', 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['+1', undefined],
  ['"1"', undefined],
  ['1e1', undefined],
  ['0x1', undefined],
  ['5 (throttled)', undefined],
  ['1, 2', undefined], // Two header lines.
  ['soon', undefined],
  ['2026', 2026],
  ['2026-04-16', undefined],
  ['2026-04-16T12:00:07Z', undefined],
  ['Thu, 16 Apr 2026 12:00:07', undefined],
  ['Thu, 16 Apr 2026 12:00:07 CET', undefined],
  ['Thu, 16 Apr 2026 12:00:07 +0200', undefined],
  ['Mon, 30 Feb 2026 12:00:07 GMT', undefined],
  ['Thu, 16 Foo 2026 12:00:07 GMT', undefined],
  ['Thu, 16 Apr 2026 12:00:07 GMT, Thu, 16 Apr 2026 12:00:08 GMT', undefined],
])('%j is %p seconds', (value, seconds) => {
  jest.useFakeTimers({ now: Date.UTC(2026, 3, 16, 12, 0, 0) });
  expect(retryAfterSeconds({ headers: new Map([['retry-after', value]]) })).toBe(seconds);
});

test('no header is no seconds', () => {
  for (const headers of [new Map<string, string>(), new Headers()])
    expect(retryAfterSeconds({ headers })).toBeUndefined();
});
