/** Servers that no client can use: each keeps its clients waiting, or redirects them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterTest } from '../../support/after-test.ts';

const JSON_HEAD = { 'content-type': 'application/json' };

/** Writes as fast as the client reads, until it disconnects. */
function flood(res: ServerResponse): void {
  const more = (): void => {
    while (!res.destroyed && res.write(' '.repeat(65_536)));
  };
  res.on('drain', more);
  more();
}

/** The behaviour of each on every request. */
export const BAD_SERVERS = {
  hangs: () => undefined,
  drips: (_req, res) => {
    res.writeHead(200, JSON_HEAD).flushHeaders();
    const timer = setInterval(() => res.write(' '), 50);
    res.on('close', () => {
      clearInterval(timer);
    });
  },
  floods: (_req, res) => {
    res.writeHead(200, JSON_HEAD);
    flood(res);
  },
  redirects: (_req, res) => {
    res.writeHead(302, { location: 'http://elsewhere.example/login' }).end();
  },
  limits: (_req, res) => {
    const body = { statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many.' };
    res.writeHead(429, { ...JSON_HEAD, 'retry-after': '1' }).end(JSON.stringify(body));
  },
} satisfies Record<string, RequestListener>;

/** Starts a server until the test has ended. @returns its address. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`; // It listens on a port.
}
