/**
 * Requests in flight. Those of one turn of the event loop count until it ends, even if they are answered at once: they came
 * together, so the last has waited for all before it. That is how long a server of short requests keeps its callers waiting.
 */
import type { ServerResponse } from 'node:http';

export interface InFlight {
  /** @returns whether there is room for one more, which then counts. */
  enter(res: ServerResponse): boolean;
}

/** @param max how many there may be. */
export function createInFlight(max: number): InFlight {
  let current: ServerResponse[] = [];
  let isTurnOver = true;
  return {
    enter: (res) => {
      if (isTurnOver) {
        isTurnOver = false;
        setImmediate(() => (isTurnOver = true));
        current = current.filter((it) => !it.writableEnded && !it.destroyed);
      }
      if (current.length >= max) return false;
      current.push(res);
      return true;
    },
  };
}
