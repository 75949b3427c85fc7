/** An application on a port: starts listening, and stops without dropping anybody. */
import { createServer } from './node-http.ts';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientErrors, refuseConnection } from './client-errors.ts';
import { limitConnections } from './connections.ts';
import { LIMITS } from './limits.ts';
import type { Limits } from './limits.ts';
import type { Contract } from '../contract/document.ts';
import { unavailable } from '../contract/problems.ts';

export interface Listener {
  /** Where it answers, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Takes no new connection, lets requests in flight finish, then resolves. */
  stop(): Promise<void>;
}

// When a server that has all connections it takes may have one to spare.
const FULL_SECONDS = 5;
const IDLE_CHECK_MS = 20;
const STOP_DEADLINE_MS = 10_000;

export interface Address {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
}

/**
 * Starts listening.
 * @throws Error of Node with a `code` such as `EADDRINUSE`.
 */
export async function listen(
  app: RequestListener,
  contract: Contract,
  { host, port }: Address,
  limits: Limits = LIMITS,
): Promise<Listener> {
  const server = createServer(
    {
      requireHostHeader: false, // Node would answer a request without Host in words of its own; nothing here depends on it.
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    app,
  );
  server.maxHeadersCount = 0; // Node would drop what is beyond it, perhaps the key; the application refuses such a request.
  answerClientErrors(server, contract);
  limitConnections(server, limits, (socket) => {
    refuseConnection(socket, contract, unavailable(FULL_SECONDS));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // It listens on a port, so it is one.
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${String(address.port)}`, stop: () => stop(server) };
}

async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) =>
    server.close(() => {
      resolve();
    }),
  );
  // A connection that is kept alive turns idle when its request ends, and would hold the server up.
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, IDLE_CHECK_MS);
  const deadline = setTimeout(() => {
    server.closeAllConnections();
  }, STOP_DEADLINE_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
}
