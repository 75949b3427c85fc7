/** The errors of the contract: what is thrown, and the declared body made of it. */
import { json } from './types.ts';
import type { Json, Problem, ProblemName } from './types.ts';

/** Thrown where a request ends in an error of the contract. The message is for the caller to read. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  /** After how many seconds to ask again; the contract has it for `rate_limit_exceeded` and `service_unavailable`. */
  readonly retryAfter: number | undefined;

  constructor(problem: ProblemName, message: string, retryAfter?: number) {
    // Nobody reads its stack, and to take one costs more than a page from the cache.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** @returns the error of a key that has asked too often, for so many seconds. */
export function rateLimitExceeded(seconds: number): ProblemError {
  const message = 'Too many requests. Ask again after the seconds in `Retry-After`.';
  return new ProblemError('rate_limit_exceeded', message, seconds);
}

/** @returns the error of a server that cannot answer for so many seconds. */
export function unavailable(seconds: number): ProblemError {
  const message = 'The server cannot answer for now. Ask again after the seconds in `Retry-After`.';
  return new ProblemError('service_unavailable', message, seconds);
}

/** @returns the body of an error; its status comes from the contract (`Contract.problemStatus`). */
export function problemBody(error: ProblemError, statusCode: number): Json<Problem> {
  return json({ statusCode, name: error.problem, message: error.message });
}
