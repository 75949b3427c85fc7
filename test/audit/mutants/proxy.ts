/** A proxy in front of a server: a mutant changes requests on their way, and responses. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request on its way. All of it may be changed. */
export interface InterceptedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  /** By lower-case name. Several lines of `authorization` are joined by a line feed; of other headers the first counts. */
  readonly headers: Record<string, string>;
  /** The lines of each header, by lower-case name. */
  readonly lines: Readonly<Record<string, readonly string[] | undefined>>;
  body: string;
  /** The request target as it was received: `path` and `query` are read from it, and a change of it changes nothing. */
  readonly target: string;
  /** The connection it came on. */
  readonly connection: object;
}

/** A response on its way. All of it may be changed. */
export interface Reply {
  status: number;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  body: string;
  /** Sent after a response that has no body. */
  stray?: string;
  /** Sent as the body instead of `body`, byte for byte: invalid UTF-8, or a compressed body. */
  bytes?: Buffer;
  /** Closes the connection instead, as servers do whose handler raises an error. */
  isCut?: boolean;
  /** A second line of some headers, by lower-case name. */
  again?: Readonly<Record<string, string>>;
  /** Sends 103 Early Hints first. */
  isHinted?: boolean;
}

export type Item = Record<string, unknown> & { id: string; created_at: string };

/** What a mutant may use besides the request. */
export interface Context {
  /** Sends a request to the server: by default a GET with the key of the first account. */
  readonly get: (target: string, account?: 0 | 1) => Promise<Reply>;
  /** The keys of the accounts. */
  readonly keys: readonly [string, string];
  /** The items of a list of an account, by default the first, in order. */
  readonly items: (path: string, account?: 0 | 1) => readonly Item[];
}

export interface Change {
  /** Changes a request before it is passed on; or responds to it. */
  readonly request?: RequestChange | undefined;
  /** Changes a response. The request is as it was received. */
  readonly reply?: ReplyChange | undefined;
  /** Responds to what is no request to Node's parser. */
  readonly unparsed?: string | undefined;
}
export type RequestChange = (
  request: InterceptedRequest,
  context: Context,
) => Reply | undefined | Promise<Reply | undefined>;
export type ReplyChange = (reply: Reply, request: InterceptedRequest, context: Context) => unknown;

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** The items of each list, by its path. */
export type Lists = ReadonlyMap<string, readonly Item[]>;

type Respond = (received: InterceptedRequest) => Promise<Reply>;

/**
 * @param passOn what the server responds to a request.
 * @param keys those of the accounts.
 * @param lists the items of the lists of each account, by path.
 * @returns what it responds with the change.
 */
export function changed(
  { request: changeRequest, reply: changeReply }: Change,
  passOn: Respond,
  keys: Context['keys'],
  lists: readonly [Lists, Lists],
): Respond {
  const context: Context = {
    keys,
    items: (path, account = 0) => lists[account].get(path) ?? [],
    get: (target, account = 0) => {
      const [path, query] = partsOf(target); // A URL would take `//` for a host.
      const headers = { authorization: `Bearer ${keys[account]}` };
      const received = { headers, lines: {}, body: '', target, connection: {} };
      return passOn({ ...received, method: 'GET', path, query: new URLSearchParams(query) });
    },
  };
  return async (received) => {
    const asked = { ...received, headers: { ...received.headers }, query: new URLSearchParams(received.query) };
    const reply = (await changeRequest?.(asked, context)) ?? (await passOn(asked));
    await changeReply?.(reply, received, context);
    return reply;
  };
}

/** @param url that of the server. The other parameters are those of `changed`. */
export async function startProxy(
  url: string,
  keys: Context['keys'],
  lists: readonly [Lists, Lists],
  change: Change,
): Promise<Proxy> {
  const agent = new http.Agent({ keepAlive: true });
  const answer = changed(change, (request) => forward(agent, url, request), keys, lists);
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const received = await read(req);
    send(res, received, await answer(received));
  };
  const server = http.createServer((req, res) => {
    respond(req, res).catch((error: unknown) => {
      res.destroy();
      throw error;
    });
  });
  server.on('clientError', (_error, socket) => socket.end(change.unparsed ?? UNPARSED));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://127.0.0.1:${String(port)}`,
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What Node responds to what is no request to its parser. */
export const UNPARSED = 'HTTP/1.1 400 Bad Request\r\n\r\n';

/** @returns the path of a target, and its query, without a fragment. */
export function partsOf(target: string): readonly [path: string, query: string] {
  const [path = '', query = ''] = target.replace(/#.*/s, '').split(/\?(.*)/s);
  return [path, query];
}

/** @returns the target of a request. What no mutant has changed is passed on as it came: parameters without `=`, escapes and fragments too. */
export function passedTarget({ path, query, target }: InterceptedRequest): string {
  const [oldPath, oldQuery] = partsOf(target);
  const isSame = path === oldPath && query.toString() === new URLSearchParams(oldQuery).toString();
  return isSame ? target : query.size === 0 ? path : `${path}?${query.toString()}`;
}

async function read(req: IncomingMessage): Promise<InterceptedRequest> {
  const target = req.url ?? '';
  const [path, query] = partsOf(target);
  const { host: _host, connection: _connection, ...headers } = req.headers as Record<string, string>; // None is a list.
  const { headersDistinct: lines } = req;
  if ((lines['authorization'] ?? []).length > 1) headers['authorization'] = lines['authorization']?.join('\n') ?? '';
  const body = (await buffer(req)).toString();
  return {
    method: req.method ?? '',
    path,
    query: new URLSearchParams(query),
    headers,
    lines,
    body,
    target,
    connection: req.socket,
  };
}

async function forward(agent: http.Agent, url: string, request: InterceptedRequest): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const { method, headers, body } = request;
  // Node sends a head with Expect at once.
  const { authorization = '', expect: _expect, ...others } = headers;
  const lines = authorization.split('\n');
  const sent = http.request({ hostname, port, method, path: passedTarget(request), headers: others, agent });
  if (authorization !== '') sent.setHeader('authorization', lines);
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage]; // As it is documented.
  const text = (await buffer(response)).toString();
  const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = response.headers as Record<string, string>;
  return { status: response.statusCode ?? 0, headers: kept, body: text };
}

function send(
  res: ServerResponse,
  { method }: InterceptedRequest,
  { status, headers, body, stray, bytes, isCut, again = {}, isHinted }: Reply,
): void {
  if (isCut === true) {
    res.destroy();
    return;
  }
  if (isHinted === true) res.writeEarlyHints({ link: '</next>; rel=preload' });
  if (stray !== undefined) {
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
    res.socket?.end(`HTTP/1.1 ${String(status)} Stray\r\n${lines.join('')}\r\n${stray}`);
    return;
  }
  const hasBody = method !== 'HEAD' && status !== 304 && status !== 204;
  // The length is computed again, unless a mutant has removed it; that of a response to HEAD is not known here.
  const length =
    hasBody && 'content-length' in headers ? { 'content-length': String(Buffer.byteLength(bytes ?? body)) } : {};
  const { 'content-length': _length, ...others } = headers;
  const twice = Object.entries(again).map(([name, value]) => [name, [headers[name] ?? value, value]] as const);
  res.writeHead(status, { ...others, ...length, ...Object.fromEntries(twice) });
  res.end(hasBody ? (bytes ?? body) : undefined);
}
