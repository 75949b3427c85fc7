/** Graceful shutdown: requests that have arrived get their responses, connections in use close, and the time to wait is bounded. */
import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { nextTurn, setImmediate, ticks } from '../real-time.ts';
import type { Ticks } from '../real-time.ts';
import type { Connections } from './connections.ts';

// A connection in use sends its next request within this time. The response to that request closes the connection.
const IDLE_MS = 250;
// How long a request may take to arrive once the server is stopping.
const HALF_SENT_MS = 1000;
const DEADLINE_MS = 10_000;
const CHECK_MS = 20;

/**
 * @param idleMs how long connections without a request stay open, for requests that are on their way. With 0 the server does not wait:
 *   it destroys all connections at once.
 */
export type Stop = (idleMs?: number) => Promise<void>;

export interface Drain {
  readonly stop: Stop;
  /** Serves a request at once. While the server is draining, it first waits until it knows whether the response closes the connection. */
  readonly serve: (res: ServerResponse, serve: () => void) => void;
}

/** @returns the functions that serve requests and stop the server. Every request must be served by this `serve`. */
export function createDrain(server: Server, { sockets, latestResponse }: Connections, every: Ticks = ticks): Drain {
  let isDraining = false;

  const check = async (sinceMs: number, idleMs: number): Promise<void> => {
    await parseArrived();
    if (sinceMs >= idleMs) server.closeIdleConnections();
    for (const socket of sockets()) {
      const isLate = sinceMs >= (latestResponse(socket)?.closed === false ? DEADLINE_MS : HALF_SENT_MS);
      if (isLate) socket.destroy();
    }
  };
  // Does not use the `close` of `node:http`, which always closes idle connections at once: requests on their way would get a reset.
  const closed = (): Promise<void> =>
    new Promise((resolve) => {
      TcpServer.prototype.close.call(server, () => {
        resolve();
      });
    });
  const drain = async (idleMs: number): Promise<void> => {
    isDraining = true;
    await parseArrived();
    for (const socket of sockets()) {
      const response = latestResponse(socket);
      if (response !== undefined) closeAfter(response);
    }
    const allClosed = closed();
    const end = every(CHECK_MS, (sinceMs) => check(sinceMs, idleMs));
    await allClosed;
    end();
  };
  const destroyAll = (): Promise<void> => {
    const allClosed = closed();
    for (const socket of sockets()) socket.destroy();
    return allClosed;
  };
  return {
    serve: (res, serve) => {
      if (!isDraining) {
        serve();
        return;
      }
      // Waits until all requests that arrived together have been parsed: only the last response may close the connection.
      setImmediate(() => {
        if (res.socket !== null && latestResponse(res.socket) === res) closeAfter(res);
        serve();
      });
    },
    stop: async (idleMs = IDLE_MS) => {
      await (idleMs > 0 ? drain(idleMs) : destroyAll());
      server.close(() => undefined); // Stops the timer of `node:http` that checks for late requests.
    },
  };
}

/** Resolves when the event loop has polled for input once more: everything that arrived before this call has been parsed by then. */
async function parseArrived(): Promise<void> {
  await nextTurn(); // The current turn, which may have polled already.
  await nextTurn();
}

/** Makes a response send `Connection: close` and end its connection. */
function closeAfter(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
