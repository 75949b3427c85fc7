/** `--expires WHEN` of a new key. */
import { InvalidArgumentError } from 'commander';

const MS_PER_DAY = 86_400_000;
const ALLOWED =
  'It must be days from now, 1d to 9999d, or a date to come such as 2030-12-31 or 2030-12-31T12:00:00Z, in UTC.';

/**
 * @returns the instant, as ISO 8601 in UTC with milliseconds.
 * @throws InvalidArgumentError, which the parser reports as wrong usage.
 */
export function expiry(value: string): string {
  const instant = new Date(
    /^[1-9]\d{0,3}d$/.test(value) ? Date.now() + Number.parseInt(value) * MS_PER_DAY : date(value),
  );
  if (!(instant.getTime() > Date.now())) throw new InvalidArgumentError(ALLOWED);
  return instant.toISOString();
}

/** @returns milliseconds since 1970; NaN of what is no date. */
function date(value: string): number {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/.test(value)) return Number.NaN;
  const time = Date.parse(value);
  // An impossible day would be taken for one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value.replace('Z', '')) ? time : Number.NaN;
}
