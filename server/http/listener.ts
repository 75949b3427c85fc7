/** An application on a port: starts listening, and stops without dropping anybody. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { answerClientErrors } from './client-errors.ts';
import { LIMITS, trackConnections } from './connections.ts';
import type { Limits } from './connections.ts';
import { createCrossOrigin } from './cross-origin.ts';
import type { Contract } from '../contract/document.ts';
import { unavailable } from '../contract/problems.ts';
import type { ProblemError } from '../contract/problems.ts';
import { createDrain } from './drain.ts';
import type { Stop } from './drain.ts';
import type { Observer } from './events.ts';
import { createServer } from './node-http.ts';
import { allowedMethods } from './respond.ts';

export interface Listener {
  /** Where it answers, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Takes no new connection and answers what has arrived, with `Connection: close`. Resolves when all connections are closed,
   * after ten seconds at most.
   */
  readonly stop: Stop;
}

/** Serves a request. @param error is to be its response: what the listener has against it. */
export type Application = (req: IncomingMessage, res: ServerResponse, error?: ProblemError) => void;

// When a server that has all connections it takes may have one to spare.
const FULL_SECONDS = 5;

export interface Address {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Not shared with the other workers of a cluster. */
  readonly exclusive?: boolean;
}

/**
 * Starts listening.
 * @param corsOrigins whose scripts may read what the application does not answer; it has to be told of them itself.
 * @throws Error of Node with a `code` such as `EADDRINUSE`.
 */
export async function listen(
  app: Application,
  contract: Contract,
  { host, port, exclusive = false }: Address,
  { refused }: Observer = {},
  limits: Limits = LIMITS,
  corsOrigins: readonly string[] = [],
): Promise<Listener> {
  const server = createServer({
    requireHostHeader: false, // Node would answer a request without Host in words of its own; nothing here depends on it.
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  });
  server.maxHeadersCount = 0; // Node would drop what is beyond it, perhaps the key; the application refuses such a request.
  const connections = trackConnections(server, limits, () => {
    refused?.({ reason: 'connections', id: undefined, status: undefined });
  });
  answerClientErrors(server, connections, contract, refused, createCrossOrigin(allowedMethods(contract), corsOrigins));
  const { serve, stop } = createDrain(server, connections);
  const full = unavailable(FULL_SECONDS);
  server.on('request', (req, res) => {
    const isExcess = connections.begin(req.socket, res);
    serve(res, () => {
      app(req, res, isExcess ? full : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive }, resolve);
  });
  const address = server.address() as AddressInfo; // It listens on a port, so it is one.
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${String(address.port)}`, stop };
}

/**
 * Listens for a moment.
 * @returns the port of the address, or a free one instead of 0.
 * @throws Error of Node with a `code` such as `EADDRINUSE`.
 */
export async function freePort({ host, port }: Address): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: found } = server.address() as AddressInfo; // It listens on a port, so it is one.
  await new Promise((resolve) => server.close(resolve));
  return found;
}
