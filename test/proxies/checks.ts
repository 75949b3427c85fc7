/** What must hold through a proxy. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { loadContract } from '../../server/contract/document.ts';
import type { Folder } from '../support/cli.ts';
import { undeclared } from '../support/undeclared.ts';

const FILES_OF_PAGE = 2; // A script and a style sheet.

/** A server behind a proxy with a certificate of its own. */
export interface Through {
  readonly url: string;
  readonly certificate: string;
}

/** @throws Error with the report of `conform` if a rule fails, or has not been tried. */
export async function assertConforms(folder: Folder, { url, certificate }: Through, key: string): Promise<void> {
  const env = { NODE_EXTRA_CA_CERTS: certificate };
  const { code, stdout, stderr } = await folder.run(['conform', url, '--key', key], { env });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
}

/**
 * Fetches both pages and all that they load, and the contract.
 * @throws Error if something of it is not there, or the contract or the reference names another server than this one.
 */
export async function assertPages({ url, certificate }: Through): Promise<void> {
  const ca = readFileSync(certificate);
  const read = async (address: string): Promise<string> => {
    const request = get(address, { ca, headers: { accept: 'text/html' } });
    const [response] = (await once(request, 'response')) as [IncomingMessage]; // As it is documented.
    const body = await text(response);
    if (response.statusCode !== 200) throw new Error(`${address}: ${String(response.statusCode)}\n${body}`);
    return body;
  };
  for (const address of [`${url}/`, `${url}/docs`]) {
    const page = await read(address);
    const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^":]+)"/g)].map((it) => it[1] ?? '');
    if (loaded.length !== FILES_OF_PAGE)
      throw new Error(`${address} does not load ${String(FILES_OF_PAGE)} files:\n${page}`);
    for (const it of loaded) await read(new URL(it, address).href);
  }
  if (!(await read(`${url}/docs`)).includes(url)) throw new Error(`The reference of ${url} does not name it.`);
  const { servers } = JSON.parse(await read(`${url}/openapi.json`)) as { servers: readonly { url: string }[] };
  if (servers[0]?.url !== url) throw new Error(`The contract of ${url} names ${String(servers[0]?.url)}.`);
}

/**
 * Asks for each operation while no server stands behind the proxy.
 * @throws Error unless it answers as the contract declares for a service that is unavailable.
 */
export async function assertUnavailable({ url, certificate }: Through): Promise<void> {
  const ca = readFileSync(certificate);
  const { operations, problemStatus } = loadContract();
  const status = problemStatus.service_unavailable;
  for (const operation of operations) {
    const request = get(url + operation.path, { ca });
    const [response] = (await once(request, 'response')) as [IncomingMessage]; // As it is documented.
    const headers = new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    const body = await text(response);
    const violations = undeclared(operation, { status: response.statusCode ?? 0, headers, text: body });
    if (response.statusCode !== status)
      violations.unshift(`status ${String(response.statusCode)}, not ${String(status)}`);
    else if (!body.includes('"service_unavailable"')) violations.push('the name is not service_unavailable');
    if (violations.length > 0) throw new Error(`${operation.path}: ${violations.join('; ')}\n${body}`);
  }
}

/** @returns a port that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // It listens on a port.
  server.close();
  await once(server, 'close');
  return port;
}
