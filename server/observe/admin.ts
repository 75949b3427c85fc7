/** The admin port for operators: liveness, readiness and metrics. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LIMITS } from '../http/connections.ts';
import type { Limits } from '../http/connections.ts';
import { joinObservers } from '../http/events.ts';
import type { Lifecycle, Observer } from '../http/events.ts';
import { listen } from '../http/listener.ts';
import type { Address, ListenerParts } from '../http/listener.ts';
import { createMetrics } from './metrics.ts';
import type { Metrics } from './metrics.ts';

export interface AdminOptions extends Pick<Address, 'host' | 'port'>, Pick<ListenerParts, 'contract'> {
  /** Reads from the store. It throws or rejects if the store is unavailable. */
  readonly probe: () => unknown;
  /** The metrics of this process by default. */
  readonly metrics?: Metrics;
}

export interface Admin {
  readonly url: string;
  /** Observes the events of the public server. */
  readonly observer: Observer;
  readonly stop: () => Promise<void>;
}

const TEXT = 'text/plain; charset=utf-8';
const MAX_CONNECTIONS = 100;
// The clients are a few machines that send a request every few seconds.
const ADMIN_LIMITS: Limits = {
  ...LIMITS,
  connections: MAX_CONNECTIONS,
  connectionsPerAddress: MAX_CONNECTIONS,
  rejectedConnections: 0, // Closes further connections at once.
};

/**
 * Starts to serve `/livez`, `/readyz` and `/metrics`.
 * @throws a Node error with a `code` such as `EADDRINUSE`.
 */
export async function startAdmin({
  contract,
  probe,
  metrics = createMetrics(),
  ...address
}: AdminOptions): Promise<Admin> {
  let state: Lifecycle['state'] | 'starting' = 'starting';

  const notReady = async (): Promise<string | undefined> => {
    if (state !== 'listening') return `the server is ${state}`;
    try {
      await probe();
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const respond = async ({ method, url = '' }: IncomingMessage, res: ServerResponse): Promise<void> => {
    const send = (status: number, body: string, headers: Record<string, string> = {}): void => {
      res.writeHead(status, { 'Content-Type': TEXT, 'Cache-Control': 'no-store', ...headers }).end(body);
    };
    if (method !== 'GET' && method !== 'HEAD') {
      send(405, 'only GET and HEAD are allowed\n', { Allow: 'GET, HEAD' });
      return;
    }
    switch (url.split('?', 1)[0]) {
      case '/livez':
        send(200, 'ok\n');
        return;
      case '/readyz': {
        const reason = await notReady();
        if (reason === undefined) send(200, 'ok\n');
        else send(503, `not ready: ${reason}\n`);
        return;
      }
      case '/metrics':
        send(200, await metrics.read(), { 'Content-Type': metrics.contentType });
        return;
      default:
        send(404, 'not found; the paths are /livez, /readyz and /metrics\n');
    }
  };

  const listener = await listen(
    (req, res) => {
      respond(req, res).catch(() => res.destroy());
    },
    { contract, observer: {}, limits: ADMIN_LIMITS, corsOrigins: [] },
    address,
  );
  return {
    url: listener.url,
    observer: joinObservers([
      metrics.observer,
      {
        lifecycle: (event) => {
          state = event.state;
        },
      },
    ]),
    stop: () => listener.stop(0),
  };
}
