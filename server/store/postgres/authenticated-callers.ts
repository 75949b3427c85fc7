/** The callers of keys: a key that was live is verified by the statement that reads, so that a request is one round trip. */
import { LRUCache } from 'lru-cache';
import { KeyNotLive } from '../store.ts';
import type { Caller, Records, Store } from '../store.ts';
import type { PostgresReads } from './reader.ts';

const MAX_KEYS = 10_000;

/** @returns the store that reads with them. Closing it closes them. */
export function withCallers(reads: PostgresReads): Store {
  /** The callers of keys that were live at their latest read, by the hashes of the keys. */
  const callers = new LRUCache<string, Caller>({ maxSize: MAX_KEYS, sizeCalculation: () => 1 });

  return {
    ...reads,
    authenticate: (hash) => {
      const id = hash.toString('latin1');
      /** Awaits a read. Forgets a key that proves not to be live. */
      const watch = async <T>(reading: T | Promise<T>): Promise<T> => {
        try {
          return await reading;
        } catch (error) {
          if (error instanceof KeyNotLive) callers.delete(id);
          throw error;
        }
      };
      const reader = reads.readerOf(hash);
      const records: Records = {
        list: (account, collection, query) => watch(reader.list(account, collection, query)),
        get: (account, collection, recordId) => watch(reader.get(account, collection, recordId)),
      };
      const verify = async (): Promise<void> => {
        if ((await reads.authenticate(hash)) === undefined) throw new KeyNotLive();
      };
      const known = callers.get(id);
      if (known !== undefined) return { ...known, records, confirm: () => watch(verify()) };
      return reads.authenticate(hash).then((caller) => {
        if (caller === undefined) return undefined;
        callers.set(id, caller);
        return { ...caller, records };
      });
    },
    revision: () => undefined, // Reading a revision would take as long as reading a page.
  };
}
