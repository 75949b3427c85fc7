/**
 * When a worker that has ended is started again. A worker that ends by itself before it listens says that none can start: five in a row
 * end the service, which a service manager sees. Any other end is that of one process, by a request, the system or a person: it is
 * started again, after pauses that grow so that nothing turns in a circle at full speed.
 */
import { STOP_SIGNALS } from './stop-signals.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 30_000;
// A worker that has served for so long was sound: the next pause is the first one again.
const SOUND_MS = 30_000;
const MAX_FAILED_STARTS = 5;

/** How a worker has ended. */
export interface End {
  /** The worker's, from 1. */
  readonly number: number;
  /** `null` if a signal has ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** How long it has listened; `undefined` if it has not come to that. */
  readonly servedMs: number | undefined;
}

/** The pause before the next start, or how many starts in a row have failed where that is too many. */
export type Next =
  | { readonly pauseMs: number; readonly failedStarts?: undefined }
  | { readonly pauseMs?: undefined; readonly failedStarts: number };

export interface Restarts {
  /** To be told when a worker listens. */
  readonly listening: () => void;
  readonly ended: (end: End) => Next;
}

/** @returns what counts the ends of workers, and says what comes next. */
export function createRestarts(): Restarts {
  /** By the number of the worker: ends since it was sound. */
  const ends = new Map<number, number>();
  let failedStarts = 0;
  return {
    listening: () => {
      failedStarts = 0;
    },
    ended: ({ number, code, signal, servedMs }) => {
      // The signal itself ends a worker that has not come as far as to listen to it.
      const isTold = (code === 0 && servedMs !== undefined) || STOP_SIGNALS.some((it) => it === signal);
      if (isTold) return { pauseMs: 0 };
      if (signal === null && servedMs === undefined) failedStarts += 1;
      if (failedStarts >= MAX_FAILED_STARTS) return { failedStarts };
      const before = servedMs !== undefined && servedMs >= SOUND_MS ? 0 : (ends.get(number) ?? 0);
      ends.set(number, before + 1);
      return { pauseMs: Math.min(FIRST_PAUSE_MS * 2 ** before, MAX_PAUSE_MS) };
    },
  };
}
