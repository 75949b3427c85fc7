/** Authentication: the API key of a request, and the account it belongs to. */
import { ProblemError } from '../../contract/problems.ts';
import type { Handlers } from '../../contract/types.ts';
import { keyHash } from '../store/keys.ts';
import { whenReady } from '../store/store.ts';
import type { MaybePromise, Records, Store } from '../store/store.ts';
import type { Generation } from './cache.ts';
import { countHeader } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { RateLimits } from './rate-limits.ts';

export interface Authentication {
  /**
   * Sets the cache generation and the access of an exchange. On PostgreSQL, a cached key is not verified here: the statement that reads
   * the records verifies it in the same round trip.
   * @throws ProblemError `missing_api_key` or `invalid_api_key`.
   */
  readonly authenticate: (exchange: Exchange) => MaybePromise<void>;
  /** Verifies a cached key that no statement has verified. @throws ProblemError `invalid_api_key` if the key is no longer live. */
  readonly verifyKey: (exchange: Exchange) => Promise<void>;
  /** Rejects a key that is not live: removes it from the cache and charges the address. @throws ProblemError always. */
  readonly rejectKey: (exchange: Exchange) => MaybePromise<never>;
}

/**
 * @param generationOf returns the caches of a store revision; `undefined` if nothing is cached.
 */
export function createAuthentication(
  store: Store,
  createHandlers: (records: Records) => Handlers,
  generationOf: ((revision: number) => Generation) | undefined,
  rateLimits: RateLimits | undefined,
): Authentication {
  const { readerOf } = store;
  const handlers = createHandlers(store);

  const rejectKey: Authentication['rejectKey'] = (x) => {
    x.generation?.removeAccess(x.req.headers.authorization ?? '');
    x.access = undefined;
    return whenReady(rateLimits?.spendFailure(x), () => {
      throw new ProblemError('invalid_api_key', 'This API key is unknown, has been revoked or has expired.');
    });
  };
  return {
    rejectKey,
    authenticate: (x) => {
      const { authorization = '' } = x.req.headers;
      const revision = readerOf === undefined ? store.revision() : 0;
      x.generation = revision === undefined ? undefined : generationOf?.(revision);
      const cached = x.generation?.accessOf(authorization);
      if (cached !== undefined) {
        x.access = cached;
        x.isKeyUnverified = readerOf !== undefined;
        return undefined;
      }
      const hash = requireKey(x);
      return whenReady(store.authenticate(hash), (caller) => {
        if (caller === undefined) return rejectKey(x);
        x.access = { caller, handlers: readerOf === undefined ? handlers : createHandlers(readerOf(hash, caller)) };
        x.generation?.addAccess(authorization, x.access);
        return undefined;
      });
    },
    verifyKey: async (x) => {
      if (!x.isKeyUnverified) return;
      const caller = await store.authenticate(requireKey(x));
      if (caller === undefined) await rejectKey(x);
    },
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
