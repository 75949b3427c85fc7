/** Connections: how many there may be, and for how long one may hold its place without anything leaving on it. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';

/**
 * Bounds the connections of a server.
 * @param refuse answers a connection that is too many, and lets go of it.
 */
export function limitConnections(server: Server, limits: Limits, refuse: (socket: Socket) => void): void {
  const open = new Map<Socket, Connection>();
  const byAddress = new Map<string, number>();
  let refused = 0;

  const admit = (socket: Socket, address: string): void => {
    open.set(socket, { requests: 0, sent: 0, at: performance.now() });
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1);
    socket.once('close', () => {
      open.delete(socket);
      const others = (byAddress.get(address) ?? 0) - 1;
      if (others > 0) byAddress.set(address, others);
      else byAddress.delete(address);
    });
  };
  const turnAway = (socket: Socket): void => {
    if (refused >= limits.refusedConnections) {
      socket.destroy();
      return;
    }
    refused += 1;
    socket.once('close', () => (refused -= 1));
    refuse(socket);
  };

  // Node's own listener would read a request; it gets the connections that are admitted.
  const serve = server.listeners('connection');
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    const address = addressGroup(socket.remoteAddress);
    const isFull = open.size >= limits.connections || (byAddress.get(address) ?? 0) >= limits.connectionsPerAddress;
    if (isFull) {
      turnAway(socket);
      return;
    }
    admit(socket, address);
    for (const listener of serve) listener.call(server, socket);
  });

  server.prependListener('request', ({ socket }, res) => {
    const connection = open.get(socket);
    if (connection === undefined) return;
    connection.requests += 1;
    if (connection.requests >= limits.requestsPerConnection) res.shouldKeepAlive = false;
  });

  const check = setInterval(() => {
    const now = performance.now();
    for (const [socket, connection] of open) {
      const sent = socket.bytesWritten - socket.writableLength;
      if (sent !== connection.sent) Object.assign(connection, { sent, at: now });
      else if (now - connection.at > limits.stalledMs) socket.destroy();
    }
  }, limits.checkEveryMs).unref();
  server.once('close', () => {
    clearInterval(check);
  });
}

interface Connection {
  requests: number;
  /** Bytes that have left. */
  sent: number;
  /** When that was seen first. */
  at: number;
}

/** @returns what counts as one address: of IPv6 the network of 64 bits, because a peer has all addresses of its own. */
export function addressGroup(address = ''): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '');
  const [head = '', tail] = address.split('::');
  const [before, after] = [head.split(':'), tail === undefined || tail === '' ? [] : tail.split(':')];
  const zeros = tail === undefined ? 0 : 8 - after.length - (head === '' ? 0 : before.length);
  return [...(head === '' ? [] : before), ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
