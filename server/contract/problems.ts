/** The errors of the contract: what is thrown, and the declared body made of it. */
import { json } from './types.ts';
import type { Json, Problem, ProblemName } from './types.ts';

/** Thrown where a request ends in an error of the contract. The message is for the caller to read. */
export class ProblemError extends Error {
  readonly problem: ProblemName;
  /** The headers that the contract has for this error, where their value depends on the case. */
  readonly headers: Readonly<Partial<Record<'Retry-After' | 'WWW-Authenticate', string>>>;

  constructor(problem: ProblemName, message: string, headers: ProblemError['headers'] = {}) {
    super(message);
    this.problem = problem;
    this.headers = headers;
  }
}

/** @returns the error of a key that has asked too often, for so many seconds. */
export function rateLimitExceeded(seconds: number): ProblemError {
  const message = 'Too many requests. Ask again after the seconds in `Retry-After`.';
  return new ProblemError('rate_limit_exceeded', message, { 'Retry-After': String(seconds) });
}

/** @returns the error of a server that cannot answer for so many seconds. */
export function unavailable(seconds: number): ProblemError {
  const message = 'The server cannot answer for now. Ask again after the seconds in `Retry-After`.';
  return new ProblemError('service_unavailable', message, { 'Retry-After': String(seconds) });
}

/** @returns the body of an error; its status comes from the contract (`Contract.problemStatus`). */
export function problemBody(error: ProblemError, statusCode: number): Json<Problem> {
  return json({ statusCode, name: error.problem, message: error.message });
}
