/** The sockets of a fake: node:http on two ports, bounded in sizes and time. What it responds is a function's. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Reply } from './respond.ts';
import type { Tls } from './types.ts';

/** A request, before anything of it is believed. */
export interface Incoming {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly host: string;
  readonly port: number;
  /** The ports of the fake, that of the list first. */
  readonly ports: readonly number[];
}

export interface Sent extends Reply {
  /** `chunks`: written in parts; `gzip`: compressed, if the client accepts it. */
  readonly forms: readonly ('gzip' | 'chunks')[];
  /** What is sent in place of the text, if the reply has a fault of a status or a redirect. */
  readonly drop?: 'length' | 'chunks' | 'connection';
  readonly lateMs?: number;
  /** Called once the head was written, or the connection was closed. */
  readonly written: () => void;
}

type Respond = (incoming: Omit<Incoming, 'ports'>) => Sent;

export interface Listening {
  readonly port: number;
  readonly close: () => Promise<void>;
}

const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 65_536,
};
const MAX_CONNECTIONS = 1000;
const IDLE_MS = 30_000;
/** The most bytes of a request's body that are read, and dropped. */
const MAX_BODY = 1_048_576;
const MAX_PIECES = 16;
const PIECE = 4096;

/**
 * @param respond called with each request.
 * @throws an error of Node if the address cannot be listened on.
 */
export async function listen(
  respond: (incoming: Incoming) => Sent,
  { host, port, tls }: { readonly host: string; readonly port: number; readonly tls?: Tls | undefined },
): Promise<Listening> {
  const timers = new Set<NodeJS.Timeout>();
  const servers: Server[] = [];
  const ports: number[] = [];
  const start = async (on: number): Promise<void> => {
    const handle = (req: IncomingMessage, res: ServerResponse): void => {
      serve(req, res, (incoming) => respond({ ...incoming, ports }), timers);
    };
    const server = tls === undefined ? createServer(LIMITS, handle) : createSecureServer({ ...LIMITS, ...tls }, handle);
    server.maxConnections = MAX_CONNECTIONS;
    server.setTimeout(IDLE_MS, (socket) => socket.destroy()); // Of a client that reads nothing.
    server.on('connection', (socket: Socket) => socket.on('error', () => undefined));
    server.on('tlsClientError', (_, socket: Socket) => socket.destroy());
    server.on('clientError', (_, socket: Socket) => {
      // The request is no HTTP, too large, or too slow.
      if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      else socket.destroy();
    });
    server.listen(on, host);
    await once(server, 'listening');
    servers.push(server);
    ports.push((server.address() as AddressInfo).port); // It listens on a port.
  };
  const close = async (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(
      servers.splice(0).map(async (server) => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  };
  try {
    await start(port);
    await start(0); // Another origin.
    return { port: ports[0] ?? 0, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function serve(req: IncomingMessage, res: ServerResponse, respond: Respond, timers: Set<NodeJS.Timeout>): void {
  let read = 0;
  for (const stream of [req, res]) stream.on('error', () => undefined);
  req.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read > MAX_BODY) req.destroy();
  });
  const { socket, headers } = req;
  const sent = attempt(respond, {
    method: req.method ?? '',
    target: targetOf(req.url ?? '/'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    ),
    host: headers.host ?? '',
    port: socket.localPort ?? 0,
  });
  const go = (): void => {
    void send(req, res, sent);
  };
  if (sent.lateMs === undefined) {
    go();
    return;
  }
  const timer = setTimeout(() => {
    timers.delete(timer);
    go();
  }, sent.lateMs);
  timers.add(timer);
}

/** @returns the response; 500 if there is a bug in the fake, which must not end the process that it runs in. */
function attempt(respond: Respond, incoming: Parameters<Respond>[0]): Sent {
  try {
    return respond(incoming);
  } catch (error) {
    const text = `the fake failed: ${error instanceof Error ? error.message : String(error)}\n`;
    return { status: 500, headers: [['Content-Type', 'text/plain']], text, forms: [], written: () => undefined };
  }
}

/** @returns the path and query of a request line, also of one that has a whole URL. */
const targetOf = (url: string): string => {
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  return path.startsWith('/') ? path : `/${path}`;
};

async function send(
  req: IncomingMessage,
  res: ServerResponse,
  { status, headers, text, forms, drop, written }: Sent,
): Promise<void> {
  if (drop === 'connection') {
    req.socket.destroy();
    written();
    return;
  }
  const isZipped = forms.includes('gzip') && acceptsGzip(req.headers['accept-encoding']?.toString());
  const plain = Buffer.from(text ?? '');
  const bytes = isZipped ? gzipSync(plain) : plain;
  const all = headers
    .filter(([name]) => drop !== 'chunks' || !/^link$/i.test(name))
    .map(([name, value]) => [name, value] as const);
  const isChunked = drop === 'chunks' || forms.includes('chunks');
  const encoding = isZipped ? [['Content-Encoding', 'gzip'] as const, ['Vary', 'Accept-Encoding'] as const] : [];
  const length = isChunked || status === 204 ? [] : [['Content-Length', String(bytes.length)] as const];
  res.writeHead(status, [...all, ...encoding, ...length].flat());
  const whole = req.method === 'HEAD' ? Buffer.alloc(0) : bytes;
  // Without its last chunk, a body is not whole, though its JSON is (RFC 9112, 8).
  const kept = drop === 'length' ? whole.subarray(0, Math.ceil(whole.length / 2)) : whole;
  for (const piece of isChunked ? piecesOf(kept) : [kept]) {
    if (res.destroyed) break;
    if (piece.length > 0) res.write(piece);
    if (isChunked) await nextTurn();
  }
  written();
  if (drop === undefined) res.end();
  else req.socket.destroySoon(); // After what was written.
}

/** @returns parts of a body, the first of which end inside of a character, if it has one of several bytes. */
function piecesOf(bytes: Buffer): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  while (at < bytes.length && pieces.length < MAX_PIECES) {
    const inside = bytes.subarray(at + 1, at + PIECE).findIndex((byte) => byte >= 0x80 && byte < 0xc0);
    const end = inside < 0 ? at + PIECE : at + 1 + inside;
    pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return [...pieces, bytes.subarray(at)];
}

/** Whether a client accepts gzip, by its Accept-Encoding. Without the header it is not asked for. */
const acceptsGzip = (header = ''): boolean => {
  const codings = new Map(
    header.split(',').map((coding) => {
      const [name = '', ...parameters] = coding.split(';').map((part) => part.trim().toLowerCase());
      return [name, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))];
    }),
  );
  return codings.get('gzip') ?? codings.get('*') ?? false;
};
