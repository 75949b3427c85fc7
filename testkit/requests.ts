/** The requests that the test server has received, for assertions. */
import type { OperationId } from '../contract/types.ts';
import type { Exchange } from '../server/http/exchange.ts';
import { parseQuery } from '../server/http/express.ts';
import type { Fault, ValidatedFault } from './faults.ts';
import { inspected } from './inspected.ts';

export interface SeenRequest {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** The query parameters, decoded. A repeated parameter is an array. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** The headers by lower-case name, without `authorization`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The operation of the contract; `undefined` for other requests, such as one to an unknown path. */
  readonly operation: OperationId | undefined;
  /** The status of the response; `undefined` until its headers are written. */
  readonly status: number | undefined;
  /** The fault that was injected into the response, if any. */
  readonly fault: Fault | undefined;
  /** The numbers of the cues of the account that fired at it. */
  readonly cues: readonly number[];
}

/** The cues and the fault of a request, which are known after it is recorded. */
export interface Course {
  readonly cues: readonly number[];
  fault: ValidatedFault | undefined;
}

/** The maximum number of requests in a log, and in the logs of all accounts together. */
const MAX_REQUESTS = 1000;
const MAX_IN_ALL = 50_000;

/** Records requests as soon as they arrive. */
export interface Recorder {
  /** The latest requests with any key. */
  readonly requests: SeenRequest[];
  /** @param log the log of the request's account; `undefined` if its key belongs to no account. */
  readonly record: (
    exchange: Exchange,
    operation: OperationId | undefined,
    course: Course,
    log: SeenRequest[] | undefined,
  ) => void;
}

export function createRecorder(): Recorder {
  const requests: SeenRequest[] = [];
  const inAccounts = new Map<SeenRequest, SeenRequest[]>(); // In the order of their arrival.

  const append = (log: SeenRequest[], request: SeenRequest): void => {
    if (log.length === MAX_REQUESTS) log.shift();
    log.push(request);
  };
  return {
    requests,
    record: (exchange, operation, course, log) => {
      const request = seen(exchange, operation, course);
      append(requests, request);
      if (log === undefined) return;
      append(log, request);
      inAccounts.set(request, log);
      const [oldest] = inAccounts;
      if (inAccounts.size <= MAX_IN_ALL || oldest === undefined) return;
      const [first, of] = oldest;
      inAccounts.delete(first);
      if (of[0] === first) of.shift(); // The limit of its log, or a reset, may have removed it.
    },
  };
}

function seen(
  { req, res, method, target, path }: Exchange,
  operation: OperationId | undefined,
  course: Course,
): SeenRequest {
  const { authorization: _key, ...headers } = req.headers;
  const request = inspected({
    method,
    path,
    query: { ...parseQuery(target.slice(path.length + 1)) },
    headers: { ...headers },
    operation,
    get status() {
      return res.headersSent ? res.statusCode : undefined;
    },
    get fault() {
      return course.fault?.fault;
    },
    cues: course.cues,
  });
  return request as SeenRequest; // Headers and parameters have no entries that are undefined.
}
