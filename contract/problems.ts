/** The errors of the contract: the class to throw, and its response body. */
import { json } from './types.ts';
import type { Json, Problem, ProblemName } from './types.ts';

type About = Partial<Pick<ProblemError, 'retryAfter' | 'parameter'>>;

/** An error of the contract that ends a request. Its message is sent to the caller. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  /** The value of `Retry-After` in seconds, for `rate_limit_exceeded` and `service_unavailable`. */
  readonly retryAfter: number | undefined;
  /** The parameters that it is about, as the contract declares them, for the log; never a name that only the request has. */
  readonly parameter: string | undefined;

  constructor(problem: ProblemName, message: string, { retryAfter, parameter }: About = {}) {
    // Nothing reads the stack, and capturing it costs more than serving a page from the cache.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.problem = problem;
    this.retryAfter = retryAfter;
    this.parameter = parameter;
  }
}

/** @param seconds the time until the rate limit resets. @returns the error for a caller that has used it up. */
export function rateLimitExceeded(seconds: number): ProblemError {
  const message = 'Too many requests. Retry after the number of seconds in `Retry-After`.';
  return new ProblemError('rate_limit_exceeded', message, { retryAfter: seconds });
}

/** @param seconds the time after which the caller should retry. @returns the error for a server that is temporarily unavailable. */
export function unavailable(seconds: number): ProblemError {
  const message = 'The service is temporarily unavailable. Retry after the number of seconds in `Retry-After`.';
  return new ProblemError('service_unavailable', message, { retryAfter: seconds });
}

/** @returns the body of an error; its status comes from the contract (`Contract.problemStatus`). */
export function problemBody(error: ProblemError, statusCode: number): Json<Problem> {
  return json({ statusCode, name: error.problem, message: error.message });
}
