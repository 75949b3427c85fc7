/** Converts timestamps of the contract to microseconds since 1970, and back. */

const PARTS = /^(\d{4}-\d{2}-(\d{2})) (\d{2}:\d{2}:\d{2})(?:\.(\d{1,6}))?([+-])(\d{2})(?::(\d{2}))?$/;
const MS_PER_MINUTE = 60_000;

/**
 * @param text a timestamp that matches the contract's `Timestamp`, such as `2026-04-16 13:49:40.678+00`.
 * @returns microseconds since 1970 in UTC; `undefined` if the calendar has no such day, such as 30 February.
 */
export function toMicroseconds(text: string): bigint | undefined {
  const parts = PARTS.exec(text);
  if (parts === null) return undefined;
  const [, date = '', day, time = '', fraction = '', sign, hours, minutes = '0'] = parts;
  const local = new Date(`${date}T${time}Z`);
  // Date parses 30 February as 2 March, and 24:00:00 as the next day.
  if (local.getUTCDate() !== Number(day)) return undefined;

  const offset = (Number(hours) * 60 + Number(minutes)) * MS_PER_MINUTE;
  const ms = sign === '-' ? local.getTime() + offset : local.getTime() - offset;
  return BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0'));
}

const DAYS_OF_EVERY_MONTH = 28;

/**
 * @param text a timestamp, as for `toMicroseconds`.
 * @returns whether its day exists in the calendar. It costs a tenth of `toMicroseconds`.
 */
export function isOnCalendar(text: string): boolean {
  const day = Number(text.slice(8, 10));
  return day <= DAYS_OF_EVERY_MONTH || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
}

/**
 * @param us microseconds since 1970.
 * @returns the timestamp in UTC, such as `2026-04-16 13:49:40.678000+00`.
 */
export function fromMicroseconds(us: bigint): string {
  const fraction = ((us % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((us - fraction) / 1000n)).toISOString().slice(0, 19).replace('T', ' ');
  return `${seconds}.${String(fraction).padStart(6, '0')}+00`;
}
