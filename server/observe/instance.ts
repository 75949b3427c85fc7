/**
 * Metrics of an instance as a whole, whatever the number of its workers: its build and its database. What has to be read is read when the
 * metrics are requested, and cached for a moment, so that the database is not queried more often, however often they are requested.
 */
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { MaybePromise } from '../store/store.ts';
import type { Usage } from '../store/usage.ts';

/** The labels of `rollcall_build_info`. */
export interface Build {
  readonly version: string;
  /** The version of the contract. */
  readonly contract_version: string;
  readonly node_version: string;
  readonly engine: 'sqlite' | 'postgresql';
}

export interface Instance {
  readonly build: Build;
  /** Reads the usage of the database. It may throw or reject. */
  readonly usage: () => MaybePromise<Usage>;
}

/** How long a result is used again, also a failure: a database that does not respond is not queried by every scrape. */
export const CACHE_MS = 15_000;
// Shorter than the timeout of a scrape, which is 10 s by default: the other metrics are available without a database.
const WAIT_MS = 2000;

/** Adds the metrics of an instance to a registry. While the usage cannot be read, its metrics have no samples. */
export function registerInstance(registry: Registry, { build, usage }: Instance): void {
  const registers = [registry];
  new Gauge({
    name: 'rollcall_build_info',
    help: 'Always 1. The labels have the versions of Rollcall, its contract and Node, and the engine: sqlite or postgresql.',
    labelNames: Object.keys(build),
    registers,
  }).set({ ...build }, 1);

  const read = cacheResult(usage);
  const gauge = (name: string, help: string, valueOf: (usage: Usage) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const found = await read();
        if (found === undefined) this.remove();
        else this.set(valueOf(found));
      },
    });
  };
  gauge(
    'rollcall_database_size_bytes',
    'Size of the database file and its write-ahead log; on PostgreSQL, of the tables of Rollcall and their indexes.',
    ({ bytes }) => bytes,
  );
  gauge(
    'rollcall_keys_expiring',
    'Live keys that expire within 30 days, at most 1,000.',
    ({ expiringKeys }) => expiringKeys,
  );
  gauge(
    'rollcall_keys_expired',
    'Keys that expired and are not revoked, at most 1,000.',
    ({ expiredKeys }) => expiredKeys,
  );
  new Gauge({
    name: 'rollcall_last_import_timestamp_seconds',
    help: 'Time of the last successful import or copy into an account, of the 100 accounts with the latest ones.',
    labelNames: ['account'],
    registers,
    async collect() {
      const found = await read();
      this.reset(); // Without the accounts that were removed, or are no longer among the latest.
      for (const { account, at } of found?.lastImports ?? []) this.set({ account }, Date.parse(at) / 1000);
    },
  });
}

/**
 * Reads at most once per `CACHE_MS`, and one at a time.
 * @param read may throw or reject.
 * @param clock returns a time in milliseconds.
 * @returns a function that returns the latest result; `undefined` if the read failed, or has not ended within two seconds.
 */
export function cacheResult<T>(
  read: () => MaybePromise<T>,
  clock = (): number => performance.now(),
): () => Promise<T | undefined> {
  let latest: Promise<T | undefined> = Promise.resolve(undefined);
  let [isReading, endedAt] = [false, -Infinity];
  const begin = async (): Promise<T | undefined> => {
    try {
      return await read();
    } catch {
      return undefined; // `/readyz` has the reason.
    } finally {
      [isReading, endedAt] = [false, clock()];
    }
  };
  return () => {
    if (!isReading && clock() - endedAt >= CACHE_MS) {
      isReading = true;
      latest = begin();
    }
    return within(WAIT_MS, latest);
  };
}

/** @returns the result; `undefined` if there is none after `ms` milliseconds. */
async function within<T>(ms: number, result: Promise<T | undefined>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      resolve(undefined);
    }, ms);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
