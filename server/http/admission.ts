/**
 * Requests in flight. Those of one turn of the event loop count until it ends, even if they are answered at once: they came
 * together, so the last has waited for all before it. That is how long a server of short requests keeps its callers waiting.
 */
import type { ServerResponse } from 'node:http';
import { now, setImmediate } from '../real-time.ts';

export interface InFlight {
  /** @returns whether there is room for one more, which then counts. */
  enter(res: ServerResponse): boolean;
}

// The part of them that may be there after a turn that refused one: a burst may wait, but under a load that lasts more than
// the server can do a long queue never empties, and makes all answers late without making them more. Each turn that refuses
// none doubles the room again; so that few who never pause find such a turn, one in a second has more.
const LASTING_PART = 1 / 64;
const TRIED_PART = 1 / 16;
const TRY_MS = 1000;
// Requests that take long leave less room: a turn does not go on with them for longer, once it has done this part.
const TURN_MS = 20;
const LEAST_PART = 1 / 4;

/**
 * @param max how many there may be.
 * @param clock in milliseconds.
 */
export function createInFlight(max: number, clock = now): InFlight {
  let current: ServerResponse[] = [];
  let isTurnOver = true;
  let hasRefused = false;
  let room = max;
  let [began, tried] = [0, -Infinity];

  const roomAfterRefusal = (): number => {
    if (began - tried < TRY_MS) return Math.ceil(max * LASTING_PART);
    tried = began;
    return Math.ceil(max * TRIED_PART);
  };
  const beginTurn = (): void => {
    isTurnOver = false;
    setImmediate(() => (isTurnOver = true));
    began = clock();
    current = current.filter((it) => !it.writableEnded && !it.destroyed);
    room = hasRefused ? roomAfterRefusal() : Math.min(2 * room, max);
    hasRefused = false;
  };
  const hasRoom = (): boolean =>
    current.length < room && (current.length < room * LEAST_PART || clock() - began < TURN_MS);
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
