/** Writes answers: bodies with the headers the contract declares for their status. */
import { hash } from 'node:crypto';
import type { Response } from 'express';
import { problemBody } from './problems.ts';
import type { ProblemError } from './problems.ts';
import type { Spec } from './spec.ts';

/** Answers 200 with a body, or 304 if the caller has it already. */
export function sendBody(res: Response, spec: Spec, status: number, body: string): void {
  // Of the body alone: the same data has the same tag whatever key asks. Express compares it with If-None-Match.
  if (status === 200) res.set('ETag', `"${hash('sha1', body, 'base64url')}"`);
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
