/** Records when each key was last used, in one write a minute: a write for each request would cost more than the response. */
import type { Observer } from '../http/events.ts';

const FLUSH_MS = 60_000;
// More would block responses for longer than a few milliseconds; the rest wait for the next minute.
const MAX_BATCH = 1000;

/**
 * @param put stores the times of use, in milliseconds since 1970, by key id. It may return a promise. If it fails, the uses
 *   are stored with the next batch.
 * @param failed called once when `put` starts to fail, and again when it fails after a success.
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
    const batch = new Map([...uses].slice(0, max));
    try {
      await put(batch);
      for (const [key, usedAt] of batch) if (uses.get(key) === usedAt) uses.delete(key); // Keeps a key that was used in the meantime.
      isFailing = false;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const error = new Error(`The last-used times of keys could not be stored: ${why}`, { cause });
      if (!isFailing) failed?.({ error, id: undefined });
      isFailing = true;
    }
  };
  return {
    used: ({ keyId }) => {
      uses.set(keyId, Date.now());
    },
    lifecycle: ({ state }) => {
      if (state === 'listening') timer = setInterval(() => void flush(MAX_BATCH), FLUSH_MS).unref();
      if (state === 'stopped') {
        clearInterval(timer);
        void flush(Infinity);
      }
    },
  };
}
