/** The events that the server emits, as one closed type. The log and the metrics only interpret them. */
import type { OperationId, ProblemName } from '../../contract/types.ts';
import { maskKeys } from '../store/keys.ts';
import type { ReplicaEvent } from '../store/database.ts';
import type { Records, AuthenticatedCaller, Store } from '../store/store.ts';
import type { Exchange } from './exchange.ts';

/** A request has ended: with a response, or because its caller left. */
export interface RequestCompleted {
  /** The id in the response, with anything that looks like a key masked; `undefined` if there was no response. */
  readonly id: string | undefined;
  readonly method: string;
  /** The path of the request's target without the query, in printable ASCII, with anything that looks like a key masked. */
  readonly path: string;
  /** `undefined` for paths that belong to no operation, such as the reference and unknown paths. */
  readonly operation: OperationId | undefined;
  /** The name of the account that the request's key belongs to; `undefined` if the request was not authenticated. */
  readonly account: string | undefined;
  /** The id of that key. */
  readonly keyId: string | undefined;
  /** The address of the connection, if the request failed because its key was missing or not valid. */
  readonly address: string | undefined;
  /** `undefined` if the caller left before there was a response. */
  readonly status: number | undefined;
  /** The name of the error that the response has. */
  readonly problem: ProblemName | undefined;
  /** The declared parameters that the error is about. */
  readonly parameter: string | undefined;
  /** The time from the request's headers to the end of its response, in milliseconds. */
  readonly ms: number;
  /** The size of the response's body. */
  readonly bytes: number;
  /** Whether the response came from the cache. */
  readonly isCached: boolean;
  /** Whether the whole response was handed to the operating system; `false` if the caller closed the connection before. */
  readonly isComplete: boolean;
}

/** The store was read for a request whose response was not cached. */
export interface StoreRead {
  readonly work: 'authenticate' | 'list' | 'get';
  /** The time until the read returned or failed. */
  readonly ms: number;
}

/** A message was rejected before it became a request. */
export interface RequestRejected {
  readonly reason: 'malformed' | 'method' | 'timeout' | 'too_long' | 'connections';
  /** The id and the status of the response; `undefined` if the connection was closed without one. */
  readonly id: string | undefined;
  readonly status: number | undefined;
}

/** The server failed. */
export interface Failure {
  readonly error: unknown;
  /** The id of the request that failed; `undefined` if the failure belongs to no request. */
  readonly id: string | undefined;
}

/** The server has changed its state. */
export interface Lifecycle {
  readonly state: 'listening' | 'stopping' | 'stopped';
  readonly url: string;
}

export interface Events {
  readonly completed: RequestCompleted;
  readonly read: StoreRead;
  readonly rejected: RequestRejected;
  readonly failed: Failure;
  readonly replica: ReplicaEvent;
  readonly lifecycle: Lifecycle;
}

/** A function for each event that is observed. An event without a function costs nothing. The functions must not throw. */
export type Observer = { readonly [Kind in keyof Events]?: (event: Events[Kind]) => void };

/** @returns an observer that passes each event to all observers in their order. */
export function joinObservers(observers: readonly Observer[]): Observer {
  const join = <T>(functions: readonly (((event: T) => void) | undefined)[]): ((event: T) => void) | undefined => {
    const [first, ...others] = functions.filter((listener) => listener !== undefined);
    if (first === undefined || others.length === 0) return first;
    return (event) => {
      for (const emit of [first, ...others]) emit(event);
    };
  };
  const all = {
    completed: join(observers.map(({ completed }) => completed)),
    read: join(observers.map(({ read }) => read)),
    rejected: join(observers.map(({ rejected }) => rejected)),
    failed: join(observers.map(({ failed }) => failed)),
    replica: join(observers.map(({ replica }) => replica)),
    lifecycle: join(observers.map(({ lifecycle }) => lifecycle)),
  };
  // Drops the events that no observer has a function for: a property is a function or absent.
  return Object.fromEntries(Object.entries(all).filter(([, listener]) => listener !== undefined));
}

const MAX_PATH = 300;

/** Emits the event when the exchange has ended. Must be called when the exchange begins. */
export function emitCompleted(x: Exchange, completed: NonNullable<Observer['completed']>): void {
  const started = performance.now();
  const { res } = x;
  res.once('close', () => {
    completed({
      id: res.headersSent ? maskKeys(x.id) : undefined,
      method: x.method,
      path: maskedPath(x.url),
      operation: x.operation?.id,
      account: x.access?.caller.accountName,
      keyId: x.access?.caller.keyId,
      address: isUnauthenticated(x) ? x.req.socket.remoteAddress : undefined,
      status: res.headersSent ? res.statusCode : undefined,
      problem: x.error?.problem,
      parameter: x.error?.parameter,
      ms: performance.now() - started,
      bytes: x.method === 'HEAD' ? 0 : x.bytes,
      isCached: x.isCached,
      isComplete: res.writableFinished,
    });
  });
}

// A 429 without an account is the limit of failed authentications.
const UNAUTHENTICATED: readonly ProblemName[] = ['missing_api_key', 'invalid_api_key', 'rate_limit_exceeded'];

const isUnauthenticated = ({ access, error }: Exchange): boolean =>
  access === undefined && error !== undefined && UNAUTHENTICATED.includes(error.problem);

// Node accepts printable ASCII only. A query may contain a misplaced key, and the userinfo of an absolute target may contain a password.
function maskedPath(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  const masked = maskKeys(end < 0 ? local : local.slice(0, end));
  return masked.length > MAX_PATH ? `${masked.slice(0, MAX_PATH)}...` : masked;
}

/** @returns a store that emits an event at the end of each read, including those that fail. */
export function timeStore(store: Store, emit: NonNullable<Observer['read']>): Store {
  const timed = async <Result>(work: StoreRead['work'], read: () => Result | Promise<Result>): Promise<Result> => {
    const started = performance.now();
    try {
      return await read();
    } finally {
      emit({ work, ms: performance.now() - started });
    }
  };
  const timedRecords = (records: Records): Records => ({
    list: (account, collection, query) => timed('list', () => records.list(account, collection, query)),
    get: (account, collection, id) => timed('get', () => records.get(account, collection, id)),
  });
  const timedCaller = (caller: AuthenticatedCaller): AuthenticatedCaller => {
    const { confirm } = caller;
    return {
      ...caller,
      records: timedRecords(caller.records),
      confirm: confirm && (() => timed('authenticate', confirm)),
    };
  };
  return {
    ...store,
    ...timedRecords(store),
    authenticate: async (keyHash) => {
      const started = performance.now();
      let caller: AuthenticatedCaller | undefined;
      try {
        caller = await store.authenticate(keyHash);
      } finally {
        // A caller that is still to be confirmed was found without a read.
        if (caller?.confirm === undefined) emit({ work: 'authenticate', ms: performance.now() - started });
      }
      return caller && timedCaller(caller);
    },
  };
}
