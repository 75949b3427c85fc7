/** Connections to a server, directly or through a proxy, and why one has no response. */
import http from 'node:http';
import https from 'node:https';
import { connect as connectPlain, isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectSecure } from 'node:tls';
import { Said, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';
import { proxyHeaders } from './proxy.ts';
import type { Proxy } from './proxy.ts';

/** There was no HTTP response within the bounds of time and size. The text is the reason, as a clause. */
export class NoResponse extends Said {
  override readonly name = 'NoResponse';
}

/** The time limit of the request ended before the response. */
export class TooSlow extends NoResponse {
  constructor(timeoutMs: number) {
    super(say`no complete response within ${Math.ceil(timeoutMs / 1000)} s`);
  }
}

/** @returns the error of a failed connection. Node has the reason in the error, or in the errors that it aggregates. */
export function noResponse(error: unknown): NoResponse {
  if (error instanceof NoResponse) return error;
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ECONNRESET')
    return new NoResponse(say`the connection was closed without a response`);
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  // `instanceof Error` is not reliable: Node throws instances of its own realm's classes.
  const hasMessage = typeof first === 'object' && first !== null && 'message' in first;
  return new NoResponse(quote(String(hasMessage ? first.message : first), MAX_REASON));
}
const MAX_REASON = 200;

/** Where a server is. */
export interface Address {
  readonly isSecure: boolean;
  /** Without the brackets of IPv6. */
  readonly host: string;
  readonly port: number;
  /** As a `Host` header has it. */
  readonly authority: string;
}

function addressOf({ protocol, hostname, host, port }: URL): Address {
  const isSecure = protocol === 'https:';
  const number = port === '' ? (isSecure ? 443 : 80) : Number(port);
  return { isSecure, host: hostname.replace(/^\[|\]$/g, ''), port: number, authority: host };
}

/** A server's name in TLS, which an address has not. */
const nameOf = ({ host }: Address): { readonly servername?: string } => (isIP(host) === 0 ? { servername: host } : {});

/** How requests reach a server. */
export interface Route {
  /** Where a connection leads. */
  readonly to: Address;
  /** What stands before the path in a request line: nothing, or the origin, for a proxy. */
  readonly before: string;
  /** What the proxy needs. */
  readonly headers: Readonly<Record<string, string>>;
  /** @returns an agent for node:http. */
  readonly agent: (options: http.AgentOptions) => http.Agent;
  /** Opens a connection. @throws NoResponse */
  readonly open: (timeoutMs: number) => Promise<Socket>;
}

export function routeOf(base: URL, proxy: Proxy | undefined): Route {
  const server = addressOf(base);
  // For TLS, a proxy makes a tunnel. Other requests are sent to the proxy itself, with the whole URL.
  if (proxy !== undefined && !server.isSecure) {
    const to = addressOf(proxy.url);
    const agent = (options: http.AgentOptions): http.Agent => agentOf(to, options);
    return { to, before: base.origin, headers: proxyHeaders(proxy), agent, open: () => Promise.resolve(connect(to)) };
  }
  const direct = { to: server, before: '', headers: {} };
  if (proxy === undefined)
    return { ...direct, agent: (options) => agentOf(server, options), open: () => Promise.resolve(connect(server)) };
  const open = async (timeoutMs: number): Promise<Socket> =>
    connectSecure({ ...nameOf(server), socket: await openTunnel(proxy, server, timeoutMs) });
  return { ...direct, open, agent: (options) => new TunnelAgent(open, options) };
}

const agentOf = ({ isSecure }: Address, options: http.AgentOptions): http.Agent =>
  new (isSecure ? https : http).Agent(options);

const connect = (to: Address): Socket =>
  to.isSecure ? connectSecure({ host: to.host, port: to.port, ...nameOf(to) }) : connectPlain(to);

// As long as a request may take, unless the run ends before: then the tunnel does not keep the process.
const TUNNEL_MS = 10_000;

/** Connections through tunnels. */
class TunnelAgent extends https.Agent {
  readonly #open: Route['open'];

  constructor(open: Route['open'], options: http.AgentOptions) {
    super(options);
    this.#open = open;
  }

  override createConnection(
    _options: object,
    callback: (error: Error | null, socket: Duplex) => void = () => undefined,
  ): undefined {
    this.#open(TUNNEL_MS).then(
      (socket) => {
        callback(null, socket);
      },
      (error: unknown) => {
        callback(noResponse(error), undefined as never); // With an error, Node reads no socket.
      },
    );
  }
}

/** @returns a connection to a server that a proxy makes. @throws NoResponse if it makes none within `timeoutMs`. */
function openTunnel(proxy: Proxy, { host, port }: Address, timeoutMs: number): Promise<Socket> {
  const to = addressOf(proxy.url);
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${String(port)}`;
  const name = own(proxy.url.origin);
  return new Promise((resolve, reject) => {
    const connecting = (to.isSecure ? https : http).request({
      ...{ host: to.host, port: to.port, ...nameOf(to), agent: false },
      ...{ method: 'CONNECT', path: target, headers: { host: target, ...proxyHeaders(proxy) } },
    });
    const timer = setTimeout(() => connecting.destroy(new TooSlow(timeoutMs)), timeoutMs).unref();
    let isSettled = false;
    const settle = (socket: Socket | undefined, reason: Text): void => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      if (socket === undefined) {
        connecting.destroy();
        reject(new NoResponse(reason));
      } else resolve(socket.ref()); // Of this type: `ref` returns the socket itself.
    };
    connecting.on('socket', (socket) => socket.unref());
    connecting.on('connect', ({ statusCode: status = 0 }, socket: Socket) => {
      const isOpen = status >= 200 && status < 300;
      const why = status === 407 ? ': it needs a user and a password, as in http://user:password@host:port' : '';
      if (!isOpen) socket.on('error', () => undefined).destroy();
      settle(isOpen ? socket : undefined, say`the proxy ${name} returned ${status} to CONNECT${why}`);
    });
    connecting.on('error', (error) => {
      settle(undefined, say`the proxy ${name} does not connect: ${noResponse(error).text}`);
    });
    connecting.on('close', () => {
      settle(undefined, say`the proxy ${name} closed the connection`);
    });
    connecting.end();
  });
}
