/** An application on a port: it starts listening, and stops without dropping a request. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket, Server as TcpServer } from 'node:net';
import { respondToMalformedRequests } from './malformed-requests.ts';
import { trackConnections } from './connections.ts';
import type { Limits } from './connections.ts';
import { createCrossOrigin } from './cross-origin.ts';
import type { Contract } from '../../contract/document.ts';
import { unavailable } from '../../contract/problems.ts';
import type { ProblemError } from '../../contract/problems.ts';
import { createDrain } from './drain.ts';
import type { Stop } from './drain.ts';
import type { Observer } from './events.ts';
import { createServer } from './node-http.ts';
import { allowedMethods } from './respond.ts';

export interface Listener {
  /** Such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Accepts no new connection and serves the requests that have arrived, with `Connection: close`. Resolves when all connections are
   * closed, after ten seconds at most.
   */
  readonly stop: Stop;
}

/** Serves a request. @param error the error to respond with, if the listener rejects the request. */
export type Application = (req: IncomingMessage, res: ServerResponse, error?: ProblemError) => void;

// The `Retry-After` of a server with too many connections, which may have room again by then.
const FULL_SECONDS = 5;

export interface ListenerParts {
  readonly contract: Contract;
  readonly observer: Observer;
  readonly limits: Limits;
  /** The origins whose scripts may read responses. */
  readonly corsOrigins: readonly string[];
}

export interface Address {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Whether the process may exit while the server listens and has connections. */
  readonly isBackground?: boolean;
}

/** Starts listening. @throws Error of Node with a `code` such as `EADDRINUSE`. */
export async function listen(
  app: Application,
  { contract, observer: { rejected }, limits, corsOrigins }: ListenerParts,
  { host, port, isBackground = false }: Address,
): Promise<Listener> {
  const server = createServer({
    requireHostHeader: false, // Node would send its own response to a request without `Host`: see `protocolErrorOf`.
    // Of two `Authorization` headers, Node would drop the second. Joined, they are no key that anybody has.
    joinDuplicateHeaders: true,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  });
  if (isBackground) server.unref().on('connection', (socket: Socket) => socket.unref());
  server.maxHeadersCount = 0; // No limit: Node would drop the headers beyond it, perhaps the key. The application rejects such a request.
  const connections = trackConnections(server, limits, () => {
    rejected?.({ reason: 'connections', id: undefined, status: undefined });
  });
  respondToMalformedRequests(
    server,
    connections,
    contract,
    rejected,
    createCrossOrigin(allowedMethods(contract), corsOrigins),
  );
  const { serve, stop } = createDrain(server, connections);
  const full = unavailable(FULL_SECONDS);
  server.on('request', (req, res) => {
    const isExcess = connections.begin(req.socket, res);
    // Node's parser drops what follows such a request in the same segment. A client would wait for the responses without end.
    if (req.headers.upgrade !== undefined) res.shouldKeepAlive = false;
    serve(res, () => {
      app(req, res, isExcess ? full : undefined);
    });
  });
  return { url: urlOf(await listenOn(server, { host, port })), stop };
}

/** Makes a server listen. @returns the address that it has got. @throws Error of Node with a `code` such as `EADDRINUSE`. */
async function listenOn(server: TcpServer, { host, port }: Address): Promise<AddressInfo> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server.address() as AddressInfo; // A server that listens on a port has an AddressInfo.
}

/** @returns the URL of a server that listens on an address. */
const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;

/**
 * Finds the port that several processes are to share, by listening for a moment.
 * @returns the port of the address, or a free one instead of 0.
 * @throws Error of Node with a `code` such as `EADDRINUSE`.
 */
export async function freePort(address: Address): Promise<number> {
  const server = createTcpServer();
  const { port } = await listenOn(server, address);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
