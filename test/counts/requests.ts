/** Requests of the count gates, sent one after the other on one connection: no two share a turn of the server's event loop. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';

export const LIST = '/contacts/imports';

export interface Ask {
  readonly target: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the response. */
  readonly status: number;
}
export interface Answer {
  readonly status: number;
  /** A flat list of names and values, without those that `node:http` adds itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const ADDED: ReadonlySet<string> = new Set(['connection', 'date', 'keep-alive']);

/** @returns the response. Rejects if it has another status. */
export async function ask(url: string, { target, method = 'GET', headers = {}, status }: Ask): Promise<Answer> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    const sent = request(url + target, { agent, method, headers }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (text: string) => (body += text));
      res.once('end', () => {
        const own = Object.entries(res.headers).filter(([name]) => !ADDED.has(name));
        resolve({ status: res.statusCode ?? 0, headers: own.flat().map(String), body });
      });
    });
    sent.once('error', reject).end();
  });
  if (answer.status === status) return answer;
  throw new Error(`${method} ${target} has status ${String(answer.status)}, not ${String(status)}: ${answer.body}`);
}

/** Sends bytes that are no request, on a connection of their own, and waits until the server has closed it. */
export async function sendBroken(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.resume().write(`${text}\r\n\r\n`);
  await once(socket, 'close');
}

/** Long, but not so long that it would not be kept for its length. */
const LONG = 'x'.repeat(150);

/** @returns requests that differ for each `n`, hostile ones among them, in all that a server could keep of a request. */
export function mixed(
  key: string,
  cursor: string,
  n: number,
): Readonly<Record<string, Ask>> & { readonly cursor: Ask } {
  const unique = LONG + String(n);
  const to = (target: string, status: number, headers: Ask['headers'] = {}, method = 'GET'): Ask => ({
    ...{ target, headers: { authorization: `Bearer ${key}`, ...headers }, status, method },
  });
  return {
    cursor: to(cursor, 200),
    key: to(LIST, 401, { authorization: `Bearer ${unique}` }),
    value: to(`${LIST}?limit=${unique}`, 422),
    parameter: to(`${LIST}?${unique}=1`, 422),
    path: to(`/${unique}`, 404),
    method: to(`/${unique}`, 404, {}, 'POST'),
    contentType: to(LIST, 200, { 'content-type': `application/${unique}` }),
    requestId: to(LIST, 200, { 'x-request-id': `id-${String(n)}` }),
    etag: to(LIST, 200, { 'if-none-match': `"${unique}"` }),
    origin: to(LIST, 200, { origin: `https://${unique}.example` }),
    accept: to(LIST, 200, { accept: `text/${unique}` }),
  };
}
