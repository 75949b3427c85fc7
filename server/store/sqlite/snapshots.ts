/** One state of the database for all reads of one turn of the event loop: they come together, and pay for it once. */
import type { Db } from './sql.ts';

export interface Snapshots {
  /** Sees to it that somebody has looked in this turn. Without reads to come, that is all there is to pay for. */
  readonly look: () => void;
  /** Sees to it that a state is being read; called before every read. */
  readonly enter: () => void;
}

/**
 * @param db a connection that only reads.
 * @param look is called at the start of every state, before anything else is read in it. If it throws, there is no state.
 */
export function createSnapshots(db: Db, look: () => void): Snapshots {
  const [begin, end] = [db.prepare('BEGIN'), db.prepare('ROLLBACK')];
  let isWithin = false;
  let hasLooked = false;
  const leave = (): void => {
    if (isWithin && db.open && db.inTransaction) end.run(); // SQLite ends it by itself on some errors.
    isWithin = false;
    hasLooked = false;
  };
  const lookOnce = (): void => {
    look();
    // Until all that has arrived together is answered: what comes later is to find another state.
    if (!hasLooked) setImmediate(leave);
    hasLooked = true;
  };
  return {
    look: () => {
      if (!hasLooked) lookOnce();
    },
    enter: () => {
      if (isWithin) return;
      begin.run();
      isWithin = true;
      try {
        lookOnce(); // Again, if need be: there may have been a change since.
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
