/** The errors of the contract: the class that is thrown, and the response body made of it. */
import { json } from './types.ts';
import type { Json, Problem, ProblemName } from './types.ts';

/** An error of the contract that ends a request. The caller reads its message. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  /** The seconds of `Retry-After`, which `rate_limit_exceeded` and `service_unavailable` have. */
  readonly retryAfter: number | undefined;

  constructor(problem: ProblemName, message: string, retryAfter?: number) {
    // Nothing reads the stack, and capturing it costs more than serving a page from the cache.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** @returns the error of a key that has used up its rate limit, which is reset after so many seconds. */
export function rateLimitExceeded(seconds: number): ProblemError {
  const message = 'Too many requests. Ask again after the seconds in `Retry-After`.';
  return new ProblemError('rate_limit_exceeded', message, seconds);
}

/** @returns the error of a server that cannot respond for so many seconds. */
export function unavailable(seconds: number): ProblemError {
  const message = 'The server cannot answer for now. Ask again after the seconds in `Retry-After`.';
  return new ProblemError('service_unavailable', message, seconds);
}

/** @returns the body of an error; its status comes from the contract (`Contract.problemStatus`). */
export function problemBody(error: ProblemError, statusCode: number): Json<Problem> {
  return json({ statusCode, name: error.problem, message: error.message });
}
