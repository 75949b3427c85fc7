/** A replica: asked once a second whether it may answer, and left out while it may not. */
import { hash } from 'node:crypto';
import type { Fingerprints } from '../../contract/fingerprint.ts';
import { shownAddress } from '../address.ts';
import type { Replicas } from '../database.ts';
import { probe } from '../probe.ts';
import { openForReading } from './database.ts';
import { asError } from './errors.ts';
import { Lag, positionOf } from './lag.ts';
import type { Position } from './lag.ts';
import { createPostgresStore } from './reader.ts';
import type { PostgresStore } from './reader.ts';
import type { Db } from './sql.ts';

const LOOK_EVERY_MS = 1000;

export interface Replica {
  /** A number of its own, the same in every process. */
  readonly seed: number;
  /** @returns the replica as it answers; `undefined` while it is left out. */
  readonly answering: () => Answering | undefined;
  readonly close: () => Promise<void>;
}

export interface Answering {
  readonly store: PostgresStore;
  /** Leaves it out until it is next found to answer. */
  readonly failed: (error: Error) => void;
}

/**
 * @param fingerprints what its records must have been checked against.
 * @param primary the database that it is to be a replica of.
 * @returns the replica, after it has been asked for the first time. One that does not answer is tried again.
 */
export async function watchReplica(
  address: string,
  fingerprints: Fingerprints,
  primary: Db,
  noticed: Replicas['noticed'],
): Promise<Replica> {
  const lag = new Lag();
  const shown = shownAddress(address);
  let db: Db | undefined;
  let answering: Answering | undefined;
  let fault: string | undefined;
  let [failures, isClosed] = [0, false];
  let timer: NodeJS.Timeout | undefined;

  const judge = (now: string | undefined): void => {
    if (now === fault || isClosed) return;
    fault = now;
    noticed?.({ address: shown, ...(now === undefined ? { state: 'back' } : { state: 'left_out', reason: now }) });
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
  const answers = async (over: Db): Promise<void> => {
    answering ??= { store: await createPostgresStore(over, fingerprints), failed };
    await probe(answering.store);
  };
  const look = async (): Promise<void> => {
    const before = failures;
    const seen = await seeReplica().catch(asError);
    const position = await seePrimary(); // Afterwards: a replica is never ahead of it.
    let now = seen instanceof Error ? seen.message : lag.faultOf(seen, position);
    if (now === undefined && db !== undefined) now = (await answers(db).catch(asError))?.message;
    if (failures === before) judge(now); // Else a request has met with what is newer.
    if (!isClosed) timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };

  await seePrimary(); // One that writes all the time is further on than its replicas whenever it is asked.
  await look();
  return {
    seed: hash('sha256', shown, 'buffer').readUInt32LE(),
    answering: () => (fault === undefined ? answering : undefined),
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await db?.close();
    },
  };
}
