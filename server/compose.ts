/** A whole server: composed of its parts, warmed up and listening. Nothing else knows all parts: `serve`, the demo, the test kit and `examine` call this. */
import { setTimeout } from 'node:timers/promises';
import type { Operation } from '../contract/document.ts';
import { createHandlers } from './handlers.ts';
import { LIMITS } from './http/connections.ts';
import { NOBODY } from './store/store.ts';
import type { Caller } from './store/store.ts';
import { listen } from './http/listener.ts';
import type { Address, Listener } from './http/listener.ts';
import { get } from './http/node-http.ts';
import { createPipeline } from './http/pipeline.ts';
import type { Parts } from './http/pipeline.ts';
import type { RateLimit } from './http/rate-limits.ts';
import type { Pages } from './pages/pages.ts';

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
const ALL_PAGES: Pages = { console: true, reference: true };

export interface ServerOptions extends Omit<Given, 'rateLimits'>, Address {
  /** Whether to warm up before listening: see `warmUp`. */
  readonly isWarm: boolean;
  /** No limit by default. */
  readonly rateLimit?: RateLimit | undefined;
  /** How long the server accepts new connections after `stop` was called, so that readiness probes see the new state first. */
  readonly drainDelayMs?: number;
}

/**
 * Serves a store.
 * @returns the listener. Stopping it closes the store.
 * @throws Error if the contract or the store cannot be served, and an error of Node with a `code` if the server cannot listen.
 */
export async function startServer({
  host,
  port,
  isWarm,
  rateLimit,
  drainDelayMs = 0,
  ...given
}: ServerOptions): Promise<Listener> {
  // Imported only when needed, because its library takes time to load.
  const rateLimits = rateLimit && (await import('./http/rate-limits.ts')).createRateLimits(rateLimit);
  const parts = compose({ ...given, rateLimits });
  const { store, observer } = parts;
  if (isWarm) await warmUp(parts);
  const listener = await listen(createPipeline(parts), parts, { host, port });
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

// Enough to load and run all code; the optimizing compiler continues with the callers' requests.
const ROUNDS = 2;
const CALLER: Caller = { account: NOBODY, accountName: '', keyId: '' };

/**
 * Sends requests to every operation of an application with the same parts, on a temporary port. This proves that the contract and the
 * store are usable, and the first caller does not wait for code to load.
 * @throws Error if a response is not the one for an account without records.
 */
async function warmUp(parts: Parts): Promise<void> {
  const { contract, store } = parts;
  let fault: unknown;
  const warm: Parts = {
    ...parts,
    rateLimits: undefined,
    intercept: undefined, // Warm-up requests come from no caller.
    store: { ...store, authenticate: () => ({ ...CALLER, records: store }) },
    observer: {
      failed: ({ error }) => {
        fault ??= error;
      },
    },
  };
  const listener = await listen(createPipeline(warm), warm, { host: '127.0.0.1', port: 0, exclusive: true });
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const operation of contract.operations) {
        const status = await statusOf(listener.url + examplePath(operation));
        const expected = operation.parameters.some((it) => it.in === 'path') ? contract.problemStatus.not_found : 200;
        if (status !== expected) {
          throw new Error(`${operation.id} cannot be served: it responds with ${String(status)}.`, { cause: fault });
        }
      }
    }
  } finally {
    await listener.stop();
  }
}

function examplePath({ route, parameters }: Operation): string {
  const example = (name: string): string =>
    String(parameters.find((it) => it.in === 'path' && it.name === name)?.schema.example);
  return route.replaceAll(/:(\w+)/g, (_, name: string) => example(name));
}

// A new connection each time: the first caller opens one too.
function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { authorization: 'Bearer warm-up' } }, (res) => {
      res.resume().once('end', () => {
        resolve(res.statusCode);
      });
    }).once('error', reject);
  });
}
