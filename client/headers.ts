/** Headers of requests, and the headers of responses that state the rate limit. */

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
