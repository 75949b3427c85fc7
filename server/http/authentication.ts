/** Authentication: the API key of a request, and the caller that it identifies. */
import { ProblemError } from '../../contract/problems.ts';
import type { Handlers } from '../../contract/types.ts';
import { keyHash } from '../store/keys.ts';
import { KeyNotLive, whenReady } from '../store/store.ts';
import type { MaybePromise, Records, Store } from '../store/store.ts';
import type { Generation } from './cache.ts';
import { countHeader } from './exchange.ts';
import type { Exchange } from './exchange.ts';

const UNKNOWN = new KeyNotLive();

/**
 * @param generationOf returns the caches of a store revision; `undefined` if nothing is cached.
 * @returns a stage that sets the cache generation and the access of an exchange. It throws KeyNotLive, and ProblemError
 *   `missing_api_key` or `invalid_api_key`.
 */
export function createAuthentication(
  store: Store,
  createHandlers: (records: Records) => Handlers,
  generationOf: ((revision: number) => Generation) | undefined,
): (exchange: Exchange) => MaybePromise<void> {
  /** The handlers of the latest caller: on SQLite, all callers have the same records. */
  let latest = { records: store as Records, handlers: createHandlers(store) };
  const handlersOf = (records: Records): Handlers => {
    if (latest.records !== records) latest = { records, handlers: createHandlers(records) };
    return latest.handlers;
  };
  return (x) => {
    const { authorization = '' } = x.req.headers;
    const revision = store.revision();
    x.generation = revision === undefined ? undefined : generationOf?.(revision);
    x.access = x.generation?.accessOf(authorization);
    if (x.access !== undefined) return undefined;
    return whenReady(store.authenticate(requireKey(x)), (caller) => {
      if (caller === undefined) throw UNKNOWN;
      x.access = { caller, handlers: handlersOf(caller.records) };
      x.generation?.addAccess(authorization, x.access);
    });
  };
}

/** @throws ProblemError `missing_api_key` if the header contains no key, `invalid_api_key` if there are several headers. */
function requireKey({ req }: Exchange): Buffer {
  if (countHeader(req, 'authorization') > 1) {
    throw new ProblemError('invalid_api_key', 'Send only one `Authorization` header.');
  }
  const hash = hashOf(req.headers.authorization);
  if (hash !== undefined) return hash;
  throw new ProblemError('missing_api_key', 'Send an API key: `Authorization: Bearer <key>`.');
}

/**
 * @param authorization the `Authorization` header as Node returns it: without surrounding spaces and tabs, which do not belong to a
 *   header. Every other character, including U+00A0, belongs to the key.
 * @returns the SHA-256 of the bearer key; `undefined` if there is none, or the header has another scheme.
 */
export function hashOf(authorization = ''): Buffer | undefined {
  const key = /^bearer +(.+)$/i.exec(authorization)?.[1];
  return key === undefined ? undefined : keyHash(key);
}
