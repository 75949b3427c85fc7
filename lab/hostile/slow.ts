/** Crowds of slow peers, each of which only holds a connection. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** What each peer of a crowd does; it never says or reads more. */
export const CROWDS: Readonly<Record<string, (key: string) => string>> = {
  'slow headers': () => 'GET /automations HTTP/1.1\r\nHost:',
  'not reading': (key) =>
    `GET /automations?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`.repeat(50),
  idle: () => '',
};

/**
 * Gathers a crowd of so many.
 * @param localAddress the source address of all.
 * @returns a function that ends it, once all have connected and sent.
 */
export async function gather(url: string, count: number, text: string, localAddress: string): Promise<() => void> {
  const { hostname: host, port } = new URL(url);
  const sockets = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ host, port: Number(port), localAddress }, () => {
            socket.write(text, () => {
              resolve(socket);
            });
          });
          socket.pause();
          socket.on('error', () => undefined);
          // The kernels' buffers may have no room for the rest while nobody reads.
          socket.once('connect', () => setTimeout(resolve, 1000, socket));
        }),
    ),
  );
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}
