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
// the server can do a long queue never empties, and makes all answers late without making them more. Each turn that refuses
// none doubles the room again.
const LASTING_PART = 1 / 16;
// Requests that take long leave less room: a turn does not go on with them for longer, once it has done this part.
const TURN_MS = 20;
const LEAST_PART = 1 / 4;

/** @param max how many there may be. */
export function createInFlight(max: number): InFlight {
  let current: ServerResponse[] = [];
  let isTurnOver = true;
  let hasRefused = false;
  let room = max;
  let began = 0;

  const beginTurn = (): void => {
    isTurnOver = false;
    setImmediate(() => (isTurnOver = true));
    current = current.filter((it) => !it.writableEnded && !it.destroyed);
    room = hasRefused ? Math.ceil(max * LASTING_PART) : Math.min(2 * room, max);
    hasRefused = false;
    began = performance.now();
  };
  const hasRoom = (): boolean =>
    current.length < room && (current.length < room * LEAST_PART || performance.now() - began < TURN_MS);
  return {
    enter: (res) => {
      if (isTurnOver) beginTurn();
      const isIn = hasRoom();
      if (isIn) current.push(res);
      else hasRefused = true;
      return isIn;
    },
  };
}
