/** Headers of requests, and the headers of responses that say when to send the next one. */

/** The User-Agent of the client. A test compares it with package.json, which bundlers need not read. */
export const USER_AGENT = 'rollcall-client/0.1.0';

/** The headers of one call. */
export type CallHeaders = Readonly<Record<string, string>> | Headers;

/** Valid names that `fetch` refuses all the same, because they belong to the connection. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'],
]);

/** @throws TypeError for a header that `fetch` refuses. */
export function checkNames(headers: Readonly<Record<string, string>>): void {
  const refused = Object.keys(headers).find((name) => REFUSED.has(name));
  if (refused !== undefined) throw new TypeError(`The header \`${refused}\` cannot be sent: \`fetch\` refuses it.`);
}

/** @throws TypeError for `Authorization`. */
export function checkCallHeaders(headers: CallHeaders | undefined): void {
  if (headers === undefined) return;
  const names = headers instanceof Headers ? [...headers.keys()] : Object.keys(headers);
  if (names.some((name) => name.toLowerCase() === 'authorization')) {
    throw new TypeError('`headers` must not contain Authorization: the client sends its `apiKey` there.');
  }
}

/** The state of the server's rate limit. */
export interface RateLimit {
  /** The number of requests per window, and how many of them are left. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  /** The rule, such as `10;w=1`: ten requests in one second. */
  readonly policy: string | undefined;
}

/** @returns the rate-limit state of a response; `undefined` if it has none, or none that can be read. */
export function rateLimitOf({ headers }: Pick<Response, 'headers'>): RateLimit | undefined {
  // Other servers add the rule: `100, 100;w=60`.
  const numberOf = (name: string): number =>
    Number(/^(\d+)\s*(?:[,;]|$)/.exec(headers.get(`ratelimit-${name}`) ?? '')?.[1]);
  const [limit, remaining, reset] = [numberOf('limit'), numberOf('remaining'), numberOf('reset')];
  if (Number.isNaN(limit + remaining + reset)) return undefined;
  return { limit, remaining, reset, policy: headers.get('ratelimit-policy') ?? undefined };
}

/** The forms of a date in HTTP. All are in UTC. */
const DATES = [
  /^[A-Z][a-z]{2}, (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
];
const CENTURY = 100;
const YEARS_AHEAD = 50;

/** @returns the seconds of a `Retry-After` header, which is a number or a date; `undefined` without a valid one. */
export function retryAfterSeconds({ headers }: Pick<Response, 'headers'>): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const ms = dateOf(value);
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil((ms - Date.now()) / 1000));
}

/** @returns the milliseconds of a date in HTTP, otherwise NaN. JavaScript reads other texts as dates too, such as `1.5`. */
function dateOf(value: string): number {
  const { day, month, year, time } = DATES.map((it) => it.exec(value)?.groups).find((it) => it !== undefined) ?? {};
  const ms = Date.parse(`${String(day).trim()} ${String(month)} ${fullYear(String(year))} ${String(time)} GMT`);
  return new Date(ms).getUTCDate() === Number(day) ? ms : NaN; // Of February 30, JavaScript makes a day in March.
}

/** @returns the year whose last digits these are: at most 50 years ahead, otherwise past. */
function fullYear(year: string): string {
  if (year.length !== 2) return year;
  const latest = new Date().getUTCFullYear() + YEARS_AHEAD;
  return String(latest - ((latest - Number(year)) % CENTURY));
}
