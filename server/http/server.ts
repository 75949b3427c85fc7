/** A whole server: the parts put together, in the order in which they may fail. */
import { setTimeout } from 'node:timers/promises';
import { createPipeline } from './pipeline.ts';
import type { Parts } from './pipeline.ts';
import { listen } from './listener.ts';
import type { Address, Listener } from './listener.ts';
import type { RateLimit } from './rate-limits.ts';
import { warmUp } from './warm-up.ts';

export interface ServerOptions extends Omit<Parts, 'rateLimits'>, Address {
  /** Prove contract and store sound before listening, and leave nothing cold for the first caller. */
  readonly isWarm: boolean;
  /** None unless given. */
  readonly rateLimit?: RateLimit | undefined;
  /** How long it takes new connections after it was told to stop, so that those who ask whether it is ready see that first. */
  readonly drainDelayMs?: number;
}

/**
 * Serves a store.
 * @returns where it listens. Stopping it closes the store.
 * @throws Error if contract or store cannot be served, and Node's own with a `code` if it cannot listen.
 */
export async function startServer({
  host,
  port,
  isWarm,
  rateLimit,
  drainDelayMs = 0,
  ...rest
}: ServerOptions): Promise<Listener> {
  // Its library takes time to load.
  const rateLimits = rateLimit && (await import('./rate-limits.ts')).createRateLimits(rateLimit);
  const parts = { ...rest, rateLimits };
  if (isWarm) await warmUp(parts);
  const { contract, store, observer, limits, corsOrigins } = parts;
  const listener = await listen(createPipeline(parts), contract, { host, port }, observer, limits, corsOrigins);
  const { url } = listener;
  observer.lifecycle?.({ state: 'listening', url });
  return {
    url,
    stop: async (idleMs) => {
      observer.lifecycle?.({ state: 'stopping', url });
      if (drainDelayMs > 0) await setTimeout(drainDelayMs);
      await listener.stop(idleMs);
      await store.close();
      observer.lifecycle?.({ state: 'stopped', url });
    },
  };
}
