/** What an implementation answers to one request, and how a request ends without an answer. */

/** A response as it was received. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; a header that was sent more than once has its values joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** A request as it is put on the wire. */
export interface Sent {
  readonly method: string;
  /** Path and query from the base URL on. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** No answer has come within the bounds of time and size, or none that is HTTP. The message says why, as a clause. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** @returns of a tag, what weak comparison compares (RFC 9110, 8.8.3.2): a proxy that compresses makes the tag of an answer weak. */
export const opaque = (etag = ''): string => etag.replace(/^W\//, '');

/** How much of a body is read. */
export const MAX_BODY_BYTES = 1_000_000;

export const tooLarge = (): NoAnswer => new NoAnswer(`the answer has more than ${String(MAX_BODY_BYTES / 1e6)} MB`);
export const tooSlow = (timeoutMs: number): NoAnswer =>
  new NoAnswer(`no whole answer within ${String(Math.ceil(timeoutMs / 1000))} s`);

/** @returns what a failed connection is told as: Node says it in the error, or in those it is made of. */
export function noAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  return new NoAnswer(first instanceof Error ? first.message : String(first));
}
