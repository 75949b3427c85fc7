/** Headers of requests, and the rate-limit headers of responses. */

/** The User-Agent of the client. A test compares it with package.json, which bundlers need not read. */
export const USER_AGENT = 'rollcall-client/0.1.0';

/** The headers of one call. */
export type CallHeaders = Readonly<Record<string, string>> | Headers;

/** @throws TypeError for names and values that HTTP does not allow, and for `Authorization`. */
export function headersOf(headers: CallHeaders | undefined): Record<string, string> {
  if (headers === undefined) return {};
  let checked: Headers;
  try {
    checked = new Headers(headers);
  } catch {
    // The platform's error would repeat the value, which may be a secret.
    throw new TypeError('`headers` must contain valid HTTP header names and values.');
  }
  if (checked.has('authorization')) {
    throw new TypeError('`headers` must not contain Authorization: the client sends its `apiKey` there.');
  }
  return Object.fromEntries(checked);
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

/** @returns the rate-limit state of a response; `undefined` if the server does not limit. */
export function rateLimitOf({ headers }: Pick<Response, 'headers'>): RateLimit | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((it) => headers.get(`ratelimit-${it}`));
  if (typeof limit !== 'string' || typeof remaining !== 'string' || typeof reset !== 'string') return undefined;
  return {
    limit: Number(limit),
    remaining: Number(remaining),
    reset: Number(reset),
    policy: headers.get('ratelimit-policy') ?? undefined,
  };
}

/** @returns the seconds of a `Retry-After` header, which is a number or a date; `undefined` without one. */
export function retryAfterSeconds({ headers }: Pick<Response, 'headers'>): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const ms = Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000));
}
