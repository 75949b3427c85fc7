/** Sends one HTTP request, bounded in time and size. Redirects are not followed, and the request path is sent unchanged. */
import http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { gunzipSync } from 'node:zlib';

/** A response as it was received. */
export interface Answer {
  readonly status: number;
  /** By lower-case name; a header that was sent more than once has its values joined by commas. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** A request as it is put on the wire. */
export interface Sent {
  readonly method: string;
  /** Path and query from the base URL on. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** No answer has come within the bounds of time and size, or none that is HTTP. The message says why, as a clause. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** @returns of a tag, what weak comparison compares (RFC 9110, 8.8.3.2): a proxy that compresses makes the tag of an answer weak. */
export const opaque = (etag = ''): string => etag.replace(/^W\//, '');

/** How much of a body is read. */
const MAX_BODY_BYTES = 1_000_000;

const tooLarge = (): NoAnswer => new NoAnswer(`the answer has more than ${String(MAX_BODY_BYTES / 1e6)} MB`);
const tooSlow = (timeoutMs: number): NoAnswer =>
  new NoAnswer(`no whole answer within ${String(Math.ceil(timeoutMs / 1000))} s`);

/** @returns what a failed connection is told as: Node says it in the error, or in those it is made of. */
function noAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  return new NoAnswer(first instanceof Error ? first.message : String(first));
}

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

// A server that keeps the connection open although it is asked to close it has sent what it has to send by then.
const IDLE_MS = 300;
const END_OF_HEAD = '\r\n\r\n';

/**
 * @param base the base URL, without a trailing slash.
 * @returns the answer; its text is what follows the head, as it was sent.
 * @throws NoAnswer if there is no head within so many milliseconds.
 */
export function sendRaw(base: string, { method, target, headers }: Sent, timeoutMs: number): Promise<Answer> {
  const { protocol, hostname, host, port, pathname } = new URL(base);
  const isSecure = protocol === 'https:';
  const bare = hostname.replace(/^\[|\]$/g, '');
  const where = { host: bare, port: Number(port === '' ? (isSecure ? 443 : 80) : port) };
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}`);

  return new Promise((resolve, reject) => {
    const socket = isSecure
      ? connectSecure({ ...where, ...(isIP(bare) === 0 && { servername: bare }) })
      : connectPlain(where);
    let received = '';
    const timer = setTimeout(() => socket.destroy(tooSlow(timeoutMs)), timeoutMs);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
      if (received.length > MAX_BODY_BYTES) socket.destroy(tooLarge());
      else if (received.includes(END_OF_HEAD)) socket.setTimeout(IDLE_MS);
    });
    socket.on('timeout', () => {
      socket.destroy();
    });
    let failure: NoAnswer | undefined;
    socket.on('error', (error) => {
      failure = noAnswer(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      const answer = parse(received);
      if (answer !== undefined) resolve(answer);
      else reject(failure ?? new NoAnswer('the connection was closed without an answer'));
    });
    socket.write(`${method} ${pathname.replace(/\/+$/, '')}${target} HTTP/1.1\r\n${lines.join('\r\n')}${END_OF_HEAD}`);
  });
}

function parse(received: string): Answer | undefined {
  const end = received.indexOf(END_OF_HEAD);
  const [first = '', ...lines] = received.slice(0, Math.max(end, 0)).split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return { status: Number(status), headers: new Map(headers), text: received.slice(end + END_OF_HEAD.length) };
}
