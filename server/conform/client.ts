/** Sends requests by node:http, which neither follows redirects nor changes a target: each is bounded in time and size. */
import http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { gunzipSync } from 'node:zlib';
import { MAX_BODY_BYTES, NoAnswer, noAnswer, tooLarge, tooSlow } from './answer.ts';
import type { Answer, Sent } from './answer.ts';

export interface Client {
  /** @throws NoAnswer if there is no whole answer within so many milliseconds. */
  readonly send: (sent: Sent, timeoutMs: number) => Promise<Answer>;
  readonly close: () => void;
}

/** @param base the base URL, without a trailing slash. */
export function createClient(base: string): Client {
  const { protocol, hostname, port, pathname } = new URL(base);
  const { request, Agent } = protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const host = hostname.replace(/^\[|\]$/g, ''); // Node takes the address of IPv6 without its brackets.
  const prefix = pathname.replace(/\/+$/, '');

  const once = ({ method, target, headers, body }: Sent, timeoutMs: number): Promise<Answer | 'reset'> =>
    new Promise((resolve, reject) => {
      // What compresses answers on their way is to be seen doing it.
      const all = { 'accept-encoding': 'gzip', ...headers };
      const sized = body === undefined ? all : { ...all, 'content-length': String(Buffer.byteLength(body)) };
      const outgoing = request({ host, port, method, path: prefix + target, headers: sized, agent });
      const timer = setTimeout(() => outgoing.destroy(tooSlow(timeoutMs)), timeoutMs);
      outgoing.on('close', () => {
        clearTimeout(timer);
      });
      let head: Answer | undefined;
      outgoing.on('error', (error) => {
        if (head !== undefined) resolve(head);
        else if (isStale(outgoing, error)) resolve('reset');
        else reject(noAnswer(error));
      });
      outgoing.on('response', (response) => {
        // A body where none may be makes Node's parser fail; a rule of its own finds it.
        if (method === 'HEAD' || response.statusCode === 304) head = answerOf(response, '');
        read(response).then(resolve, (error: unknown) => {
          reject(noAnswer(error));
          outgoing.destroy();
        });
      });
      outgoing.end(body);
    });

  return {
    send: async (sent, timeoutMs) => {
      for (let tries = 0; tries < 2; tries += 1) {
        const answer = await once(sent, timeoutMs);
        if (answer !== 'reset') return answer;
      }
      throw new NoAnswer('the connection was reset');
    },
    close: () => {
      agent.destroy();
    },
  };
}

/** A connection kept open may be closed by the server in the moment it is used again: no answer of this request. */
function isStale(outgoing: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

async function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return answerOf(response, decoded(response, Buffer.concat(chunks)).toString());
}

/** @throws NoAnswer if what is compressed cannot be read, or is too large. */
function decoded({ headers }: IncomingMessage, bytes: Buffer): Buffer {
  if (headers['content-encoding'] !== 'gzip' || bytes.length === 0) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(); // Node throws errors alone.
    throw new NoAnswer('the body is not the gzip that Content-Encoding says');
  }
}

function answerOf(response: IncomingMessage, text: string): Answer {
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return { status: response.statusCode ?? 0, headers: new Map(headers), text };
}
