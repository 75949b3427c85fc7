/** Everything that the server notices, as one closed type. A log and metrics only interpret it. */
import type { OperationId } from '../contract/types.ts';
import { maskKeys } from '../store/keys.ts';
import type { ReplicaNotice } from '../store/database.ts';
import type { Caller, Records, Store } from '../store/store.ts';
import type { Exchange } from './exchange.ts';

/** A request is over: answered, or given up by its caller. */
export interface RequestCompleted {
  /** As the answer has it, unless it looks like a key; `undefined` if there was none. */
  readonly id: string | undefined;
  readonly method: string;
  /** The path of its target, in printable ASCII, without the query and without what looks like a key. */
  readonly path: string;
  /** `undefined` for what is no operation's, such as the reference and unknown paths. */
  readonly operation: OperationId | undefined;
  /** The name of the account that its key opens, as far as it has come to that. */
  readonly account: string | undefined;
  /** The id of that key. */
  readonly keyId: string | undefined;
  /** `undefined` if its caller left before there was an answer. */
  readonly status: number | undefined;
  /** From its headers to the end of its answer, in milliseconds. */
  readonly ms: number;
  /** Of the body. */
  readonly bytes: number;
  /** Whether the answer was a remembered one. */
  readonly isRemembered: boolean;
  /** Whether the whole answer was handed to the system, rather than cut off by the caller. */
  readonly isComplete: boolean;
}

/** The store was asked for something, to answer a request that no remembered answer was for. */
export interface StoreRead {
  readonly work: 'authenticate' | 'list' | 'get';
  /** Until it had answered, or failed. */
  readonly ms: number;
}

/** A message was refused before it was a request. */
export interface RequestRejected {
  readonly reason: 'malformed' | 'method' | 'timeout' | 'too_long' | 'connections';
  /** The id and the status of the answer; `undefined` if the connection was closed without one. */
  readonly id: string | undefined;
  readonly status: number | undefined;
}

/** The server could not do its work. */
export interface Failure {
  readonly error: unknown;
  /** Of the request that failed; `undefined` if it was none. */
  readonly id: string | undefined;
}

/** The server itself has come to another state. */
export interface Lifecycle {
  readonly state: 'listening' | 'stopping' | 'stopped';
  readonly url: string;
}

export interface Events {
  readonly answered: RequestCompleted;
  /** A live key was shown. Told while the request is answered, perhaps twice. */
  readonly used: Caller;
  readonly read: StoreRead;
  readonly refused: RequestRejected;
  readonly failed: Failure;
  readonly replica: ReplicaNotice;
  readonly lifecycle: Lifecycle;
}

/** Told of what it has a function for. What nobody is told of costs nothing. The functions must not throw. */
export type Observer = { readonly [Kind in keyof Events]?: (notice: Events[Kind]) => void };

/** @returns an observer that tells several, in their order. */
export function joinObservers(observers: readonly Observer[]): Observer {
  const join = <T>(functions: readonly (((notice: T) => void) | undefined)[]): ((notice: T) => void) | undefined => {
    const [first, ...others] = functions.filter((it) => it !== undefined);
    if (first === undefined || others.length === 0) return first;
    return (notice) => {
      for (const tell of [first, ...others]) tell(notice);
    };
  };
  const all = {
    answered: join(observers.map((it) => it.answered)),
    used: join(observers.map((it) => it.used)),
    read: join(observers.map((it) => it.read)),
    refused: join(observers.map((it) => it.refused)),
    failed: join(observers.map((it) => it.failed)),
    replica: join(observers.map((it) => it.replica)),
    lifecycle: join(observers.map((it) => it.lifecycle)),
  };
  // Without those of nobody: an observer has a function, or has not.
  return Object.fromEntries(Object.entries(all).filter(([, it]) => it !== undefined));
}

const MAX_PATH = 300;

/** Tells of an exchange that has just begun, once it is over. */
export function emitCompleted(x: Exchange, answered: NonNullable<Observer['answered']>): void {
  const started = performance.now();
  const { res } = x;
  res.once('close', () => {
    answered({
      id: res.headersSent ? maskKeys(x.id) : undefined,
      method: x.method,
      path: shownPath(x.url),
      operation: x.operation?.id,
      account: x.access?.caller.accountName,
      keyId: x.access?.caller.keyId,
      status: res.headersSent ? res.statusCode : undefined,
      ms: performance.now() - started,
      bytes: x.method === 'HEAD' ? 0 : x.bytes,
      isRemembered: x.isCached,
      isComplete: res.writableFinished,
    });
  });
}

// Node takes printable ASCII alone. A query may hold a key that went astray, and userinfo of an absolute target a password.
function shownPath(target: string): string {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const end = local.search(/[?#]/);
  const masked = maskKeys(end < 0 ? local : local.slice(0, end));
  return masked.length > MAX_PATH ? `${masked.slice(0, MAX_PATH)}...` : masked;
}

/** @returns the same store; each read is told when it is over, also one that fails. */
export function timeStore(store: Store, tell: NonNullable<Observer['read']>): Store {
  const timed = async <Result>(work: StoreRead['work'], read: () => Result | Promise<Result>): Promise<Result> => {
    const started = performance.now();
    try {
      return await read();
    } finally {
      tell({ work, ms: performance.now() - started });
    }
  };
  const timedRecords = (records: Records): Records => ({
    list: (account, collection, query) => timed('list', () => records.list(account, collection, query)),
    get: (account, collection, id) => timed('get', () => records.get(account, collection, id)),
  });
  const { readerOf } = store;
  return {
    ...store,
    ...timedRecords(store),
    authenticate: (keyHash) => timed('authenticate', () => store.authenticate(keyHash)),
    ...(readerOf && { readerOf: (keyHash, caller) => timedRecords(readerOf(keyHash, caller)) }),
  };
}
