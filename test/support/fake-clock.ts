/** A clock for sessions that wait. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../audit/session/session.ts';

/** @returns a clock that stands still, except for pauses, which take no time. */
export function fakeClock(): {
  readonly clock: Clock;
  /** How long it was waited, each time. */
  readonly pauses: number[];
  readonly advance: (ms: number) => void;
} {
  let time = 0;
  const pauses: number[] = [];
  const advance = (ms: number): void => {
    time += ms;
  };
  const pause = async (ms: number): Promise<void> => {
    await nextTurn();
    pauses.push(ms);
    advance(ms);
  };
  return { clock: { now: () => time, pause }, pauses, advance };
}
