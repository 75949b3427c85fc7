/** How a server stops: what has arrived is answered, connections in use are told to close, and nobody is waited for in vain. */
import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { clearInterval, now, setImmediate, setInterval } from '../real-time.ts';
import type { Connections } from './connections.ts';

// A connection in use sends its next request within this time, and is told in its answer to go elsewhere.
const IDLE_MS = 250;
// How long a request may take to arrive, once the server stops.
const HALF_SENT_MS = 1000;
const DEADLINE_MS = 10_000;
const CHECK_MS = 20;

/**
 * @param idleMs how long connections without a request are kept open, for requests that are on their way. With 0 the server waits
 *   for nobody: all connections are cut at once.
 */
export type Stop = (idleMs?: number) => Promise<void>;

export interface Drain {
  readonly stop: Stop;
  /** Serves a request: at once, or while the server drains, in time to say in the response that the connection closes. */
  readonly serve: (res: ServerResponse, serve: () => void) => void;
}

/** @returns what stops a server. All of its requests have to be served through it. */
export function createDrain(server: Server, { sockets, latestResponse }: Connections): Drain {
  let isDraining = false;

  const check = (sinceMs: number, idleMs: number): void => {
    if (sinceMs >= idleMs) server.closeIdleConnections();
    for (const socket of sockets()) {
      const isLate = sinceMs >= (latestResponse(socket)?.closed === false ? DEADLINE_MS : HALF_SENT_MS);
      if (isLate) socket.destroy();
    }
  };
  // Not the close of `node:http`, which has no option for it: it would end idle connections at once, and requests on their way
  // would meet with a reset.
  const closed = (): Promise<void> =>
    new Promise((resolve) => {
      TcpServer.prototype.close.call(server, () => {
        resolve();
      });
    });
  const drain = async (idleMs: number): Promise<void> => {
    const started = now();
    isDraining = true;
    await readWhatHasArrived();
    for (const socket of sockets()) {
      const response = latestResponse(socket);
      if (response !== undefined) sayClose(response);
    }
    const allClosed = closed();
    const checks = setInterval(() => {
      void readWhatHasArrived().then(() => {
        check(now() - started, idleMs);
      });
    }, CHECK_MS);
    check(0, idleMs);
    await allClosed;
    clearInterval(checks);
  };
  const cut = (): Promise<void> => {
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
      // Later, when what has arrived together with it has been read: only the last response may close the connection.
      setImmediate(() => {
        if (res.socket !== null && latestResponse(res.socket) === res) sayClose(res);
        serve();
      });
    },
    stop: async (idleMs = IDLE_MS) => {
      await (idleMs > 0 ? drain(idleMs) : cut());
      server.close(() => undefined); // Ends the timer with which `node:http` looks for late requests.
    },
  };
}

/** Until the event loop has asked for input once more: all that arrived before this call is a request then. */
async function readWhatHasArrived(): Promise<void> {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await turn(); // Of the turn that goes on, which may have asked already.
  await turn();
}

/** Makes an answer say `Connection: close`, and its connection end with it. */
function sayClose(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
