/** A whole server: composed of its parts and listening. Nothing else knows all parts: `serve`, the demo and the test kit call this. */
import { setTimeout } from 'node:timers/promises';
import { createHandlers } from './handlers.ts';
import { LIMITS } from './http/connections.ts';
import { loadValidation } from './http/express.ts';
import { listen } from './http/listener.ts';
import type { Address, Listener } from './http/listener.ts';
import { createPipeline } from './http/pipeline.ts';
import type { Parts } from './http/pipeline.ts';
import type { RateLimit } from './http/rate-limits.ts';
import type { EnabledPages } from './pages/pages.ts';

/** The parts that a caller may leave out. */
type Defaulted = 'limits' | 'corsOrigins' | 'pages';
/** The parts of a server as its caller has them. */
export type Given = Omit<Parts, Defaulted | 'createHandlers'> & {
  readonly [Name in Defaulted]?: Parts[Name] | undefined;
};

/** @returns all parts: with the handlers and, for those that were left out, no origins, all pages, and the default limits. */
export const compose = ({ limits = LIMITS, corsOrigins = [], pages = ALL_PAGES, ...parts }: Given): Parts => ({
  ...parts,
  createHandlers,
  limits,
  corsOrigins,
  pages,
});
const ALL_PAGES: EnabledPages = { console: true, reference: true };

export interface ServerOptions extends Omit<Given, 'rateLimits'>, Address {
  /** No limit by default. */
  readonly rateLimit?: RateLimit | undefined;
  /** How long the server accepts new connections after `stop` was called, so that readiness probes see the new state first. */
  readonly drainDelayMs?: number;
  /**
   * Whether the validator is loaded for the first request that needs it, instead of at the start. In a test runner, which loads modules
   * slowly, that request could wait longer than its caller does.
   */
  readonly isLazy?: boolean;
}

/**
 * Serves a store.
 * @returns the listener. Stopping it closes the store.
 * @throws Error of Node with a `code` if the server cannot listen.
 */
export async function startServer({
  host,
  port,
  isBackground = false,
  rateLimit,
  drainDelayMs = 0,
  isLazy = false,
  ...given
}: ServerOptions): Promise<Listener> {
  // Imported only when needed, because its library takes time to load.
  const rateLimits = rateLimit && (await import('./http/rate-limits.ts')).createRateLimits(rateLimit);
  const parts = compose({ ...given, rateLimits });
  const { contract, store, observer } = parts;
  const listener = await listen(createPipeline(parts), parts, { host, port, isBackground });
  const { url } = listener;
  observer.lifecycle?.({ state: 'listening', url });
  if (!isLazy) {
    await loadValidation().then(
      ({ validatorOf }) => validatorOf(contract),
      () => undefined, // Every request that needs it reports why it cannot be loaded.
    );
  }
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
