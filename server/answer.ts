/** Writes answers: bodies with the headers the contract declares for their status. */
import { hash } from 'node:crypto';
import type { Response } from 'express';
import { problemBody } from './problems.ts';
import type { ProblemError } from './problems.ts';
import type { Spec } from './spec.ts';

/** @returns the entity tag of a body: the same text has the same tag, whoever asks. */
export function tagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** Answers 200 with a body, or 304 if the caller has it already. */
export function sendBody(res: Response, spec: Spec, status: number, body: string): void {
  // Express compares it with If-None-Match.
  if (status === 200) res.set('ETag', tagOf(body));
  res
    .status(status)
    .set(spec.fixedHeaders.get(status) ?? {})
    .type('json')
    .send(body);
}

/** Answers with an error of the contract. */
export function sendProblem(res: Response, spec: Spec, error: ProblemError): void {
  if (error.retryAfter !== undefined) res.set('Retry-After', String(error.retryAfter));
  const status = spec.problemStatus[error.problem];
  sendBody(res, spec, status, problemBody(error, status));
}
