/** Connections: the limits of the resources that a peer may use, and the bookkeeping that enforces the limits of connections. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clearTimeout, setTimeout, ticks } from '../real-time.ts';
import type { Ticks } from '../real-time.ts';

export interface Limits {
  /** The maximum size of a request's target and headers together. */
  readonly headerBytes: number;
  readonly headerCount: number;
  /** The maximum time from the first byte of a connection or request to the last byte of its headers. */
  readonly headersMs: number;
  /** The maximum time from the same first byte to the last byte of the body, although the server does not use bodies. */
  readonly requestMs: number;
  /** The maximum time between two requests of a connection. */
  readonly idleMs: number;
  /** The maximum time for which the server sends nothing on a connection with a request, and beyond `idleMs` on any other. */
  readonly stalledMs: number;
  /** How often connections are checked against the times above. */
  readonly checkEveryMs: number;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** The number of connections beyond the limits that stay open until the peer has read the error. */
  readonly rejectedConnections: number;
  readonly requestsPerConnection: number;
  /**
   * Requests that wait for their response, or that got it in the current turn of the event loop. The limit is lower under a sustained
   * load, or when requests are slow: see admission.ts.
   */
  readonly requestsInFlight: number;
}

/** The defaults, each with its reason. */
export const LIMITS: Limits = {
  headerBytes: 16_384, // The longest request that the contract allows has about 200 bytes; proxies and browsers add a few thousand.
  headerCount: 100, // Browsers behind two proxies send about 40. Each header costs an entry in an object.
  headersMs: 10_000, // A lost packet is sent again within seconds.
  requestMs: 15_000, // No request needs a body; if a client sends a short one, it arrives with the headers.
  idleMs: 65_000, // `--keep-alive`. Longer than the 60 s of common proxies: the proxy closes first, and no request meets a closed connection.
  stalledMs: 75_000, // Longer than the times of a request above. A peer that reads a response is faster: 100 records are 30 KB.
  checkEveryMs: 1000,
  connections: 10_000, // About 10 KB each when idle: 100 MB in all.
  connectionsPerAddress: 2500, // A proxy in front of the server needs hundreds. No address gets more than a quarter of all connections.
  rejectedConnections: 1000,
  requestsPerConnection: 10_000, // Clients reconnect from time to time and spread over the workers again, at a negligible cost.
  requestsInFlight: 256, // A burst of this many uncached pages takes 25 ms, so an error arrives within 50 ms.
};

// How long a connection beyond the limits may take to send a request, and to read the error.
const EXCESS_MS = 1000;

interface Connection {
  readonly socket: Socket;
  /** Whether the connection is beyond the limits, so that its request is rejected. */
  readonly isExcess: boolean;
  requests: number;
  latest: ServerResponse | undefined;
  /** The number of bytes that had been sent at the last check; `undefined` before the first one. */
  sent: number | undefined;
  /** When a check first observed that number. */
  sentSince: number;
}

export interface Connections {
  /** @returns the sockets of all open connections. */
  readonly sockets: () => Iterable<Duplex>;
  /** @returns the response to the latest request of a connection; `undefined` if there was none. */
  readonly latestResponse: (socket: Duplex) => ServerResponse | undefined;
  /** Must be called for each request before it is served. @returns whether its connection is beyond the limits. */
  readonly begin: (socket: Duplex, res: ServerResponse) => boolean;
}

/**
 * Tracks the connections of a server and enforces the limits.
 * @param cut is called for each connection that is closed without a response, because too many connections beyond the limits are open already.
 */
export function trackConnections(server: Server, limits: Limits, cut: () => void, every: Ticks = ticks): Connections {
  const open = new Map<Duplex, Connection>();
  const byAddress = new Map<string, number>();
  let excess = 0;

  const addExcess = (socket: Socket): void => {
    if (excess >= limits.rejectedConnections) {
      cut();
      socket.destroy();
      return;
    }
    excess += 1;
    const timer = setTimeout(() => socket.destroy(), EXCESS_MS);
    socket.once('close', () => {
      excess -= 1;
      clearTimeout(timer);
    });
  };
  server.on('connection', (socket: Socket) => {
    const address = addressGroup(socket.remoteAddress);
    const ofAddress = byAddress.get(address) ?? 0;
    const isExcess = open.size - excess >= limits.connections || ofAddress >= limits.connectionsPerAddress;
    open.set(socket, { socket, isExcess, requests: 0, latest: undefined, sent: undefined, sentSince: 0 });
    socket.once('close', () => {
      open.delete(socket);
      if (isExcess) return;
      const remaining = (byAddress.get(address) ?? 0) - 1;
      if (remaining > 0) byAddress.set(address, remaining);
      else byAddress.delete(address);
    });
    if (isExcess) addExcess(socket);
    else byAddress.set(address, ofAddress + 1);
  });

  const endChecks = every(limits.checkEveryMs, (time) => {
    for (const connection of open.values()) {
      const { socket } = connection;
      const sent = socket.bytesWritten - socket.writableLength;
      const idleMs = isIdle(connection) ? limits.idleMs : 0;
      if (sent !== connection.sent) Object.assign(connection, { sent, sentSince: time });
      else if (time - connection.sentSince > idleMs + limits.stalledMs) socket.destroy();
    }
  });
  server.once('close', endChecks);
  return {
    sockets: () => open.keys(),
    latestResponse: (socket) => open.get(socket)?.latest,
    begin: (socket, res) => {
      const connection = open.get(socket);
      if (connection === undefined) return false; // The connection has been closed.
      if (isIdle(connection)) connection.sent = undefined; // The time of its response begins.
      connection.requests += 1;
      connection.latest = res;
      const { isExcess, requests } = connection;
      if (isExcess || requests >= limits.requestsPerConnection) res.shouldKeepAlive = false;
      return isExcess;
    },
  };
}

/** @returns whether a connection waits for its next request. Then `node:http` closes it after `idleMs`; a check is the last resort. */
const isIdle = ({ latest }: Connection): boolean => latest?.closed === true;

/** @returns the part of an address by which limits count. For IPv6 it is the 64-bit network, because one peer has all addresses of it. */
export function addressGroup(address = ''): string {
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '');
  const [head = '', tail] = address.split('::');
  const [before, after] = [head.split(':'), tail === undefined || tail === '' ? [] : tail.split(':')];
  const zeros = tail === undefined ? 0 : 8 - after.length - (head === '' ? 0 : before.length);
  return [...(head === '' ? [] : before), ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
