/** One state of the database for all reads of one turn of the event loop: they come together, and pay for it once. */
import type { Db } from './busy.ts';

/**
 * @param db a connection that only reads.
 * @param look is called at the start of every state, before anything else is read in it. If it throws, there is no state.
 * @returns what sees to it that one is being read; called before every read.
 */
export function createSnapshots(db: Db, look: () => void): () => void {
  const [begin, end] = [db.prepare('BEGIN'), db.prepare('ROLLBACK')];
  let isWithin = false;
  const leave = (): void => {
    isWithin = false;
    if (db.open && db.inTransaction) end.run(); // SQLite ends it by itself on some errors.
  };
  return () => {
    if (isWithin) return;
    begin.run();
    try {
      look();
    } catch (error) {
      leave();
      throw error;
    }
    isWithin = true;
    // After all that has arrived together: what comes later is to find another state.
    setImmediate(leave);
  };
}
