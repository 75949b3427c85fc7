/** The contract's timestamps as dates. `Date` alone reads them differently on each engine: they are not RFC 3339. */

const PARTS = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?([+-])(\d{2})(?::(\d{2}))?$/;

/**
 * @param timestamp such as `2026-04-16 13:49:40.678912+00`.
 * @returns its instant. A Date holds milliseconds: what is finer is cut off.
 * @throws RangeError for what is not a timestamp of the contract, and for a day that is not in the calendar.
 */
export function toDate(timestamp: string): Date {
  const parts = PARTS.exec(timestamp);
  const [year = NaN, month = NaN, day = NaN, ...time] = parts?.slice(1, 7).map(Number) ?? [];
  const [hours = NaN, minutes = NaN, seconds = NaN] = time;
  const [fraction = '', sign, offsetHours, offsetMinutes = '0'] = parts?.slice(7) ?? [];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Unlike Date.UTC, it leaves the years before 100 as they are.
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
