/** A small client of the control API, with connections that stay open. */
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Target {
  readonly url: string;
  readonly key: string;
}

export interface Got {
  readonly status: number;
  readonly body: unknown;
}

export interface Client {
  /** Sends a request with the key, and a body as JSON. */
  readonly send: (method: string, path: string, body?: unknown) => Promise<Got>;
  readonly close: () => void;
}

export function openClient({ url, key }: Target): Client {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${key}` };
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const sent = request(url + path, { method, agent, headers }, (res) => {
          text(res).then((it) => {
            resolve({ status: res.statusCode ?? 0, body: it === '' ? undefined : JSON.parse(it) });
          }, reject);
        });
        sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close: () => {
      agent.destroy();
    },
  };
}

const WORKERS = 16;

/** Calls `work` with the numbers from `from` to `to` - 1, several at once. */
export async function eachOf(from: number, to: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = from;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < to; at = next++) await work(at);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}
