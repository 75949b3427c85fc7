/** Reads `Retry-After` of any server, for the client, `audit` and the console. */

/** The forms of a date in HTTP. All are in UTC. */
const DATES = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];
const CENTURY = 100;
const YEARS_AHEAD = 50;

interface Answer {
  readonly headers: { readonly get: (name: string) => string | null | undefined };
}

/** @returns the seconds of a `Retry-After` header, which is a number or a date; `undefined` without a valid one. */
export function retryAfterSeconds({ headers }: Answer): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const ms = dateOf(value);
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil((ms - Date.now()) / 1000));
}

/** @returns the milliseconds of a date in HTTP, otherwise NaN. JavaScript reads other texts as dates too, such as `1.5`. */
function dateOf(value: string): number {
  const { day, month, year, time } =
    DATES.map((pattern) => pattern.exec(value)?.groups).find((groups) => groups !== undefined) ?? {};
  const ms = Date.parse(`${String(day).trim()} ${String(month)} ${fullYear(String(year))} ${String(time)} GMT`);
  return new Date(ms).getUTCDate() === Number(day) ? ms : NaN; // Of February 30, JavaScript makes a day in March.
}

/** @returns the year whose last digits these are: at most 50 years ahead, otherwise past. */
function fullYear(year: string): string {
  if (year.length !== 2) return year;
  const latest = new Date().getUTCFullYear() + YEARS_AHEAD;
  return String(latest - ((latest - Number(year)) % CENTURY));
}
