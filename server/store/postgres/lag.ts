/**
 * Whether a replica may answer, by where it and the primary are in the log of changes: nothing is written for it, and no two
 * clocks are compared.
 */
import { StoreUnavailable } from '../store.ts';
import { POSITION } from './dialect.ts';
import type { Db } from './sql.ts';

/** How far a replica may be behind the primary, as both were last seen. */
export const MAX_LAG_MS = 5000;

/** Where a server is in the log. */
export interface Position {
  /** The same in a primary and its replicas, and nowhere else. */
  readonly database: string;
  /** Another one for each start of each server. */
  readonly run: string;
  readonly isStandby: boolean;
  /** The end of what it has written or, as a standby, replayed: in bytes. */
  readonly at: bigint;
}

/** Asks a server where it is. */
export async function positionOf(db: Db): Promise<Position> {
  const [row] = await db.prepared(POSITION, []);
  const [database, run, isStandby, at] = row as [string, string, boolean, string | null]; // What the statement selects.
  if (at === null) throw new StoreUnavailable('The database is starting.'); // It has replayed nothing yet.
  return { database, run, isStandby, at: BigInt(at) };
}

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
   * @returns why the replica may not answer; `undefined` if it may.
   */
  faultOf(replica: Position, primary: Position | undefined): string | undefined {
    if (replica.database !== this.#database) return 'It is not a replica of this database.';
    if (primary !== undefined && !replica.isStandby && replica.run !== primary.run) {
      return 'It is no standby, but a primary of its own.';
    }
    if (primary !== undefined && replica.at > primary.at) {
      // Its history is another one, although it may be overtaken: only what the primary writes from now on can prove it wrong.
      this.#seen = [];
      return 'It has changes that the primary does not have: after a failover it must be rewound or made anew.';
    }
    if (this.#seen.some((it) => it.at <= replica.at)) return undefined;
    return `It is more than ${String(MAX_LAG_MS / 1000)} seconds behind the primary.`;
  }
}
