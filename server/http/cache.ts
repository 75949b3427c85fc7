/** The caches of data. Every entry belongs to one revision of the store, and a new revision drops all of them. */
import { LRUCache } from 'lru-cache';
import type { Handlers } from '../../contract/types.ts';
import type { AuthenticatedCaller } from '../store/store.ts';

/** The access that a live key gives. */
export interface Access {
  readonly caller: AuthenticatedCaller;
  /** The handlers that read with the key of the caller. */
  readonly handlers: Handlers;
}

/** A 200 response: its body, its ETag, and all headers but those of the exchange. */
export interface Reply {
  readonly body: string;
  readonly bytes: number;
  readonly etag: string;
  readonly headers: readonly string[];
}

/**
 * The caches of one store revision. An exchange that ends after the revision has changed adds to its own, older generation, which no
 * later exchange reads.
 */
export interface Generation {
  readonly revision: number;
  /** @returns the access of the key in an `Authorization` header; `undefined` if it is not cached. */
  accessOf(authorization: string): Access | undefined;
  addAccess(authorization: string, access: Access): void;
  replyOf(access: Access, target: string): Reply | undefined;
  /** Caches a reply on the second call with the same access and target, so that a single traversal of a list does not fill the cache. */
  addReply(access: Access, target: string, reply: Reply): void;
}

const MAX_KEYS = 10_000;
const MAX_SEEN_ONCE = 10_000;
// Some caches are bounded by their number of entries, so the length of a cache key is bounded too. No legitimate one is half as long.
const MAX_LENGTH = 300;
// The memory of a reply besides its body: its cache key, its headers, and the cache's entry.
const OVERHEAD_BYTES = 1000;
/** An upper bound: most strings take one byte per character. */
const sizeOf = ({ body }: Reply): number => 2 * body.length + OVERHEAD_BYTES;
const keyOf = ({ caller }: Access, target: string): string => `${String(caller.account)}${target}`;

/**
 * @param replyBytes the maximum size of all cached replies.
 * @returns a function from a revision to its generation: the current one, or a new and empty one.
 */
export function createCache(replyBytes: number): (revision: number) => Generation {
  let generation: Generation | undefined;
  return (revision) => {
    if (generation?.revision !== revision) generation = createGeneration(revision, replyBytes);
    return generation;
  };
}

/** Does not use the option `max`, which allocates all entries at once: that takes 0.8 ms of CPU at each new revision, this 0.5 µs. */
const boundedByCount = <V extends object | true>(max: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: max, sizeCalculation: () => 1 });

function createGeneration(revision: number, replyBytes: number): Generation {
  const access = boundedByCount<Access>(MAX_KEYS);
  const replies = new LRUCache<string, Reply>({ maxSize: replyBytes, sizeCalculation: sizeOf });
  const seenOnce = boundedByCount<true>(MAX_SEEN_ONCE);
  return {
    revision,
    accessOf: (authorization) => access.get(authorization),
    addAccess: (authorization, entry) => {
      if (authorization.length <= MAX_LENGTH) access.set(authorization, entry);
    },
    replyOf: (caller, target) => replies.get(keyOf(caller, target)),
    addReply: (caller, target, reply) => {
      if (target.length > MAX_LENGTH) return;
      const key = keyOf(caller, target);
      if (seenOnce.has(key)) replies.set(key, reply);
      else seenOnce.set(key, true);
    },
  };
}
