/** A stand-in for the server that replays its recorded responses, each to the request that names it. */
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Exchange } from '../support/recorder.ts';

const NUMBER = 'x-exchange';

export interface Upstream extends AsyncDisposable {
  readonly url: string;
}

/** Starts the stand-in. */
export async function startUpstream(exchanges: readonly Exchange[]): Promise<Upstream> {
  const server = createServer((req, res) => {
    const { status, headers, body } = exchanges[Number(req.headers[NUMBER])] ?? { status: 501, headers: {}, body: '' };
    res.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    url: `http://127.0.0.1:${String(port)}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

export interface Passed {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a recorded request through a proxy in front of the stand-in. @returns the response as the proxy passes it on. */
export function send(proxy: string, { method, target, authorization }: Exchange, at: number): Promise<Passed> {
  const { hostname, port } = new URL(proxy);
  const headers = { [NUMBER]: String(at), ...(authorization === undefined ? {} : { authorization }) };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path: target, headers }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (text: string) => (body += text));
      res.on('error', reject).on('end', () => {
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body });
      });
    });
    sent.on('error', reject).end();
  });
}
