/** The requests that a server of the kit has met, to assert on. */
import type { OperationId } from '../contract/types.ts';
import { parseQuery } from '../http/parameters.ts';
import type { Fault, Met } from './faults.ts';

export interface SeenRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The parameters, decoded; a repeated one is an array. */
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  /** By lower-case names, without `authorization`. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** `undefined` for a request that is no operation's, such as one to an unknown path. */
  readonly operation: OperationId | undefined;
  /** Of the answer, once its headers are written; `undefined` before, and if there is none. */
  readonly status: number | undefined;
  /** The injected fault that it has met with, if it has. */
  readonly fault: Fault | undefined;
}

/** How many are kept: the latest. */
const MAX_REQUESTS = 1000;

/** Adds a request to those that were seen, as soon as it has come. */
export function see(requests: SeenRequest[], { exchange, operation, fault }: Met): void {
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
  requests.push(seen as SeenRequest); // What Node and the parser leave undefined is not there.
}
