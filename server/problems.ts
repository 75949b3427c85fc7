/** The errors of the contract: what is thrown, and the declared body made of it. */
import { json } from './contract.ts';
import type { Json, Problem, ProblemName } from './contract.ts';
import { StoreUnavailable } from './store/store.ts';

/** Thrown where a request ends in an error of the contract. The message is for the caller to read. */
export class ProblemError extends Error {
  readonly problem: ProblemName;

  constructor(problem: ProblemName, message: string) {
    super(message);
    this.problem = problem;
  }
}

/**
 * Any thrown value as an error of the contract. What is not foreseen becomes an `application_error` that says nothing
 * of its cause: that belongs in the log.
 */
export function toProblemError(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof StoreUnavailable) {
    return new ProblemError(
      'service_unavailable',
      'The server cannot answer for now. Ask again after the seconds in `Retry-After`.',
    );
  }
  return new ProblemError('application_error', 'The server failed to answer. The fault is ours.');
}

/** @returns the body of an error; its status comes from the contract (`Spec.problemStatus`). */
export function problemBody(error: ProblemError, statusCode: number): Json<Problem> {
  return json({ statusCode, name: error.problem, message: error.message });
}
