/** Writes answers: the headers the contract declares for their status, then the body, on nothing but Node. */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import fresh from 'fresh';
import type { Contract, Operation } from '../contract/document.ts';
import { ProblemError, problemBody, unavailable } from '../contract/problems.ts';
import { maskKeys } from '../store/keys.ts';
import { StoreUnavailable } from '../store/store.ts';
import { headersOfProblem, headersOfStatus } from './headers.ts';
import type { Observer } from './notices.ts';
import { REQUEST_ID } from './request-id.ts';
import type { RequestIds } from './request-id.ts';
import { watchOf } from './watch.ts';

// How long a store that is locked takes to be free again.
const BUSY_SECONDS = 1;

/** A 200 as it is written: its body, and all of its headers but the id of the request. */
export interface Found {
  readonly body: string;
  /** By which a caller knows it again. */
  readonly etag: string;
  readonly headers: readonly string[];
}

export interface Responses {
  /** The methods of the path, as the contract's `Allow` has them. */
  readonly allow: string;
  /** @returns a 200 of a body. The same text has the same tag, whoever asks. */
  readonly found: (body: string) => Found;
  /** Answers with the reply of a handler. */
  readonly sendReply: (req: IncomingMessage, res: ServerResponse, status: number, body: string) => void;
  /** Answers 200; or 304, if the caller has it already (`If-None-Match`). */
  readonly sendFound: (req: IncomingMessage, res: ServerResponse, found: Found) => void;
  /** Answers 204 with the methods of the path. */
  readonly sendOptions: (req: IncomingMessage, res: ServerResponse) => void;
  /** @returns what answers with one and the same error: made once, because that is what a server under load does most. */
  readonly refusalOf: (error: ProblemError) => (req: IncomingMessage, res: ServerResponse) => void;
  /** Answers whatever was thrown with an error of the contract; what is the server's own is noticed. */
  readonly sendError: (req: IncomingMessage, res: ServerResponse, thrown: unknown) => void;
  /** `sendError` as a handler of Express. */
  readonly answerError: ErrorRequestHandler;
}

/**
 * @param vary what answers depend on, beside what the contract says.
 * @param operation whose answers they are; `undefined` for what is no operation's, such as an unknown path.
 * @returns what writes them, with the headers that the contract fixes.
 */
export function createResponses(
  contract: Contract,
  requestIds: RequestIds,
  observer: Observer,
  vary: readonly string[],
  operation?: Operation,
): Responses {
  const byStatus = new Map<number, readonly string[]>();
  const headersOf = (status: number): readonly string[] => {
    const headers =
      byStatus.get(status) ??
      Object.entries(headersOfStatus(contract, status, operation)).flatMap(([name, value]) => [
        name,
        name === 'Vary' ? [value, ...vary].join(', ') : value,
      ]);
    byStatus.set(status, headers);
    return headers;
  };
  const [ofFound, ofUnchanged] = [headersOf(200), headersOf(304)];
  const allow = headersOfStatus(contract, contract.problemStatus.method_not_allowed, operation)['Allow'] ?? '';

  /** The id of an answer that is written next. */
  const idOf = (req: IncomingMessage, res: ServerResponse, body = ''): string => {
    const watch = watchOf(res);
    const id = watch?.id ?? requestIds.of(req);
    if (watch !== undefined) {
      watch.id = id;
      watch.operation = operation?.id;
      watch.bytes = Buffer.byteLength(body);
    }
    return id;
  };
  const sendError: Responses['sendError'] = (req, res, thrown) => {
    const error = toProblemError(thrown);
    const status = contract.problemStatus[error.problem];
    const body = problemBody(error, status);
    const id = idOf(req, res, body);
    if (status >= 500 && error !== thrown) observer.failed?.({ error: thrown, id: maskKeys(id) });
    if (res.headersSent) {
      res.destroy(); // Too late for an answer.
      return;
    }
    write(res, status, id, headersWith(error, status, body), body);
  };
  const headersWith = (error: ProblemError, status: number, body: string): readonly string[] => [
    ...headersOf(status),
    ...Object.entries(headersOfProblem(contract, error)).flat(),
    ...contentOf(body),
  ];
  const found: Responses['found'] = (body) => {
    const etag = etagOf(body);
    return { body, etag, headers: ['ETag', etag, ...ofFound, ...contentOf(body)] };
  };
  const sendFound: Responses['sendFound'] = (req, res, { body, etag, headers }) => {
    if (isUnchanged(req, etag)) {
      res.writeHead(304, [REQUEST_ID, idOf(req, res), 'ETag', etag, ...ofUnchanged]).end();
    } else {
      write(res, 200, idOf(req, res, body), headers, body);
    }
  };
  return {
    allow,
    found,
    sendReply: (req, res, status, body) => {
      if (status === 200) sendFound(req, res, found(body));
      else write(res, status, idOf(req, res, body), [...headersOf(status), ...contentOf(body)], body);
    },
    sendFound,
    sendOptions: (req, res) => {
      res.writeHead(204, [REQUEST_ID, idOf(req, res), 'Allow', allow]).end();
    },
    refusalOf: (error) => {
      const status = contract.problemStatus[error.problem];
      const body = problemBody(error, status);
      const headers = headersWith(error, status, body);
      return (req, res) => {
        write(res, status, idOf(req, res, body), headers, body);
      };
    },
    sendError,
    answerError: (thrown: unknown, req, res, _next) => {
      sendError(req, res, thrown);
    },
  };
}

/** Asked of `If-None-Match` alone: `Cache-Control: no-cache` is no wish not to be told 304, though Express takes it so. */
function isUnchanged({ headers }: IncomingMessage, etag: string): boolean {
  const given = headers['if-none-match'];
  return given !== undefined && (given === etag || fresh({ 'if-none-match': given }, { etag }));
}

/** @returns the tag of a body: the same text has the same, whoever asks. */
export function etagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** @returns the headers that a body has. */
function contentOf(body: string): readonly string[] {
  return ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))];
}

/** One flat list of names and values, and a body that is text, so that head and body are one write: Node's fastest way. */
function write(res: ServerResponse, status: number, id: string, headers: readonly string[], body: string): void {
  res.writeHead(status, [REQUEST_ID, id, ...headers]).end(body);
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
