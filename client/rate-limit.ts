/** What a server says of its rate limit. */
export interface RateLimit {
  /** Requests in the window, and how many of them are left. */
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  /** The rule, such as `10;w=1`: ten requests in one second. */
  readonly policy: string | undefined;
}

/** @returns the rate-limit state that came with a response; `undefined` from a server that does not limit. */
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
