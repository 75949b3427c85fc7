/**
 * Admission: the first requests to be rejected, before they cost anything. Too many connections or too many requests in flight are
 * a 503; too many headers and anything that is not HTTP/1.1 are a 422.
 */
import type { ServerResponse } from 'node:http';
import { ProblemError, unavailable } from '../contract/problems.ts';
import { now, setImmediate } from '../real-time.ts';
import { protocolErrorOf } from './client-errors.ts';
import type { Limits } from './connections.ts';
import type { Exchange } from './exchange.ts';

// When a busy server may have room again.
const BUSY_SECONDS = 1;

/**
 * @returns what admits a request, or throws the ProblemError of its response. It takes the error that the listener has found
 *   already, if any.
 */
export function createAdmission({
  headerCount,
  requestsInFlight,
}: Limits): (exchange: Exchange, error: ProblemError | undefined) => void {
  const inFlight = createInFlight(requestsInFlight);
  const busy = unavailable(BUSY_SECONDS);
  return ({ req, res }, error) => {
    if (error !== undefined) throw error;
    if (!inFlight.enter(res)) throw busy;
    const violation = protocolErrorOf(req);
    if (violation !== undefined) {
      res.shouldKeepAlive = false;
      throw violation;
    }
    if (req.rawHeaders.length > 2 * headerCount) {
      throw new ProblemError('validation_error', 'The request has too many headers.');
    }
  };
}

export interface InFlight {
  /** @returns whether there is room for one more request, which then counts. */
  enter(res: ServerResponse): boolean;
}

// The part of `max` that is available after a turn that rejected a request. A burst may wait, but under a sustained load beyond the
// server's capacity a long queue never empties: it delays every response and adds no throughput. Each turn that rejects none doubles
// the room again. Once a second the room is larger, so that a few clients that never pause reach a turn that rejects none.
const SUSTAINED_PART = 1 / 64;
const RETRY_PART = 1 / 16;
const RETRY_MS = 1000;
// Slow requests leave less room: after this time a turn admits no more requests, once it has admitted this part of the room.
const TURN_MS = 20;
const LEAST_PART = 1 / 4;

/**
 * Counts requests in flight. The requests of one turn of the event loop count until the turn ends, even if they get their responses at
 * once: they arrived together, so the last one has waited for all others. This bounds how long a server of short requests
 * keeps its clients waiting.
 * @param max how many there may be.
 * @param clock in milliseconds.
 */
export function createInFlight(max: number, clock = now): InFlight {
  let current: ServerResponse[] = [];
  let isTurnOver = true;
  let hasRejected = false;
  let room = max;
  let [began, retried] = [0, -Infinity];

  const roomAfterRejection = (): number => {
    if (began - retried < RETRY_MS) return Math.ceil(max * SUSTAINED_PART);
    retried = began;
    return Math.ceil(max * RETRY_PART);
  };
  const beginTurn = (): void => {
    isTurnOver = false;
    setImmediate(() => (isTurnOver = true));
    began = clock();
    current = current.filter((it) => !it.writableEnded && !it.destroyed);
    room = hasRejected ? roomAfterRejection() : Math.min(2 * room, max);
    hasRejected = false;
  };
  const hasRoom = (): boolean =>
    current.length < room && (current.length < room * LEAST_PART || clock() - began < TURN_MS);
  return {
    enter: (res) => {
      if (isTurnOver) beginTurn();
      const isAdmitted = hasRoom();
      if (isAdmitted) current.push(res);
      else hasRejected = true;
      return isAdmitted;
    },
  };
}
