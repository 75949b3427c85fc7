/** The timestamps of the API, which are not RFC 3339: for reading, in the time zone of who reads. */

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,3})?\d*(?:([+-]\d\d)(:\d\d)?|Z)$/;

/** @param {unknown} value @returns {Date | undefined} the instant, to the millisecond; undefined if it is not a timestamp. */
export function instantOf(value) {
  const [, date, time, fraction = '', hours = '+00', minutes = ':00'] = TIMESTAMP.exec(String(value)) ?? [];
  if (date === undefined) return undefined;
  const instant = new Date(`${date}T${String(time)}${fraction}${hours}${minutes}`);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

const toMinute = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const toSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** @param {Date} instant @returns {string} such as `Apr 16, 2026, 3:49 PM`. */
export const brief = (instant) => toMinute.format(instant);

/** @param {Date} instant @returns {string} such as `Apr 16, 2026, 3:49:40 PM`. */
export const readable = (instant) => toSecond.format(instant);

/** The time zone that both write in. */
export const { timeZone } = toSecond.resolvedOptions();
