/** Proxies: which one a URL has, as curl decides it, and requests that go through one. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import https from 'node:https';
import { connect, createServer as createPlainServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from '../../../audit/session/client.ts';
import { ProxyError, proxyFor, secretsOfProxy } from '../../../audit/session/proxy.ts';
import type { Proxy } from '../../../audit/session/proxy.ts';
import { sendRaw } from '../../../audit/session/raw.ts';
import { afterTest } from '../../support/after-test.ts';
import { CERTIFICATE, HOST, KEY } from '../../support/certificate.ts';

const LINE = 'http://proxy.example:3128';

describe('the proxy', () => {
  test.each<[string, string, Readonly<Record<string, string>>, string | undefined]>([
    ['of http is http_proxy', 'http://a.example/', { http_proxy: LINE }, LINE],
    [
      'of http is not HTTP_PROXY, which a client of a CGI server sets',
      'http://a.example/',
      { HTTP_PROXY: LINE },
      undefined,
    ],
    ['of https is https_proxy', 'https://a.example/', { https_proxy: LINE }, LINE],
    ['of https may be HTTPS_PROXY', 'https://a.example/', { HTTPS_PROXY: LINE }, LINE],
    ['in lower case wins', 'https://a.example/', { https_proxy: LINE, HTTPS_PROXY: 'http://other:1' }, LINE],
    ['of https is not that of http', 'https://a.example/', { http_proxy: LINE }, undefined],
    ['that is empty is none', 'https://a.example/', { https_proxy: '', HTTPS_PROXY: LINE }, LINE],
    ['needs no scheme', 'http://a.example/', { http_proxy: 'proxy.example:3128' }, LINE],
    ['has the port 1080 by default', 'http://a.example/', { http_proxy: 'proxy.example' }, 'http://proxy.example:1080'],
    ['may have the port 80', 'http://a.example/', { http_proxy: 'http://proxy.example:80/' }, 'http://proxy.example'],
    [
      'may have an address of IPv6',
      'http://a.example/',
      { http_proxy: 'http://[fd00::1]:3128' },
      'http://[fd00::1]:3128',
    ],
    ['is not that of loopback', 'http://127.0.0.1:8000/', { http_proxy: LINE }, undefined],
    ['is not that of localhost', 'https://app.localhost/', { https_proxy: LINE }, undefined],
    ['has exceptions', 'http://a.example/', { http_proxy: LINE, no_proxy: 'b.example, a.example' }, undefined],
    ['has exceptions in upper case', 'http://A.example/', { http_proxy: LINE, NO_PROXY: 'a.EXAMPLE' }, undefined],
    [
      'has exceptions for all below a name',
      'http://x.a.example/',
      { http_proxy: LINE, no_proxy: '.a.example' },
      undefined,
    ],
    ['has exceptions without a dot', 'http://x.a.example/', { http_proxy: LINE, no_proxy: 'a.example' }, undefined],
    ['has no exception for the end of a name', 'http://xa.example/', { http_proxy: LINE, no_proxy: 'a.example' }, LINE],
    ['has an exception for all', 'http://a.example/', { http_proxy: LINE, no_proxy: '*' }, undefined],
    ['has an exception for an address', 'http://10.0.0.7/', { http_proxy: LINE, no_proxy: '10.0.0.7' }, undefined],
    ['has exceptions for a network', 'http://10.1.2.3/', { http_proxy: LINE, no_proxy: '10.0.0.0/8' }, undefined],
    ['has no exception outside of a network', 'http://11.1.2.3/', { http_proxy: LINE, no_proxy: '10.0.0.0/8' }, LINE],
    [
      'has no exception for a network that is none',
      'http://10.1.2.3/',
      { http_proxy: LINE, no_proxy: '10.0.0.0/99' },
      LINE,
    ],
    [
      'has exceptions for a network of IPv6',
      'http://[fd00::7]/',
      { http_proxy: LINE, no_proxy: 'fd00::/8' },
      undefined,
    ],
    [
      'has exceptions for an address of IPv6',
      'http://[fd00::7]/',
      { http_proxy: LINE, no_proxy: '[fd00::7]' },
      undefined,
    ],
  ])('%s', (_, url, env, expected) => {
    expect(proxyFor(url, env)?.url.origin).toBe(expected);
  });

  test('that is given for the run wins, but not for loopback', () => {
    const env = { http_proxy: 'http://other:1', no_proxy: '*' };
    expect(proxyFor('http://a.example/', env, LINE)?.url.origin).toBe(LINE);
    expect(proxyFor('http://127.0.0.1/', env, LINE)).toBeUndefined();
  });

  test('has a user and a password, which no message shows', () => {
    const proxy = proxyFor('http://a.example/', { http_proxy: 'http://me:p%40ss@proxy.example:3128' });
    expect(proxy).toMatchObject({ auth: 'me:p@ss' });
    expect(proxy?.url.href).toBe(`${LINE}/`);
    expect(secretsOfProxy(proxy)).toEqual(['me:p@ss', 'bWU6cEBzcw==', 'p@ss']);
    expect(secretsOfProxy(undefined)).toEqual([]);
  });

  test.each(['socks5://me:password@proxy.example:1080', 'http://', 'http://me:password@:1'])('%s is none', (value) => {
    const read = (): unknown => proxyFor('https://a.example/', { HTTPS_PROXY: value });
    expect(read).toThrow(ProxyError);
    expect(read).toThrow('HTTPS_PROXY must be the address of an HTTP proxy, such as http://proxy.example:3128');
    expect(read).not.toThrow('password');
  });
});

/** Starts a server until the test has ended. @returns its port. */
async function listen(server: Server | ReturnType<typeof createPlainServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port; // It listens on a port.
}

/** A proxy whose every tunnel leads to one port. @param lines what it has received. */
function createProxy(port: number, lines: string[], auth?: string): Server {
  const proxy = createServer((req, res) => {
    lines.push(`${String(req.method)} ${String(req.url)} host ${String(req.headers.host)}`);
    if (req.headers['proxy-authorization'] !== auth) res.writeHead(407).end();
    else res.end('{"forwarded":true}');
  });
  return proxy.on('connect', (req, socket: Socket) => {
    lines.push(`CONNECT ${String(req.url)}`);
    if (req.headers['proxy-authorization'] !== auth) socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    else {
      const server = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(server).pipe(socket.on('error', () => undefined));
    }
  });
}

const to = (port: number, user = ''): Proxy => {
  const proxy = proxyFor('https://a.example/', {}, `http://${user}127.0.0.1:${String(port)}`);
  if (proxy === undefined) throw new Error('there is a proxy');
  return proxy;
};
const GET = { method: 'GET', path: '/list?n=1', headers: { 'x-key': 'secret' } };

describe('a request', () => {
  const trusted = tls.getCACertificates('default');
  beforeAll(() => {
    tls.setDefaultCACertificates([...trusted, CERTIFICATE]);
  });
  afterAll(() => {
    tls.setDefaultCACertificates(trusted);
  });

  test('of http is sent to the proxy, with the whole URL', async () => {
    const lines: string[] = [];
    const proxy = to(await listen(createProxy(0, lines)));
    const client = createClient('http://api.example.test/v1', { proxy });
    afterTest(client.close);
    const responses = [
      await client.send(GET, 30_000),
      await sendRaw('http://api.example.test/v1', GET, 30_000, { proxy }),
    ];
    expect(responses.map((it) => it.text)).toEqual(['{"forwarded":true}', '{"forwarded":true}']);
    expect(lines).toEqual(Array(2).fill('GET http://api.example.test/v1/list?n=1 host api.example.test'));
  });

  test('of https goes through a tunnel, of which the proxy sees the host alone; the tunnel is kept', async () => {
    const received: unknown[] = [];
    const listener: RequestListener = (req, res) => {
      received.push([req.url, req.headers['x-key'], req.headers['proxy-authorization']]);
      res.end('{"secure":true}');
    };
    const server = await listen(https.createServer({ cert: CERTIFICATE, key: KEY }, listener));
    const lines: string[] = [];
    const proxy = to(
      await listen(createProxy(server, lines, `Basic ${Buffer.from('me:pw').toString('base64')}`)),
      'me:pw@',
    );
    const client = createClient(`https://${HOST}/v1`, { proxy });
    afterTest(client.close);
    const responses = [await client.send(GET, 30_000), await client.send(GET, 30_000)];
    responses.push(
      await client.send({ ...GET, body: '{}' }, 30_000),
      await sendRaw(`https://${HOST}/v1`, GET, 30_000, { proxy }),
    );
    expect(responses.map((it) => [it.status, it.text])).toEqual(Array(4).fill([200, '{"secure":true}']));
    expect(received).toEqual(Array(4).fill(['/v1/list?n=1', 'secret', undefined]));
    expect(lines).toEqual(Array(3).fill(`CONNECT ${HOST}:443`));
  });

  const refusals = {
    'wants a user': (): Server => createProxy(0, [], 'Basic other'),
    closes: () => createPlainServer((socket) => socket.destroy()),
    hangs: () => createPlainServer(() => undefined),
    'is no proxy': () => createPlainServer((socket) => socket.end('nonsense\r\n\r\n')),
    'leads nowhere': () =>
      createServer().on('connect', (_req, socket: Socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')),
  };
  test.each<[keyof typeof refusals, RegExp]>([
    [
      'wants a user',
      /returned 407 to CONNECT: it needs a user and a password, as in http:\/\/user:password@host:port$/,
    ],
    ['closes', /does not connect: the connection was closed without a response$/],
    ['hangs', /does not connect: no complete response within 1 s$/],
    ['is no proxy', /does not connect: Parse Error/],
    ['leads nowhere', /returned 502 to CONNECT$/],
  ])('through a proxy that %s fails, and says why', async (name, expected) => {
    const port = await listen(refusals[name]());
    const failing = sendRaw(`https://${HOST}`, GET, 1000, { proxy: to(port, 'me:password@') });
    const error = await failing.catch((it: unknown) => it);
    const { raw } = (error as { readonly text: { readonly raw: string } }).text; // A NoResponse.
    expect(raw).toMatch(expected);
    expect(raw).toMatch(new RegExp(`^the proxy http://127\\.0\\.0\\.1:${String(port)} `));
    expect(raw).not.toContain('me:password');
  });

  test('through a proxy that wants a user is no response of the server', async () => {
    const proxy = to(await listen(createProxy(0, [], 'Basic other')));
    const client = createClient('http://api.example.test', { proxy });
    afterTest(client.close);
    await expect(client.send(GET, 30_000)).rejects.toMatchObject({
      text: { raw: 'the proxy needs a user and a password, as in http://user:password@host:port' },
    });
  });
});
