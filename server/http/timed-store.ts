/** A store whose reads are noticed, with the time that each took. */
import type { Records, Store } from '../store/store.ts';
import type { Observer, Read } from './events.ts';

/** @returns the same store; each read is told when it is over, also one that fails. */
export function timeStore(store: Store, tell: NonNullable<Observer['read']>): Store {
  const timed = async <Result>(work: Read['work'], read: () => Result | Promise<Result>): Promise<Result> => {
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
