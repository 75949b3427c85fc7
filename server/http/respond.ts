/**
 * Writes every response, except those in malformed-requests.ts, which belong to no request. A response has the headers that the contract
 * declares for its status, the headers of its exchange, and a body. It is written with the functions of Node, never with Express.
 */
import { hash } from 'node:crypto';
import type { Contract, HeaderObject, Operation } from '../../contract/document.ts';
import { ProblemError, problemBody, unavailable } from '../../contract/problems.ts';
import type { OperationId } from '../../contract/types.ts';
import type { Document } from '../pages/document.ts';
import { maskKeys } from '../store/keys.ts';
import { StoreUnavailable } from '../store/store.ts';
import type { Reply } from './cache.ts';
import type { Observer } from './events.ts';
import { REQUEST_ID } from './exchange.ts';
import type { Exchange } from './exchange.ts';

// The `Retry-After` of a locked store, which may be free again by then.
const BUSY_SECONDS = 1;

const NONE: readonly string[] = [];

export interface Respond {
  /** @returns the 200 of an operation with this body. The same body has the same ETag for every caller. */
  readonly replyOf: (operation: Operation, body: string) => Reply;
  /** Responds with a reply: 200, or 304 if the caller has it already (`If-None-Match`). */
  readonly reply: (exchange: Exchange, reply: Reply) => void;
  /** Responds with a document in the same way. */
  readonly document: (exchange: Exchange, document: Document) => void;
  /** Redirects a browser to another page. */
  readonly redirect: (exchange: Exchange, location: string) => void;
  /** Responds 204 with the methods of every path. */
  readonly options: (exchange: Exchange) => void;
  /** Responds with the contract's error for any thrown value, and emits an event if the server is at fault. */
  readonly error: (exchange: Exchange, thrown: unknown) => void;
  /** @returns the error for a method that `what`, such as `This path`, does not support. */
  readonly methodNotAllowed: (what: string) => ProblemError;
}

/** @param vary the request headers that responses depend on, besides those of the contract. */
export function createRespond(contract: Contract, { failed }: Observer, vary: readonly string[]): Respond {
  const byOperation = new Map<OperationId | undefined, Map<number, readonly string[]>>();
  const headersOf = (status: number, operation?: Operation): readonly string[] => {
    const byStatus = byOperation.get(operation?.id) ?? new Map<number, readonly string[]>();
    byOperation.set(operation?.id, byStatus);
    const cached = byStatus.get(status);
    if (cached !== undefined) return cached;
    const { Vary, ...others } = headersOfStatus(contract, status, operation);
    const names = [...(Vary === undefined ? [] : [Vary]), ...vary];
    const headers = [...Object.entries(others).flat(), ...(names.length > 0 ? ['Vary', names.join(', ')] : [])];
    byStatus.set(status, headers);
    return headers;
  };
  const allow = allowedMethods(contract);

  /** Node sends head and body in one write, its fastest path, if the headers are a flat list of names and values and the body is a string. */
  const write = (
    x: Exchange,
    status: number,
    headers: readonly string[],
    body?: string | Buffer,
    bytes = body === undefined ? 0 : Buffer.byteLength(body),
  ): void => {
    const { res, id, corsHeaders, rateHeaders, sendBody } = x;
    x.bytes = bytes;
    res.writeHead(status, [REQUEST_ID, id].concat(headers, corsHeaders, rateHeaders ?? NONE));
    if (sendBody !== undefined && typeof body === 'string' && x.method !== 'HEAD') sendBody(res, body);
    else res.end(body);
  };
  return {
    replyOf: (operation, body) => {
      const etag = etagOf(body);
      const bytes = Buffer.byteLength(body);
      return { body, bytes, etag, headers: ['ETag', etag].concat(headersOf(200, operation), jsonOf(bytes)) };
    },
    reply: (x, { body, bytes, etag, headers }) => {
      if (isUnchanged(x, etag)) write(x, 304, ['ETag', etag].concat(headersOf(304, x.operation)));
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
      x.error = error;
      const body = problemBody(error, status);
      const bytes = Buffer.byteLength(body);
      const headers = Object.entries(headersOfProblem(contract, error)).flat();
      write(x, status, headersOf(status, x.operation).concat(headers, jsonOf(bytes)), body, bytes);
    },
    methodNotAllowed: (what) => methodNotAllowed(what, allow),
  };
}

/** @returns the error for a method that `what` does not support. @param allow the methods that it supports, such as `GET, HEAD, OPTIONS`. */
export function methodNotAllowed(what: string, allow: string): ProblemError {
  return new ProblemError('method_not_allowed', `${what} supports only ${allow.replace(/, ([^,]*)$/, ' and $1')}.`);
}

/**
 * Only `If-None-Match` decides. `Cache-Control: no-cache` does not forbid a 304. A search is enough, and a long list costs no more than a
 * short one: a tag includes its quotation marks and contains no other, so it occurs in a list only as an entry, strong or weak.
 */
function isUnchanged({ req: { headers } }: Exchange, etag: string): boolean {
  const tags = headers['if-none-match'];
  return tags !== undefined && (tags === '*' || tags.includes(etag));
}

/** @returns the ETag of a body. It depends on the body alone. */
function etagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url')}"`;
}

/** @returns the headers of a JSON body. */
function jsonOf(bytes: number): readonly string[] {
  return ['Content-Type', 'application/json', 'Content-Length', String(bytes)];
}

/**
 * @returns the error of the contract for any thrown value. An unexpected value becomes an `application_error` that does not reveal its
 *   cause: the cause belongs in the log.
 */
function toProblemError(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  if (thrown instanceof StoreUnavailable) return unavailable(BUSY_SECONDS);
  if (blamesRequest(thrown)) return new ProblemError('validation_error', 'The request does not match the contract.');
  return new ProblemError('application_error', 'Internal server error.');
}

/** Whether the router or the validator threw the value because of the request. */
function blamesRequest(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null || !('status' in thrown)) return false;
  return typeof thrown.status === 'number' && thrown.status >= 400 && thrown.status < 500;
}

type Headers = Readonly<Record<string, string>>;

/**
 * @param operation the operation of the response; without one, the result has the headers that all operations with this status share.
 * @returns the headers that every response with this status has, with their values from the contract.
 */
export function headersOfStatus(contract: Contract, status: number, operation?: Operation): Headers {
  if (operation !== undefined) return constantHeaders(contract, operation, status);
  const [first = {}, ...others] = contract.operations
    .filter(({ responses }) => responses.has(status))
    .map((declaring) => constantHeaders(contract, declaring, status));
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((headers) => headers[name] === value)),
  );
}

/** @returns the methods of every path, such as `GET, HEAD, OPTIONS`. */
export function allowedMethods(contract: Contract): string {
  return headersOfStatus(contract, contract.problemStatus.method_not_allowed)['Allow'] ?? '';
}

function constantHeaders({ commonHeaders }: Contract, operation: Operation, status: number): Headers {
  // The contract's example of these headers is the value that the server sends; intermediaries may add to it.
  const examples: ReadonlySet<HeaderObject> = new Set(Object.values(commonHeaders));
  const declared = Object.entries(operation.responses.get(status)?.headers ?? {});
  return Object.fromEntries(
    declared.flatMap(([name, header]) => {
      const [value, ...others] = examples.has(header) ? [header.example] : (header.schema.enum ?? []);
      return value === undefined || others.length > 0 ? [] : [[name, String(value)]];
    }),
  );
}

/** @returns the headers of an error. Their values come from the contract, by the error's name, or from the error itself. */
export function headersOfProblem({ headers }: Contract, { problem, retryAfter }: ProblemError): Headers {
  const challenge = headers.WwwAuthenticate.examples?.[problem]?.value;
  return {
    ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }),
    ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
  };
}
