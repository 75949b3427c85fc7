/** Another origin, to which a redirect may lead. It has nothing, and keeps what it is sent. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request for another origin. */
export interface Stray {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface Elsewhere {
  /** Its origin. The host differs too: some clients tell origins apart by the host alone. */
  readonly origin: string;
  /** Forgets what it was sent. @returns what it is sent from now on. */
  readonly begin: () => readonly Stray[];
  readonly close: () => Promise<void>;
}

// A client that sends more has been found out long before.
const MAX_STRAYS = 100;
const NOT_FOUND = 404;

export async function openElsewhere(): Promise<Elsewhere> {
  let strays: Stray[] = [];
  const server = createServer(({ url = '', headers }, res) => {
    if (strays.length < MAX_STRAYS) strays.push({ url, headers });
    res.on('error', () => undefined); // The client has gone.
    res.writeHead(NOT_FOUND, { 'Content-Type': 'text/plain', Connection: 'close' });
    res.end('Nothing is here.\n');
  });
  server.on('clientError', (_, socket) => {
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    origin: `http://localhost:${String(port)}`,
    begin: () => {
      strays = [];
      return strays;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
