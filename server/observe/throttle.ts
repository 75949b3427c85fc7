/** Throttles failures: a store that is gone makes every request fail, and one line says as much as a thousand. */
import type { Failure, Observer } from '../http/events.ts';

const EVERY_MS = 1000;
// Beyond it, all others count as one kind.
const MAX_KINDS = 100;
const MAX_KIND_LENGTH = 200;

/** A failure, and how many of its kind were left out before it. */
export type Throttled = Failure & { readonly leftOut?: number };

/**
 * @param tell told of the first failure of a kind (of the same name and message) at once, then of the last one of each second,
 *   and when the server has stopped.
 */
export function throttle(tell: (failure: Throttled) => void): Observer {
  const kinds = new Map<string, Held>();

  const begin = (kind: string): void => {
    const timer = setTimeout(() => {
      if (end(kind)) begin(kind);
    }, EVERY_MS).unref();
    kinds.set(kind, { timer, latest: undefined, leftOut: 0 });
  };
  /** @returns whether there were more of the kind. */
  const end = (kind: string): boolean => {
    const { timer, latest, leftOut = 0 } = kinds.get(kind) ?? {};
    clearTimeout(timer);
    kinds.delete(kind);
    if (latest !== undefined) tell(leftOut === 0 ? latest : { ...latest, leftOut });
    return latest !== undefined;
  };
  const failed = (failure: Failure): void => {
    const own = kindOf(failure.error);
    const kind = kinds.has(own) || kinds.size < MAX_KINDS ? own : '';
    const held = kinds.get(kind);
    if (held === undefined) {
      tell(failure);
      begin(kind);
      return;
    }
    if (held.latest !== undefined) held.leftOut += 1;
    held.latest = failure;
  };
  return {
    failed,
    lifecycle: ({ state }) => {
      if (state === 'stopped') [...kinds.keys()].forEach(end);
    },
  };
}

interface Held {
  readonly timer: NodeJS.Timeout;
  latest: Failure | undefined;
  leftOut: number;
}

const kindOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, MAX_KIND_LENGTH);
