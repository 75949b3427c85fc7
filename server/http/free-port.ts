/** The port that several processes are to share, before one of them listens. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Address } from './listener.ts';

/**
 * Listens for a moment.
 * @returns the port of the address, or a free one instead of 0.
 * @throws Error of Node with a `code` such as `EADDRINUSE`.
 */
export async function freePort({ host, port }: Address): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: found } = server.address() as AddressInfo; // It listens on a port, so it is one.
  await new Promise((resolve) => server.close(resolve));
  return found;
}
