/**
 * A store that reads from replicas: each account from one of them, and from the primary what they cannot serve or do not have.
 */
import { hash } from 'node:crypto';
import type { SchemaHashes } from '../../contract/schema.ts';
import { shownAddress } from '../address.ts';
import type { Replicas } from '../database.ts';
import { KeyNotLive, StoreError, StoreUnavailable, probe } from '../store.ts';
import type { MaybePromise, Records } from '../store.ts';
import { openForReading } from './database.ts';
import { POSITION } from './dialect.ts';
import { LATE, asError } from './errors.ts';
import { createPostgresStore } from './reader.ts';
import type { PostgresStore } from './reader.ts';
import type { Db } from './sql.ts';

const POLL_EVERY_MS = 1000;
// No read takes longer, whichever servers it is sent to.
const READ_MS = 3500;
/** How far a replica may be behind the primary, as both were last seen. */
export const MAX_LAG_MS = 5000;

/** The position of a server in the log. */
export interface Position {
  /** The same in a primary and its replicas, and nowhere else. */
  readonly database: string;
  /** Another one for each start of each server. */
  readonly run: string;
  readonly isStandby: boolean;
  /** The end of what it has written or, as a standby, replayed: in bytes. */
  readonly at: bigint;
}

/** @returns the position of a server. */
async function positionOf(db: Db): Promise<Position> {
  const [row] = await db.prepared(POSITION, []);
  const [database, run, isStandby, at] = row as [string, string, boolean, string | null]; // What the statement selects.
  if (at === null) throw new StoreUnavailable('The database is starting.'); // It has replayed nothing yet.
  return { database, run, isStandby, at: BigInt(at) };
}

/**
 * Whether a replica may serve, by the position of it and the primary in the log of changes: nothing is written for it, and no two
 * clocks are compared.
 */
export class Lag {
  #database: string | undefined;
  // Where the primary was in the last seconds in which it was seen.
  #seen: { readonly ms: number; readonly at: bigint }[] = [];

  /** @param ms when the primary was asked, by a clock that only goes forward: it has every change from before then. */
  sawPrimary({ database, at }: Position, ms: number): void {
    this.#database = database;
    this.#seen = [...this.#seen.filter((it) => ms - it.ms <= MAX_LAG_MS), { ms, at }];
  }

  /**
   * @param replica where it is.
   * @param primary where that was afterwards; `undefined` if it is out of reach: then what was seen of it last counts.
   * @returns why the replica may not serve; `undefined` if it may.
   */
  faultOf(replica: Position, primary: Position | undefined): string | undefined {
    if (replica.database !== this.#database) return 'It is not a replica of this database.';
    if (primary !== undefined && !replica.isStandby && replica.run !== primary.run) {
      return 'It is no standby, but a primary of its own.';
    }
    if (primary !== undefined && replica.at > primary.at) {
      // Its history is another one, although it may be overtaken: only what the primary writes from now on can prove it wrong.
      this.#seen = [];
      return 'It has changes that the primary does not have: after a failover it must be rewound or recreated.';
    }
    if (this.#seen.some((it) => it.at <= replica.at)) return undefined;
    return `It is more than ${String(MAX_LAG_MS / 1000)} seconds behind the primary.`;
  }
}

export interface Replica {
  /** A number of its own, the same in every process. */
  readonly seed: number;
  /** @returns the replica while it serves; `undefined` while it is left out. */
  readonly serving: () => Serving | undefined;
  readonly close: () => Promise<void>;
}

export interface Serving {
  readonly store: PostgresStore;
  /** Leaves it out until a poll finds that it may serve again. */
  readonly failed: (error: Error) => void;
}

/**
 * Polls a replica once a second, and leaves it out while it may not serve.
 * @param hashes what its records must have been checked against.
 * @param primary the database that it is to be a replica of.
 * @returns the replica, after the first poll. One that does not respond is polled again.
 */
export async function watchReplica(
  address: string,
  hashes: SchemaHashes,
  primary: Db,
  emit: Replicas['emit'],
): Promise<Replica> {
  const lag = new Lag();
  const shown = shownAddress(address);
  let db: Db | undefined;
  let serving: Serving | undefined;
  let fault: string | undefined;
  let [failures, isClosed] = [0, false];
  let timer: NodeJS.Timeout | undefined;

  const judge = (now: string | undefined): void => {
    if (now === fault || isClosed) return;
    fault = now;
    emit?.({
      address: shown,
      ...(now === undefined ? { state: 'available' } : { state: 'unavailable', reason: now }),
    });
  };
  const failed = ({ message }: Error): void => {
    failures += 1;
    judge(message);
  };
  const seePrimary = async (): Promise<Position | undefined> => {
    const ms = performance.now();
    const position = await positionOf(primary).catch(() => undefined);
    if (position === undefined || position.isStandby) return undefined; // A standby there is about to be the primary.
    lag.sawPrimary(position, ms);
    return position;
  };
  const seeReplica = async (): Promise<Position> => {
    db ??= await openForReading(address, 'replica');
    if (isClosed) await db.close(); // It was closed meanwhile.
    return positionOf(db);
  };
  const tryToRead = async (over: Db): Promise<void> => {
    serving ??= { store: await createPostgresStore(over, hashes), failed };
    await probe(serving.store);
  };
  const poll = async (): Promise<void> => {
    const before = failures;
    const seen = await seeReplica().catch(asError);
    const position = await seePrimary(); // Afterwards: a replica is never ahead of it.
    let now = seen instanceof Error ? seen.message : lag.faultOf(seen, position);
    if (now === undefined && db !== undefined) now = (await tryToRead(db).catch(asError))?.message;
    if (failures === before) judge(now); // Else a request has met with what is newer.
    if (!isClosed) timer = setTimeout(() => void poll(), POLL_EVERY_MS).unref();
  };

  await seePrimary(); // One that writes all the time is further on than its replicas whenever it is asked.
  await poll();
  return {
    seed: hash('sha256', shown, 'buffer').readUInt32LE(),
    serving: () => (fault === undefined ? serving : undefined),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await db?.close();
    },
  };
}

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
        if (!(error instanceof StoreUnavailable || error instanceof StoreError)) throw error;
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

/** @returns the replica of an account, of those that serve: the same one in every process, so that a traversal reads one history. */
function replicaOf(replicas: readonly Replica[], account: number): Serving | undefined {
  let [best, most]: [Serving | undefined, number] = [undefined, -1];
  for (const { seed, serving } of replicas) {
    const it = serving();
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

/** @throws StoreUnavailable when there is no result until then. */
async function within<T>(until: number, result: MaybePromise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new StoreUnavailable(LATE));
    }, until - performance.now());
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
