/** The requests that a server of the kit has met, to assert on. */
import type { OperationId } from '../contract/types.ts';
import { parseQuery } from '../http/parameters.ts';
import type { Fault } from './fault.ts';
import type { Met } from './faults.ts';
import { targetOf } from './operation-of.ts';

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
export function see(requests: SeenRequest[], { req, res, operation, fault }: Met): void {
  const { path, query } = targetOf(req);
  const { authorization: _key, ...headers } = req.headers;
  const seen = {
    method: req.method ?? '',
    path,
    query: { ...parseQuery(query) },
    headers: { ...headers },
    operation,
    status: undefined as number | undefined,
    fault,
  };
  const writeHead = res.writeHead.bind(res) as (...of: unknown[]) => typeof res; // Of its forms, whichever is used.
  res.writeHead = (status: number, ...rest: unknown[]) => {
    seen.status = status;
    return writeHead(status, ...rest);
  };
  if (requests.length === MAX_REQUESTS) requests.shift();
  requests.push(seen as SeenRequest); // What Node and the parser leave undefined is not there.
}
