/** A proxy in front of servers, one for each account: it passes requests on as a mutant changes them, and answers likewise. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request on its way. All of it may be changed. */
export interface Ask {
  method: string;
  path: string;
  query: URLSearchParams;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  body: string;
}

/** An answer on its way. All of it may be changed. */
export interface Reply {
  status: number;
  /** By lower-case name. */
  readonly headers: Record<string, string>;
  body: string;
  /** What is sent after an answer that has no body. */
  stray?: string;
}

export type Item = Record<string, unknown> & { id: string; created_at: string };

/** What a mutant may look at beside the request. */
export interface Scene {
  /** Asks the server of the request's key, or another: a GET of the account's key, unless told. */
  readonly get: (target: string, more?: Partial<Ask> & { account?: 0 | 1 }) => Promise<Reply>;
  /** The keys of the accounts. */
  readonly keys: readonly [string, string];
  /** The items of a list of the first account, in order. */
  readonly items: (path: string) => readonly Item[];
  /** What mutants keep between requests. */
  readonly memory: Map<string, number>;
}

export interface Change {
  /** Changes a request before it is passed on; or answers it. */
  readonly ask?: AskChange | undefined;
  /** Changes an answer. The request is as it was received. */
  readonly reply?: ReplyChange | undefined;
}
export type AskChange = (ask: Ask, scene: Scene) => Reply | undefined | Promise<Reply | undefined>;
export type ReplyChange = (reply: Reply, ask: Ask, scene: Scene) => unknown;

export interface Upstream {
  readonly url: string;
  readonly apiKey: string;
}

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** @param lists the items of the lists of the first account, by path. */
export async function startProxy(
  upstreams: readonly [Upstream, Upstream],
  lists: ReadonlyMap<string, readonly Item[]>,
  { ask: changeAsk, reply: changeReply }: Change,
): Promise<Proxy> {
  const agent = new http.Agent({ keepAlive: true });
  const keys = [upstreams[0].apiKey, upstreams[1].apiKey] as const;
  const upstreamOf = ({ headers }: Ask): Upstream =>
    headers['authorization']?.includes(keys[1]) === true ? upstreams[1] : upstreams[0];
  const passOn = (ask: Ask, { url } = upstreamOf(ask)): Promise<Reply> => forward(agent, url, ask);
  const scene: Scene = {
    keys,
    memory: new Map(),
    items: (path) => lists.get(path) ?? [],
    get: (target, { account = 0, ...more } = {}) => {
      const { pathname, searchParams } = new URL(target, 'http://unused');
      const headers = { authorization: `Bearer ${keys[account]}` };
      const ask = { method: 'GET', path: pathname, query: searchParams, headers, body: '', ...more };
      return passOn(ask, upstreams[account]);
    },
  };
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const received = await read(req);
    const changed = { ...received, headers: { ...received.headers }, query: new URLSearchParams(received.query) };
    const reply = (await changeAsk?.(changed, scene)) ?? (await passOn(changed));
    await changeReply?.(reply, received, scene);
    send(res, received, reply);
  };
  const server = http.createServer((req, res) => {
    answer(req, res).catch((error: unknown) => {
      res.destroy();
      throw error;
    });
  });
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

async function read(req: IncomingMessage): Promise<Ask> {
  const [path = '', query = ''] = (req.url ?? '').split(/\?(.*)/s);
  const { host: _host, connection: _connection, ...headers } = req.headers as Record<string, string>; // None is a list.
  const body = (await buffer(req)).toString();
  return { method: req.method ?? '', path, query: new URLSearchParams(query), headers, body };
}

async function forward(agent: http.Agent, url: string, { method, path, query, headers, body }: Ask): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const suffix = query.size === 0 ? '' : `?${query.toString()}`;
  const request = http.request({ hostname, port, method, path: path + suffix, headers, agent });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage]; // As it is documented.
  const text = (await buffer(response)).toString();
  const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = response.headers as Record<string, string>;
  return { status: response.statusCode ?? 0, headers: kept, body: text };
}

function send(res: ServerResponse, { method }: Ask, { status, headers, body, stray }: Reply): void {
  if (stray !== undefined) {
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
    res.socket?.end(`HTTP/1.1 ${String(status)} Stray\r\n${lines.join('')}\r\n${stray}`);
    return;
  }
  const hasBody = method !== 'HEAD' && status !== 304 && status !== 204;
  // A length is told anew, unless a mutant has taken it away; of what HEAD would have, nothing is known here.
  const length = hasBody && 'content-length' in headers ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const { 'content-length': _length, ...others } = headers;
  res.writeHead(status, { ...others, ...length });
  res.end(hasBody ? body : undefined);
}
