/** A TCP proxy that adds latency, as a network does: half of it each way, and all of it to connect. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

const HOST = '127.0.0.1';

export interface LatencyProxy {
  readonly url: string;
  readonly close: () => void;
}

/** Starts a proxy before a server of this machine. @param latencyMs of a round trip. */
export async function startLatencyProxy(url: string, latencyMs: number): Promise<LatencyProxy> {
  const sockets = new Set<Socket>();
  const forward = (from: Socket, to: Socket, readyAt: number): void => {
    sockets.add(from);
    // Timers of equal times run in the order in which they were set.
    const later = (run: () => void): void => {
      setTimeout(run, Math.max(0, readyAt - performance.now()) + latencyMs / 2);
    };
    from.on('data', (bytes: Buffer) => {
      later(() => to.writable && to.write(bytes));
    });
    from.on('end', () => {
      later(() => to.end());
    });
    from.on('error', () => undefined); // `close` follows.
    from.on('close', (hasFailed) => {
      sockets.delete(from);
      if (hasFailed) to.destroy();
    });
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(new URL(url).port), host: HOST, allowHalfOpen: true });
    forward(client, upstream, performance.now() + latencyMs);
    forward(upstream, client, 0);
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://${HOST}:${String(port)}`,
    close: () => {
      server.close();
      for (const it of sockets) it.destroy();
    },
  };
}
