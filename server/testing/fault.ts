/** What the next requests meet with. In a file of its own, so that published types need none of Express's. */
export type Fault =
  /** The contract's 429, with `retry-after` in seconds. */
  | { readonly status: 429; readonly retryAfter?: number }
  /** The contract's 503, with `retry-after` in seconds. */
  | { readonly status: 503; readonly retryAfter?: number }
  /** The usual answer, so many milliseconds later. */
  | { readonly delayMs: number }
  /** The connection is cut without an answer. */
  | { readonly disconnect: true };
