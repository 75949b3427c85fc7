/** How a server stops: what has arrived is answered, connections in use are told to close, and nobody is waited for in vain. */
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { latestResponse } from './client-errors.ts';

// A connection in use sends its next request within this time, and is told in its answer to go elsewhere.
const IDLE_MS = 250;
// How long a request may take to arrive, once the server stops.
const HALF_SENT_MS = 1000;
const DEADLINE_MS = 10_000;
const CHECK_MS = 20;

/** @param idleMs how long connections without a request are kept open, for requests that are on their way. */
export type Stop = (idleMs?: number) => Promise<void>;

/**
 * Has `app` answer the requests of a server.
 * @returns what stops the server.
 */
export function drainable(server: Server, app: RequestListener): Stop {
  const sockets = new Set<Socket>();
  let isDraining = false;

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (req, res) => {
    if (!isDraining) {
      app(req, res);
      return;
    }
    // Later, when what has arrived together with it has been read: only the last answer may close the connection.
    setImmediate(() => {
      if (latestResponse(req.socket) === res) sayClose(res);
      app(req, res);
    });
  });

  const check = (sinceMs: number, idleMs: number): void => {
    if (sinceMs >= idleMs) server.closeIdleConnections();
    for (const socket of sockets) {
      const isLate = sinceMs >= (isAnswering(socket) ? DEADLINE_MS : HALF_SENT_MS);
      if (isLate) socket.destroy();
    }
  };
  return async (idleMs = IDLE_MS) => {
    const started = performance.now();
    isDraining = true;
    await readWhatHasArrived();
    for (const socket of sockets) {
      const response = latestResponse(socket);
      if (response !== undefined) sayClose(response);
    }
    // The close of `node:http` would end idle connections at once, and requests on their way would meet with a reset.
    const closed = new Promise<void>((resolve) => {
      TcpServer.prototype.close.call(server, () => {
        resolve();
      });
    });
    const checks = setInterval(() => {
      void readWhatHasArrived().then(() => {
        check(performance.now() - started, idleMs);
      });
    }, CHECK_MS);
    check(0, idleMs);
    await closed;
    clearInterval(checks);
    server.close(() => undefined); // Ends the timer with which `node:http` looks for late requests.
  };
}

/** Until the event loop has asked for input once more: all that arrived before this call is a request then. */
async function readWhatHasArrived(): Promise<void> {
  await turn(); // Of the turn that goes on, which may have asked already.
  await turn();
}

function isAnswering(socket: Socket): boolean {
  return latestResponse(socket)?.closed === false;
}

/** Makes an answer say `Connection: close`, and its connection end with it. */
function sayClose(response: ServerResponse): void {
  response.shouldKeepAlive = false;
}
