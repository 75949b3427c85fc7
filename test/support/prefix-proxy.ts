/** A proxy that takes a prefix away, as in front of a server that shares its host with others. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterTest } from './after-test.ts';

/** @returns the proxy's origin. Below the prefix is the server; anything else is a 404. It ends with the test. */
export async function startPrefixProxy(prefix: string, url: string): Promise<string> {
  const proxy = createServer((req, res) => {
    const path = req.url ?? '/';
    if (!path.startsWith(`${prefix}/`)) {
      res.writeHead(404).end('Not below the prefix');
      return;
    }
    const onward = request(url + path.slice(prefix.length), { headers: req.headers }, (response) => {
      res.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(res);
    });
    req.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  return `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}`; // It listens on a port.
}
