/**
 * Admission: the first stage that can reject a request, before the request costs anything. It responds 503 if there are too many
 * connections or too many requests in flight, and 422 to a request that has too many headers or is not HTTP/1.1.
 */
import type { ServerResponse } from 'node:http';
import { ProblemError, unavailable } from '../../contract/problems.ts';
import { atTurnEnd, now } from '../real-time.ts';
import { protocolErrorOf } from './malformed-requests.ts';
import type { Limits } from './connections.ts';
import type { Exchange } from './exchange.ts';

// The `Retry-After` of a busy server, which may have room again by then.
const BUSY_SECONDS = 1;

/**
 * @returns a function that admits a request, or throws the ProblemError of its response. Its second argument is the error that the
 *   listener has already found, if any.
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

// The parts of `max` that are available after a turn that rejected a request. A burst may wait. Under a sustained load beyond the
// server's capacity, however, a long queue never empties: it delays every response and adds no throughput. Each turn that rejects no
// request doubles the room again. Once per RETRY_MS the room is RETRY_PART instead of SUSTAINED_PART, so that a few clients that never
// pause reach a turn that rejects no request.
const SUSTAINED_PART = 1 / 64;
const RETRY_PART = 1 / 16;
const RETRY_MS = 1000;
// Slow requests get less room: TURN_MS after its start, a turn that has admitted LEAST_PART of its room admits no more requests.
const TURN_MS = 20;
const LEAST_PART = 1 / 4;

/**
 * Counts requests in flight. The requests of one turn of the event loop count until the turn ends, even if they get their responses at
 * once: they arrived together, so the last one has waited for all others. This bounds the time that clients wait even if all requests
 * are short.
 * @param max the maximum number of requests in flight.
 * @param clock returns a time in milliseconds.
 */
export function createInFlight(max: number, clock = now): InFlight {
  // The first `count` entries. Neither shortened nor replaced, because both would take memory in every turn.
  const current: (ServerResponse | undefined)[] = [];
  let count = 0;
  let isTurnOver = true;
  let hasRejected = false;
  let room = max;
  let [turnStart, lastRetry] = [0, -Infinity];

  const roomAfterRejection = (): number => {
    if (turnStart - lastRetry < RETRY_MS) return Math.ceil(max * SUSTAINED_PART);
    lastRetry = turnStart;
    return Math.ceil(max * RETRY_PART);
  };
  const endTurn = (): void => {
    isTurnOver = true;
  };
  const dropEnded = (): void => {
    const before = count;
    count = 0;
    for (let index = 0; index < before; index += 1) {
      const res = current[index];
      current[index] = undefined;
      if (res?.writableEnded === false && !res.destroyed) add(res);
    }
  };
  const add = (res: ServerResponse): void => {
    current[count] = res;
    count += 1;
  };
  const beginTurn = (): void => {
    isTurnOver = false;
    atTurnEnd(endTurn);
    turnStart = clock();
    dropEnded();
    room = hasRejected ? roomAfterRejection() : Math.min(2 * room, max);
    hasRejected = false;
  };
  const hasRoom = (): boolean => count < room && (count < room * LEAST_PART || clock() - turnStart < TURN_MS);
  return {
    enter: (res) => {
      if (isTurnOver) beginTurn();
      const isAdmitted = hasRoom();
      if (isAdmitted) add(res);
      else hasRejected = true;
      return isAdmitted;
    },
  };
}
