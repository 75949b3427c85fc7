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

/** Requests that differ each time, hostile ones among them: everything of a request that a server could keep. */
export function mixed(key: string, cursor: (n: number) => string): readonly ((n: number) => Ask)[] {
  const authorization = `Bearer ${key}`;
  const to = (target: string, headers: Ask['headers'], status: number, method = 'GET'): Ask => ({
    ...{ target, headers: { authorization, ...headers }, status, method },
  });
  return [
    () => to(LIST, {}, 200),
    (n) => to(cursor(n), {}, 200),
    (n) => to(LIST, { authorization: `Bearer unknown-${String(n)}` }, 401),
    (n) => to(`${LIST}?limit=${String(1000 + n)}`, {}, 422),
    (n) => to(`${LIST}?unknown${String(n)}=1`, {}, 422),
    (n) => to(`/unknown/${String(n)}`, {}, 404),
    (n) => to(`/unknown/${String(n)}`, {}, 404, 'POST'),
    (n) => to(LIST, { 'content-type': `application/x-${String(n)}` }, 200),
    (n) => to(LIST, { 'x-request-id': `request-${String(n)}` }, 200),
    (n) => to(LIST, { 'if-none-match': `"${String(n)}"` }, 200),
    (n) => to(LIST, { origin: `https://${String(n)}.example` }, 200),
    (n) => to(LIST, { accept: `text/x-${String(n)}` }, 200),
  ];
}
