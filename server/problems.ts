/** The errors of the contract: what is thrown, and the declared body made of it. */
import { json } from './contract.ts';
import type { Json, Problem, ProblemName } from './contract.ts';
import { StoreUnavailable } from './store/store.ts';

/** Thrown where a request ends in an error of the contract. The message is for the caller to read. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  /** After how many seconds to ask again; the contract has it for `rate_limit_exceeded` and `service_unavailable`. */
  readonly retryAfter: number | undefined;

  constructor(problem: ProblemName, message: string, retryAfter?: number) {
    super(message);
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

// A store that is locked is free again in no time.
const BUSY_SECONDS = 1;

/** @returns the error of a server that cannot answer for so many seconds. */
export function unavailable(seconds: number): ProblemError {
  const message = 'The server cannot answer for now. Ask again after the seconds in `Retry-After`.';
  return new ProblemError('service_unavailable', message, seconds);
}

/**
 * Any thrown value as an error of the contract. What is not foreseen becomes an `application_error` that says nothing
 * of its cause: that belongs in the log.
 */
export function toProblemError(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof StoreUnavailable) return unavailable(BUSY_SECONDS);
  return new ProblemError('application_error', 'The server failed to answer. The fault is ours.');
}

/** @returns the body of an error; its status comes from the contract (`Spec.problemStatus`). */
export function problemBody(error: ProblemError, statusCode: number): Json<Problem> {
  return json({ statusCode, name: error.problem, message: error.message });
}
