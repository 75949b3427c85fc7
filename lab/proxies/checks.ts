/** What must hold through a proxy. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { text } from 'node:stream/consumers';
import { loadContract } from '../../contract/document.ts';
import type { Folder } from '../../test/support/cli.ts';
import { undeclared } from '../../test/support/undeclared.ts';
import type { Response } from '../../test/support/undeclared.ts';

const FILES_OF_PAGE = 3; // An icon, a style sheet and a script.

/** A server behind a proxy with a certificate of its own. */
export interface Through {
  readonly url: string;
  readonly certificate: string;
}

/** @throws Error with the report of `conform` if a rule fails, or has not been tried. */
export async function assertConforms(
  folder: Folder,
  { url, certificate }: Through,
  options: readonly string[],
): Promise<void> {
  const env = { NODE_EXTRA_CA_CERTS: certificate };
  const { code, stdout, stderr } = await folder.run(['conform', url, ...options], { env });
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
}

async function read(
  address: string,
  certificate: string,
  sent: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const request = get(address, { ca: readFileSync(certificate), headers: { accept: 'text/html', ...sent } });
  const [response] = (await once(request, 'response')) as [IncomingMessage]; // As it is documented.
  const headers = new Map(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  return { status: response.statusCode ?? 0, headers, text: await text(response) };
}

/**
 * Fetches both pages and all that they load, and the contract.
 * @throws Error if something of it is not there, or the contract or the reference names another server than this one.
 */
export async function assertPages({ url, certificate }: Through): Promise<void> {
  const found = async (address: string): Promise<string> => {
    const { status, text } = await read(address, certificate);
    if (status !== 200) throw new Error(`${address}: ${String(status)}\n${text}`);
    return text;
  };
  for (const address of [`${url}/`, `${url}/docs`]) {
    const page = await found(address);
    const loaded = [...page.matchAll(/<(?:script|link)\b[^>]*\b(?:src|href)="([^":]+)"/g)].map((it) => it[1] ?? '');
    if (loaded.length !== FILES_OF_PAGE)
      throw new Error(`${address} does not load ${String(FILES_OF_PAGE)} files:\n${page}`);
    for (const it of loaded) await found(new URL(it, address).href);
  }
  if (!(await found(`${url}/docs`)).includes(url)) throw new Error(`The reference of ${url} does not name it.`);
  const { servers } = JSON.parse(await found(`${url}/openapi.json`)) as { servers: readonly { url: string }[] };
  if (servers[0]?.url !== url) throw new Error(`The contract of ${url} names ${String(servers[0]?.url)}.`);
}

/** @throws Error unless a compressed page is a 304 for who has it. */
export async function assertUnchanged({ url, certificate }: Through, key: string): Promise<void> {
  const address = `${url}/automations?limit=100`;
  const sent = { authorization: `Bearer ${key}`, 'accept-encoding': 'gzip' };
  const { headers } = await read(address, certificate, sent);
  const { status } = await read(address, certificate, { ...sent, 'if-none-match': headers.get('etag') ?? '' });
  if (headers.get('content-encoding') !== 'gzip' || status !== 304)
    throw new Error(`${address}: ${String(headers.get('content-encoding'))}, then ${String(status)}`);
}

/**
 * Asks for each operation while no server stands behind the proxy.
 * @throws Error unless it answers as the contract declares for a service that is unavailable.
 */
export async function assertUnavailable({ url, certificate }: Through): Promise<void> {
  const { operations, problemStatus } = loadContract();
  for (const operation of operations) {
    const response = await read(url + operation.path, certificate);
    const violations = undeclared(operation, response);
    const isRight =
      response.status === problemStatus.service_unavailable && response.text.includes('"service_unavailable"');
    if (!isRight || violations.length > 0) {
      throw new Error([operation.path, String(response.status), ...violations, response.text].join('\n'));
    }
  }
}
