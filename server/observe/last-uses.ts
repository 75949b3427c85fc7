/** When each key was last used, gathered and written down once a minute: with each request it would cost more than the answer. */
import type { Observer } from '../http/events.ts';

const EVERY_MS = 60_000;
// More of them would hold up answers for longer than a few milliseconds; they wait for the next minute.
const MAX_AT_ONCE = 1000;

/**
 * @param put writes down when keys were used, in milliseconds since 1970, by their ids; perhaps with a promise. What it fails to write is
 *   tried again.
 * @param failed told once when `put` fails, and once again if it does after it has worked.
 */
export function recordLastUses(
  put: (uses: ReadonlyMap<string, number>) => unknown,
  failed: Observer['failed'],
): Observer {
  const uses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;

  const flush = async (max: number): Promise<void> => {
    if (uses.size === 0) return;
    const some = new Map([...uses].slice(0, max));
    try {
      await put(some);
      for (const [key, at] of some) if (uses.get(key) === at) uses.delete(key); // Not if it was used meanwhile.
      isFailing = false;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const error = new Error(`When keys were last used could not be written down: ${why}`, { cause });
      if (!isFailing) failed?.({ error, id: undefined });
      isFailing = true;
    }
  };
  return {
    used: ({ keyId }) => {
      uses.set(keyId, Date.now());
    },
    lifecycle: ({ state }) => {
      if (state === 'listening') timer = setInterval(() => void flush(MAX_AT_ONCE), EVERY_MS).unref();
      if (state === 'stopped') {
        clearInterval(timer);
        void flush(Infinity);
      }
    },
  };
}
