/**
 * Requests in flight. Those of one turn of the event loop count until it ends, even if they are answered at once: they came
 * together, so the last has waited for all before it. That is how long a server of short requests keeps its callers waiting.
 */
import type { ServerResponse } from 'node:http';

export interface InFlight {
  /** @returns whether there is room for one more, which then counts. */
  enter(res: ServerResponse): boolean;
}

// The part of them that may be there after a turn that refused one: a burst may wait, but under a load that lasts more than
// the server can do a long queue never empties, and makes all answers late without making them more.
const LASTING_PART = 1 / 16;

/** @param max how many there may be. */
export function createInFlight(max: number): InFlight {
  const lasting = Math.ceil(max * LASTING_PART);
  let current: ServerResponse[] = [];
  let isTurnOver = true;
  let hasRefused = false;
  let room = max;
  return {
    enter: (res) => {
      if (isTurnOver) {
        isTurnOver = false;
        setImmediate(() => (isTurnOver = true));
        current = current.filter((it) => !it.writableEnded && !it.destroyed);
        room = hasRefused ? lasting : max;
        hasRefused = false;
      }
      if (current.length >= room) {
        hasRefused = true;
        return false;
      }
      current.push(res);
      return true;
    },
  };
}
