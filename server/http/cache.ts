/** What is cached of the data: everything belongs to one revision of the store, and goes with it as a whole. */
import type { Handlers } from '../contract/types.ts';
import type { Caller } from '../store/store.ts';
import { BoundedMap } from './bounded-map.ts';

/** What a live key gives access to. */
export interface Access {
  readonly caller: Caller;
  /** Read for this key. */
  readonly handlers: Handlers;
}

/** A 200: its body, its tag, and its headers but those of the exchange. */
export interface Reply {
  readonly body: string;
  readonly bytes: number;
  readonly etag: string;
  readonly headers: readonly string[];
  /** Those of a 304. */
  readonly unchangedHeaders: readonly string[];
}

/** All that is known of the data in one state. What comes late for it is added to a generation that nobody asks any more. */
export interface Generation {
  readonly revision: number;
  /** @returns what the key in an `Authorization` header gives access to; `undefined` if it has not been shown. */
  accessOf(authorization: string): Access | undefined;
  addAccess(authorization: string, access: Access): void;
  /** Forgets a key that has proved not to be live. */
  removeAccess(authorization: string): void;
  replyOf(access: Access, target: string): Reply | undefined;
  /** Adds a reply the second time it is made, so that a traversal leaves no trace. */
  addReply(access: Access, target: string, reply: Reply): void;
}

const MAX_KEYS = 10_000;
const MAX_SEEN_ONCE = 10_000;
// Maps are bounded by their number, so their keys are bounded too. The longest that anybody needs is half of it.
const MAX_LENGTH = 300;
// What an entry takes beside its body: its key, its headers, and the map's.
const OVERHEAD_BYTES = 1000;
/** At most: most texts take one byte a character. */
const sizeOf = ({ body }: Reply): number => 2 * body.length + OVERHEAD_BYTES;
const keyOf = ({ caller }: Access, target: string): string => `${String(caller.account)}${target}`;

/**
 * @param replyBytes how much of replies is kept at most.
 * @returns what finds the generation of a revision: the one of before, or an empty one.
 */
export function createCache(replyBytes: number): (revision: number) => Generation {
  let generation: Generation | undefined;
  return (revision) => {
    if (generation?.revision !== revision) generation = createGeneration(revision, replyBytes);
    return generation;
  };
}

function createGeneration(revision: number, replyBytes: number): Generation {
  const access = new BoundedMap<string, Access>(MAX_KEYS);
  const replies = new BoundedMap<string, Reply>(replyBytes);
  const seenOnce = new BoundedMap<string, true>(MAX_SEEN_ONCE);
  return {
    revision,
    accessOf: (authorization) => access.get(authorization),
    addAccess: (authorization, it) => {
      if (authorization.length <= MAX_LENGTH) access.set(authorization, it);
    },
    removeAccess: (authorization) => {
      access.delete(authorization);
    },
    replyOf: (of, target) => replies.get(keyOf(of, target)),
    addReply: (of, target, reply) => {
      if (target.length > MAX_LENGTH) return;
      const key = keyOf(of, target);
      if (seenOnce.get(key) === true) replies.set(key, reply, sizeOf(reply));
      else seenOnce.set(key, true);
    },
  };
}
