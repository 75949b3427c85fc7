/** A whole server: the parts put together, in the order in which they may fail. */
import { createApplication } from './application.ts';
import type { Parts } from './application.ts';
import { listen } from './listener.ts';
import type { Address, Listener } from './listener.ts';
import type { RateLimit } from './rate-limits.ts';
import { warmUp } from './warm-up.ts';

export interface ServerOptions extends Omit<Parts, 'rateLimits'>, Address {
  /** Prove contract and store sound before listening, and leave nothing cold for the first caller. */
  readonly isWarm: boolean;
  /** None unless given. */
  readonly rateLimit?: RateLimit | undefined;
}

/**
 * Serves a store.
 * @returns where it listens. Stopping it closes the store.
 * @throws Error if contract or store cannot be served, and Node's own with a `code` if it cannot listen.
 */
export async function startServer({ host, port, isWarm, rateLimit, ...rest }: ServerOptions): Promise<Listener> {
  // Its library takes time to load.
  const rateLimits = rateLimit && (await import('./rate-limits.ts')).createRateLimits(rateLimit);
  const parts = { ...rest, rateLimits };
  if (isWarm) await warmUp(parts);
  const { contract, store, observer, limits } = parts;
  const listener = await listen(createApplication(parts), contract, { host, port }, observer, limits);
  const { url } = listener;
  observer.lifecycle?.({ state: 'listening', url });
  return {
    url,
    stop: async (idleMs) => {
      observer.lifecycle?.({ state: 'stopping', url });
      await listener.stop(idleMs);
      await store.close();
      observer.lifecycle?.({ state: 'stopped', url });
    },
  };
}
