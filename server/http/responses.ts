/** Writes answers: bodies with the headers the contract declares for their status. */
import { hash } from 'node:crypto';
import type { ErrorRequestHandler, Response } from 'express';
import type { Contract, Operation } from '../contract/document.ts';
import { ProblemError, problemBody, unavailable } from '../contract/problems.ts';
import { StoreUnavailable } from '../store/store.ts';
import { REQUEST_ID, headersOfProblem, headersOfStatus } from './headers.ts';
import type { Headers } from './headers.ts';

// How long a store that is locked takes to be free again.
const BUSY_SECONDS = 1;

/** Told of every error that is the server's own, with the id of its request. */
export type Report = (error: unknown, requestId: string) => void;

export interface Responses {
  /** The methods of the path, as the contract's `Allow` has them. */
  readonly allow: string;
  /** Answers with a JSON body; a 200 that the caller has already (`If-None-Match`) becomes a 304. */
  readonly send: (res: Response, status: number, body: string) => void;
  /** Answers whatever was thrown with an error of the contract, and reports what is the server's own. */
  readonly answerError: ErrorRequestHandler;
}

/**
 * @param operation whose answers they are; `undefined` for what is no operation's, such as an unknown path.
 * @returns what writes them, with the headers that the contract fixes.
 */
export function createResponses(contract: Contract, report: Report, operation?: Operation): Responses {
  const fixed = new Map<number, Headers>();
  const headersOf = (status: number): Headers => {
    const headers = fixed.get(status) ?? headersOfStatus(contract, status, operation);
    fixed.set(status, headers);
    return headers;
  };
  return {
    allow: headersOf(contract.problemStatus.method_not_allowed)['Allow'] ?? '',
    send: (res, status, body) => {
      // Express compares it with If-None-Match.
      if (status === 200) res.setHeader('ETag', etag(body));
      sendJson(res, status, headersOf(status), body);
    },
    answerError: (thrown: unknown, _req, res, next) => {
      const error = toProblemError(thrown);
      const status = contract.problemStatus[error.problem];
      if (status >= 500) report(thrown, String(res.getHeader(REQUEST_ID)));
      if (res.headersSent)
        next(thrown); // Too late for an answer.
      else
        sendJson(
          res,
          status,
          { ...headersOf(status), ...headersOfProblem(contract, error) },
          problemBody(error, status),
        );
    },
  };
}

function sendJson(res: Response, status: number, headers: Headers, body: string): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  // Bytes, and by Node's own method: Express would add a charset, and JSON has none.
  res.setHeader('Content-Type', 'application/json');
  res.status(status).send(Buffer.from(body));
}

/** @returns the entity tag of a body: the same text has the same tag, whoever asks. */
export function etag(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/**
 * Any thrown value as an error of the contract. What is not foreseen becomes an `application_error` that says nothing
 * of its cause: that belongs in the log.
 */
function toProblemError(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof StoreUnavailable) return unavailable(BUSY_SECONDS);
  if (blamesRequest(thrown)) return new ProblemError('validation_error', 'The request is not as documented.');
  return new ProblemError('application_error', 'The server failed to answer. The fault is ours.');
}

/** Whether the router or the validator has thrown it because of the request. */
function blamesRequest(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null || !('status' in thrown)) return false;
  return typeof thrown.status === 'number' && thrown.status >= 400 && thrown.status < 500;
}
