/** An application on a port: starts listening, and stops without dropping anybody. */
import { createServer } from './node-http.ts';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerClientErrors } from './client-errors.ts';
import type { Contract } from '../contract/document.ts';
import type { Observer } from './notices.ts';
import { drainable } from './drain.ts';
import type { Stop } from './drain.ts';

export interface Listener {
  /** Where it answers, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /**
   * Takes no new connection and answers what has arrived, with `Connection: close`. Resolves when all connections are closed,
   * after ten seconds at most.
   */
  readonly stop: Stop;
}

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
  const server = createServer({ requireHostHeader: false });
  answerClientErrors(server, contract, refused);
  const stop = drainable(server, app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo; // It listens on a port, so it is one.
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return { url: `http://${name}:${String(address.port)}`, stop };
}
