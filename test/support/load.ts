/**
 * Clients that ask again and again on connections that they keep, and count what is lost. Only lab/restarts may assert that nothing is:
 * a client that is held up for 250 ms, by whatever else its process does, loses a request.
 */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

const CONNECTIONS = 20;
/** For what is in flight at the end. A connection that was on its way to a worker that was killed stays open, and has no response. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 5; // Before another connection is tried.

export interface Load {
  /** How many were opened. */
  connections: number;
  responses: number;
  /** Requests that were sent and had no response. */
  lost: number;
  /** Those of them that were the first of their connection. */
  lostAtFirst: number;
  /** The beginnings of the answers. */
  readonly statuses: Set<string>;
  /** Waits for so many more answers. */
  untilResponses(count: number): Promise<void>;
  end(): Promise<void>;
}

/** Starts to ask a server for a list, on twenty connections. */
export function startLoad(url: string, key: string): Load {
  const port = Number(new URL(url).port);
  const request = `GET /automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const sockets = new Set<Socket>();
  let isOver = false;
  const load: Load = {
    connections: 0,
    responses: 0,
    lost: 0,
    lostAtFirst: 0,
    statuses: new Set(),
    untilResponses: async (count) => {
      const enough = load.responses + count;
      while (load.responses < enough) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    },
    end: async () => {
      isOver = true;
      const hanging = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, PATIENCE_MS);
      await Promise.all(clients);
      clearTimeout(hanging);
    },
  };

  /** Asks until the connection is closed: by this side where the answer says so. */
  const askOnOne = (): Promise<void> =>
    new Promise((resolve) => {
      let [isFirst, isWaiting] = [true, false];
      const socket = connect(port, '127.0.0.1');
      sockets.add(socket);
      const ask = (): void => {
        isWaiting = true;
        socket.write(request);
      };
      socket.on('connect', () => {
        load.connections += 1;
        ask();
      });
      socket.on('data', (response: Buffer) => {
        const text = response.toString(); // It is shorter than a segment.
        [isFirst, isWaiting] = [false, false];
        load.responses += 1;
        load.statuses.add(text.slice(0, 'HTTP/1.1 200'.length));
        if (isOver || text.includes('Connection: close')) socket.destroy();
        else ask();
      });
      socket.on('error', () => undefined); // Refused while no server listens; whatever else it is, the request is lost.
      socket.on('close', () => {
        sockets.delete(socket);
        if (isWaiting) load.lost += 1;
        if (isWaiting && isFirst) load.lostAtFirst += 1;
        resolve();
      });
    });
  const clients = Array.from({ length: CONNECTIONS }, async () => {
    while (!isOver) {
      await askOnOne();
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  });
  return load;
}
