/** A store that reads from replicas: each account from one of them, and from the primary what they cannot answer or do not know. */
import { KeyNotLive, StoreRefused, StoreUnavailable } from '../store.ts';
import type { MaybePromise, Records } from '../store.ts';
import { LATE } from './errors.ts';
import type { PostgresStore } from './reader.ts';
import type { Answering, Replica } from './replica.ts';

// No read takes longer, whoever is asked for it.
const READ_MS = 3500;

/**
 * @param primary asked too before anything is said to be unknown: a replica may not have it yet.
 * @returns the store, which closes them all.
 */
export function readFromReplicas(primary: PostgresStore, replicas: readonly Replica[]): PostgresStore {
  const ask = async <T>(account: number, read: (store: PostgresStore) => MaybePromise<T>): Promise<T> => {
    const until = performance.now() + READ_MS;
    let isFirst = true;
    for (;;) {
      const replica = replicaOf(replicas, account);
      if (replica === undefined || performance.now() >= until) break;
      try {
        // Its connections bound the first one, so that most reads need no timer.
        const found = await (isFirst ? read(replica.store) : within(until, read(replica.store)));
        if (found !== undefined) return found;
        break;
      } catch (error) {
        if (error instanceof KeyNotLive) break; // It may be too new for the replica.
        if (!(error instanceof StoreUnavailable || error instanceof StoreRefused)) throw error;
        replica.failed(error); // So that it is not among them in the next round.
        isFirst = false;
      }
    }
    return within(until, read(primary));
  };
  const recordsBy = (of: (store: PostgresStore) => Records): Records => ({
    list: (account, collection, query) => ask(account, (it) => of(it).list(account, collection, query)),
    get: (account, collection, id) => ask(account, (it) => of(it).get(account, collection, id)),
  });
  return {
    authenticate: (keyHash) => ask(keyHash[0] ?? 0, (it) => it.authenticate(keyHash)),
    ...recordsBy((it) => it),
    readerOf: (keyHash, caller) => recordsBy((it) => it.readerOf(keyHash, caller)),
    revision: () => undefined,
    close: async () => {
      await Promise.all([primary.close(), ...replicas.map((it) => it.close())]);
    },
  };
}

/** @returns the replica of an account, of those that answer: the same one in every process, so that a walk reads one history. */
function replicaOf(replicas: readonly Replica[], account: number): Answering | undefined {
  let [best, most]: [Answering | undefined, number] = [undefined, -1];
  for (const { seed, answering } of replicas) {
    const it = answering();
    const weight = it === undefined ? -1 : mix(seed ^ account);
    if (weight > most) [best, most] = [it, weight];
  }
  return best;
}

/** @returns 32 bits of which each depends on all bits of a number: the end of MurmurHash3. */
function mix(number: number): number {
  const a = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b ^ (b >>> 16)) >>> 0;
}

/** @throws StoreUnavailable when an answer has not come until then. */
async function within<T>(until: number, answer: MaybePromise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreUnavailable(LATE));
    }, until - performance.now());
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
