/** Values of `Retry-After`, and the seconds that they say at `NOW`: a number, or a date in one of the three forms of HTTP. */

export const NOW = Date.UTC(2026, 3, 16, 12, 0, 0);

/** `undefined`: the header counts as absent. */
export const RETRY_AFTER: readonly (readonly [value: string, seconds: number | undefined])[] = [
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
];
