/** An application on a port: starts listening, and stops without dropping anybody. */
import { createServer } from './node-http.ts';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientErrors } from './client-errors.ts';
import type { Contract } from '../contract/document.ts';
import type { Observer } from './notices.ts';

export interface Listener {
  /** Where it answers, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Takes no new connection, lets requests in flight finish, then resolves. */
  stop(): Promise<void>;
}

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
  { refused }: Observer = {},
): Promise<Listener> {
  // Node would answer a request without Host in words of its own; nothing here depends on that header.
  const server = createServer({ requireHostHeader: false }, app);
  answerClientErrors(server, contract, refused);
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
