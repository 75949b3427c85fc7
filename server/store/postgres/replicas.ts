/**
 * A store that reads from replicas. It reads each account from one replica, and reads from the primary what the
 * replicas cannot serve or do not have.
 */
import { hash } from 'node:crypto';
import type { SchemaHashes } from '../../../contract/schema.ts';
import { shownAddress } from '../address.ts';
import type { Replicas } from '../database.ts';
import { KeyNotLive, NOBODY, StoreError, StoreUnavailable } from '../store.ts';
import type { MaybePromise, Records } from '../store.ts';
import { openForReading } from './database.ts';
import { POSITION } from './dialect.ts';
import { LATE, asError } from './postgres-errors.ts';
import { openReads } from './reader.ts';
import type { PostgresReads } from './reader.ts';
import type { Db } from './sql.ts';

const POLL_EVERY_MS = 1000;
// The time limit of a read, over all servers that it is sent to.
const READ_MS = 3500;
/** How far a replica may be behind the primary, by their latest polls. */
export const MAX_LAG_MS = 5000;

/** The position of a server in the log. */
export interface Position {
  /** The same in a primary and its replicas, and nowhere else. */
  readonly database: string;
  /** Different for each start of each server. */
  readonly run: string;
  readonly isStandby: boolean;
  /** The end of the part of the log that the server has written or, as a standby, replayed: in bytes. */
  readonly at: bigint;
}

/** @returns the position of a server. */
async function positionOf(db: Db): Promise<Position> {
  const [row] = await db.prepared(POSITION, []);
  const [database, run, isStandby, at] = row as [string, string, boolean, string | null]; // What the statement selects.
  if (at === null) throw new StoreUnavailable('The database is starting.'); // The standby has replayed nothing yet.
  return { database, run, isStandby, at: BigInt(at) };
}

/**
 * Decides whether a replica may serve, by the positions of the replica and the primary in the log of changes. This
 * writes nothing, and compares no two clocks.
 */
export class Lag {
  #database: string | undefined;
  // The positions of the primary within `MAX_LAG_MS` before its latest poll.
  #seen: { readonly ms: number; readonly at: bigint }[] = [];

  /**
   * @param ms the time before the poll of the primary, by a monotonic clock. The position includes all earlier changes.
   */
  sawPrimary({ database, at }: Position, ms: number): void {
    this.#database = database;
    this.#seen = [...this.#seen.filter((seen) => ms - seen.ms <= MAX_LAG_MS), { ms, at }];
  }

  /**
   * @param replica the position of the replica.
   * @param primary the position of the primary, polled after the replica; `undefined` if the primary is unreachable.
   *   Then its latest known positions count.
   * @returns why the replica may not serve; `undefined` if it may.
   */
  faultOf(replica: Position, primary: Position | undefined): string | undefined {
    if (replica.database !== this.#database) return 'It is not a replica of this database.';
    if (primary !== undefined && !replica.isStandby && replica.run !== primary.run) {
      return 'It is an independent primary, not a standby.';
    }
    if (primary !== undefined && replica.at > primary.at) {
      // The histories of both differ, even if the primary overtakes the replica's position later. Earlier positions no
      // longer count, so only what the primary writes from now on can show that the replica does not follow.
      this.#seen = [];
      return 'It has changes that the primary does not have: after a failover it must be rewound or recreated.';
    }
    if (this.#seen.some(({ at }) => at <= replica.at)) return undefined;
    return `It is more than ${String(MAX_LAG_MS / 1000)} seconds behind the primary.`;
  }
}

export interface Replica {
  /** A number that identifies the replica, the same in every process. */
  readonly seed: number;
  /** @returns the replica while it serves; `undefined` while it is left out. */
  readonly serving: () => Serving | undefined;
  readonly close: () => Promise<void>;
}

export interface Serving {
  readonly store: PostgresReads;
  /** Leaves the replica out until a poll finds that it may serve again. */
  readonly failed: (error: Error) => void;
}

/**
 * Polls a replica once a second, and leaves it out while it may not serve.
 * @param hashes the schemas that its records must have been checked against.
 * @param primary the database that must be its primary.
 * @returns the replica, after the first poll. A replica that does not respond is polled again.
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

  const setFault = (newFault: string | undefined): void => {
    if (newFault === fault || isClosed) return;
    fault = newFault;
    emit?.({
      address: shown,
      ...(newFault === undefined ? { state: 'available' } : { state: 'unavailable', reason: newFault }),
    });
  };
  const failed = ({ message }: Error): void => {
    failures += 1;
    setFault(message);
  };
  const pollPrimary = async (): Promise<Position | undefined> => {
    const ms = performance.now();
    const position = await positionOf(primary).catch(() => undefined);
    if (position === undefined || position.isStandby) return undefined; // A standby at this address is about to become the primary.
    lag.sawPrimary(position, ms);
    return position;
  };
  const pollReplica = async (): Promise<Position> => {
    db ??= await openForReading(address, 'replica');
    if (isClosed) await db.close(); // The replica was closed while its database was opened.
    return positionOf(db);
  };
  const tryToRead = async (over: Db): Promise<void> => {
    serving ??= { store: await openReads(over, hashes), failed };
    await serving.store.probe();
  };
  const poll = async (): Promise<void> => {
    const before = failures;
    const seen = await pollReplica().catch(asError);
    const position = await pollPrimary(); // After the replica, so that a true replica is never ahead of the primary.
    let newFault = seen instanceof Error ? seen.message : lag.faultOf(seen, position);
    if (newFault === undefined && db !== undefined) newFault = (await tryToRead(db).catch(asError))?.message;
    if (failures === before) setFault(newFault); // Otherwise a request has found a newer fault.
    if (!isClosed) timer = setTimeout(() => void poll(), POLL_EVERY_MS).unref();
  };

  await pollPrimary(); // An earlier position is needed: a primary that writes all the time is ahead at every poll.
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
 * @param primary also queried before an item or a key is reported as unknown, because a replica may not have it yet.
 * @returns the reads. Closing them closes the primary and all replicas.
 */
export function readFromReplicas(primary: PostgresReads, replicas: readonly Replica[]): PostgresReads {
  const execute = async <T>(account: number, read: (store: PostgresReads) => MaybePromise<T>): Promise<T> => {
    const until = performance.now() + READ_MS;
    let isFirst = true;
    for (;;) {
      const replica = replicaOf(replicas, account);
      if (replica === undefined || performance.now() >= until) break;
      try {
        // The connections of the replica bound the first read, so that most reads need no timer.
        const found = await (isFirst ? read(replica.store) : within(until, read(replica.store)));
        if (found !== undefined) return found;
        break;
      } catch (error) {
        if (error instanceof KeyNotLive) break; // The key may be too new for the replica.
        if (!(error instanceof StoreUnavailable || error instanceof StoreError)) throw error;
        replica.failed(error); // The next round then chooses another replica.
        isFirst = false;
      }
    }
    return within(until, read(primary));
  };
  const recordsBy = (readsOf: (store: PostgresReads) => Records): Records => ({
    list: (account, collection, query) => execute(account, (reads) => readsOf(reads).list(account, collection, query)),
    get: (account, collection, id) => execute(account, (reads) => readsOf(reads).get(account, collection, id)),
  });
  return {
    authenticate: (keyHash) => execute(keyHash[0] ?? 0, (reads) => reads.authenticate(keyHash)),
    ...recordsBy((reads) => reads),
    readerOf: (keyHash) => recordsBy((reads) => reads.readerOf(keyHash)),
    probe: () => execute(NOBODY, (reads) => reads.probe()),
    close: async () => {
      await Promise.all([primary.close(), ...replicas.map((replica) => replica.close())]);
    },
  };
}

/**
 * @returns the replica that serves an account; `undefined` if none serves. Every process chooses the same one, so that
 *   a traversal reads one history.
 */
function replicaOf(replicas: readonly Replica[], account: number): Serving | undefined {
  let [best, most]: [Serving | undefined, number] = [undefined, -1];
  for (const { seed, serving } of replicas) {
    const candidate = serving();
    const weight = candidate === undefined ? -1 : mix(seed ^ account);
    if (weight > most) [best, most] = [candidate, weight];
  }
  return best;
}

/** @returns 32 bits, each of which depends on all bits of a number: the finalizer of MurmurHash3. */
function mix(number: number): number {
  const a = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  return (b ^ (b >>> 16)) >>> 0;
}

/** @throws StoreUnavailable if there is no result by the time `until`. */
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
