/** The requests that the test server has received, for assertions. */
import type { OperationId } from '../contract/types.ts';
import { parseQuery } from '../http/validation.ts';
import type { Fault, InterceptedRequest } from './faults.ts';

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
}

/** Only the latest requests are recorded. */
const MAX_REQUESTS = 1000;

/** Records a request as soon as it arrives. */
export function recordRequest(requests: SeenRequest[], { exchange, operation, fault }: InterceptedRequest): void {
  const { req, res, method, target, path } = exchange;
  const { authorization: _key, ...headers } = req.headers;
  const seen = {
    method,
    path,
    query: { ...parseQuery(target.slice(path.length + 1)) },
    headers: { ...headers },
    operation,
    get status() {
      return res.headersSent ? res.statusCode : undefined;
    },
    fault,
  };
  if (requests.length === MAX_REQUESTS) requests.shift();
  requests.push(seen as SeenRequest); // Headers and parameters have no entries that are undefined.
}
