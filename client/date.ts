/** Converts the contract's timestamps to dates. They are not RFC 3339, so JavaScript engines differ in how `Date` parses them. */

const PARTS = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?([+-])(\d{2})(?::(\d{2}))?$/;

/**
 * @param timestamp of the contract, such as `2026-04-16 13:49:40.678912+00`.
 * @returns the instant, truncated to milliseconds, the precision of Date.
 * @throws RangeError if the text is not a timestamp of the contract, or the date does not exist.
 */
export function toDate(timestamp: string): Date {
  const parts = PARTS.exec(timestamp);
  const [year = NaN, month = NaN, day = NaN, ...time] = parts?.slice(1, 7).map(Number) ?? [];
  const [hours = NaN, minutes = NaN, seconds = NaN] = time;
  const [fraction = '', sign, offsetHours, offsetMinutes = '0'] = parts?.slice(7) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Unlike Date.UTC, this does not change years before 100.
  if (date.getUTCDate() !== day || date.getUTCMonth() !== month - 1 || hours > 23 || minutes > 59 || seconds > 59) {
    throw new RangeError(
      `Not a timestamp of the contract, such as 2026-04-16 13:49:40.678+00: ${JSON.stringify(timestamp)}`,
    );
  }
  const offset = Number(offsetHours) * 60 + Number(offsetMinutes);
  date.setUTCHours(
    hours,
    sign === '-' ? minutes + offset : minutes - offset,
    seconds,
    Number(fraction.slice(0, 3).padEnd(3, '0')),
  );
  return date;
}
