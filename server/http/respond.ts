/**
 * Writes responses, and nobody else does (but client-errors.ts, where there is no request): the headers that the contract declares
 * for the status, those of the exchange, then the body, on nothing but Node.
 */
import { hash } from 'node:crypto';
import fresh from 'fresh';
import type { Contract, Operation } from '../contract/document.ts';
import { ProblemError, problemBody, unavailable } from '../contract/problems.ts';
import type { OperationId } from '../contract/types.ts';
import type { Document } from '../pages/document.ts';
import { maskKeys } from '../store/keys.ts';
import { StoreUnavailable } from '../store/store.ts';
import type { Reply } from './cache.ts';
import type { Exchange } from './exchange.ts';
import { headersOfProblem, headersOfStatus } from './headers.ts';
import type { Observer } from './notices.ts';
import { REQUEST_ID } from './request-id.ts';

// How long a store that is locked takes to be free again.
const BUSY_SECONDS = 1;

export interface Respond {
  /** @returns the 200 of an operation with this body. The same text has the same tag, whoever asks. */
  readonly replyOf: (operation: Operation, body: string) => Reply;
  /** Responds with the reply of the exchange: 200, or 304 if the caller has it already (`If-None-Match`). */
  readonly reply: (exchange: Exchange, reply: Reply) => void;
  /** Responds with a text of the server's own, in the same way. */
  readonly document: (exchange: Exchange, document: Document) => void;
  /** Leads a browser to another page. */
  readonly redirect: (exchange: Exchange, location: string) => void;
  /** Responds 204 with the methods of every path. */
  readonly options: (exchange: Exchange) => void;
  /** Responds with the contract's error for whatever was thrown; what is the server's own fault is an event. */
  readonly error: (exchange: Exchange, thrown: unknown) => void;
  /** The error of a method that `what` does not answer to. */
  readonly methodNotAllowed: (what: string) => ProblemError;
}

/** @param vary the request headers that responses depend on, beside those of the contract. */
export function createRespond(contract: Contract, { failed }: Observer, vary: readonly string[]): Respond {
  const byOperation = new Map<OperationId | undefined, Map<number, readonly string[]>>();
  const headersOf = (status: number, operation?: Operation): readonly string[] => {
    const ofOperation = byOperation.get(operation?.id) ?? new Map<number, readonly string[]>();
    byOperation.set(operation?.id, ofOperation);
    const known = ofOperation.get(status);
    if (known !== undefined) return known;
    const { Vary, ...others } = headersOfStatus(contract, status, operation);
    const names = [...(Vary === undefined ? [] : [Vary]), ...vary];
    const headers = [...Object.entries(others).flat(), ...(names.length > 0 ? ['Vary', names.join(', ')] : [])];
    ofOperation.set(status, headers);
    return headers;
  };
  const allow = headersOfStatus(contract, contract.problemStatus.method_not_allowed)['Allow'] ?? '';

  /** One flat list of names and values, and a body that is text, so that head and body are one write: Node's fastest way. */
  const write = (
    x: Exchange,
    status: number,
    headers: readonly string[],
    body?: string | Buffer,
    bytes = body === undefined ? 0 : Buffer.byteLength(body),
  ): void => {
    const { res, id, corsHeaders, rateHeaders, sendBody } = x;
    x.bytes = bytes;
    const all = [REQUEST_ID, id, ...headers];
    if (corsHeaders.length > 0) all.push(...corsHeaders);
    if (rateHeaders !== undefined) all.push(...rateHeaders);
    res.writeHead(status, all);
    if (sendBody !== undefined && typeof body === 'string' && x.method !== 'HEAD') sendBody(res, body);
    else res.end(body);
  };
  return {
    replyOf: (operation, body) => {
      const etag = etagOf(body);
      const bytes = Buffer.byteLength(body);
      const tag = ['ETag', etag];
      const headers = [...tag, ...headersOf(200, operation), ...jsonOf(bytes)];
      return { body, bytes, etag, headers, unchangedHeaders: [...tag, ...headersOf(304, operation)] };
    },
    reply: (x, { body, bytes, etag, headers, unchangedHeaders }) => {
      if (isUnchanged(x, etag)) write(x, 304, unchangedHeaders);
      else write(x, 200, headers, body, bytes);
    },
    document: (x, document) => {
      const headers = ['ETag', document.etag, 'Vary', [...document.vary, ...vary].join(', '), ...document.headers];
      if (isUnchanged(x, document.etag)) write(x, 304, headers);
      else write(x, 200, [...headers, ...document.bodyHeaders], document.body);
    },
    redirect: (x, location) => {
      write(x, 302, ['Location', location, 'Vary', ['Accept', ...vary].join(', '), 'Content-Length', '0']);
    },
    options: (x) => {
      write(x, 204, ['Allow', allow, ...(vary.length > 0 ? ['Vary', vary.join(', ')] : [])]);
    },
    error: (x, thrown) => {
      const error = toProblemError(thrown);
      const status = contract.problemStatus[error.problem];
      if (status >= 500 && error !== thrown) failed?.({ error: thrown, id: maskKeys(x.id) });
      if (x.res.headersSent) {
        x.res.destroy(); // Too late for a response.
        return;
      }
      const body = problemBody(error, status);
      const headers = Object.entries(headersOfProblem(contract, error)).flat();
      write(x, status, [...headersOf(status, x.operation), ...headers, ...jsonOf(Buffer.byteLength(body))], body);
    },
    methodNotAllowed: (what) => methodNotAllowed(what, allow),
  };
}

/** @returns the error of a method that `what` does not answer to, unlike those of `allow`, such as `GET, HEAD, OPTIONS`. */
export function methodNotAllowed(what: string, allow: string): ProblemError {
  return new ProblemError('method_not_allowed', `${what} answers only to ${allow.replace(/, ([^,]*)$/, ' and $1')}.`);
}

/** Asked of `If-None-Match` alone: `Cache-Control: no-cache` is no wish not to be told 304, though Express takes it so. */
function isUnchanged({ req: { headers } }: Exchange, etag: string): boolean {
  const given = headers['if-none-match'];
  return given !== undefined && (given === etag || fresh({ 'if-none-match': given }, { etag }));
}

/** @returns the tag of a body: the same text has the same, whoever asks. */
function etagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** @returns the headers of a JSON body. */
function jsonOf(bytes: number): readonly string[] {
  return ['Content-Type', 'application/json', 'Content-Length', String(bytes)];
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
