/** Sends one HTTP request, bounded in time and size. Redirects are not followed, and the request path is sent unchanged. */
import { isUtf8 } from 'node:buffer';
import http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { gunzipSync } from 'node:zlib';

/** A response as it was received. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. Equal lines of a header count as one; different ones are joined by commas, if HTTP allows that, or the first counts. */
  readonly headers: ReadonlyMap<string, string>;
  /** The names of headers on several lines that differ, with the values as they were sent. */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
  readonly text: string;
  /** Whether the bytes of the body are UTF-8; if not, each wrong byte is U+FFFD in `text`. */
  readonly isUtf8: boolean;
}

/** A request as it is put on the wire. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query from the base URL on. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** There was no HTTP response within the bounds of time and size. The message is the reason, as a clause. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

/** The time limit of the request ended before the response. */
export class TooSlow extends NoResponse {}

/** @returns an ETag without `W/`, for weak comparison (RFC 9110, 8.8.3.2): a proxy that compresses makes the ETag weak. */
export const opaque = (etag = ''): string => etag.replace(/^W\//, '');

/** The maximum size of a body: a page of 100 items with the longest texts, each character escaped, has 25 MB. */
const MAX_BODY_BYTES = 32_000_000;

const tooLarge = (): NoResponse => new NoResponse(`the response is larger than ${String(MAX_BODY_BYTES / 1e6)} MB`);
const tooSlow = (timeoutMs: number): TooSlow =>
  new TooSlow(`no complete response within ${String(Math.ceil(timeoutMs / 1000))} s`);

const CUT = 'the connection was closed before the end of the body that its headers announce';

/** @returns the error of a failed connection. Node has the reason in the error, or in the errors that it aggregates. */
function noResponse(error: unknown): NoResponse {
  if (error instanceof NoResponse) return error;
  if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ECONNRESET')
    return new NoResponse('the connection was closed without a response');
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [error];
  return new NoResponse(first instanceof Error ? first.message : String(first));
}

export interface Client {
  /** @throws NoResponse if there is no complete response within `timeoutMs`. */
  readonly send: (request: HttpRequest, timeoutMs: number) => Promise<HttpResponse>;
  readonly close: () => void;
}

/**
 * Sends requests by node:http over one connection that is kept open. A request with a body has its own connection:
 * if a server does not read the body, the next request on the connection would fail for it.
 * @param base the base URL, without a trailing slash.
 */
export function createClient(base: string): Client {
  const { protocol, hostname, port, pathname } = new URL(base);
  const { request, Agent } = protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const host = hostname.replace(/^\[|\]$/g, ''); // Node expects an IPv6 address without brackets.
  const prefix = pathname.replace(/\/+$/, '');

  const once = ({ method, path, headers, body }: HttpRequest, timeoutMs: number): Promise<HttpResponse | 'reset'> =>
    new Promise((resolve, reject) => {
      const all = withCommon(headers);
      const isSized = body !== undefined && all['transfer-encoding'] === undefined;
      const sized = isSized ? { ...all, 'content-length': String(Buffer.byteLength(body)) } : all;
      const outgoing = request({
        host,
        port,
        method,
        path: prefix + path,
        headers: sized,
        agent: body === undefined && agent,
      });
      const timer = setTimeout(() => outgoing.destroy(tooSlow(timeoutMs)), timeoutMs);
      outgoing.on('close', () => {
        clearTimeout(timer);
      });
      let head: HttpResponse | undefined;
      outgoing.on('error', (error) => {
        if (head !== undefined) resolve(head);
        else if (isStale(outgoing, error)) resolve('reset');
        else reject(noResponse(error));
      });
      outgoing.on('response', (response) => {
        // A body that HTTP forbids makes Node's parser fail. http.head_body and http.not_modified_body report such a body.
        if (method === 'HEAD' || response.statusCode === 304) head = responseOf(response, Buffer.of());
        read(response).then(resolve, (error: unknown) => {
          reject(error instanceof NoResponse ? error : new NoResponse(CUT));
          outgoing.destroy();
        });
      });
      outgoing.end(body);
    });

  return {
    send: async (outgoing, timeoutMs) => {
      for (let tries = 0; tries < 2; tries += 1) {
        const response = await once(outgoing, timeoutMs);
        if (response !== 'reset') return response;
      }
      throw new NoResponse('the connection was reset');
    },
    close: () => {
      agent.destroy();
    },
  };
}

/** @returns the headers of a request with those that each has. An empty User-Agent stands for none. */
function withCommon({ 'user-agent': client = 'rollcall', ...others }: HttpRequest['headers']): HttpRequest['headers'] {
  // A proxy that compresses responses compresses these too.
  return { 'accept-encoding': 'gzip', ...(client !== '' && { 'user-agent': client }), ...others };
}

/** Whether the server closed a keep-alive connection just when it was reused. Such a request is sent again. */
function isStale(outgoing: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

async function read(response: IncomingMessage): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return responseOf(response, decoded(response, Buffer.concat(chunks)));
}

/** @throws NoResponse if a compressed body cannot be read, or is too large. */
function decoded({ headers }: IncomingMessage, bytes: Buffer): Buffer {
  if (headers['content-encoding'] !== 'gzip' || bytes.length === 0) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(); // Node throws only errors.
    throw new NoResponse('Content-Encoding is gzip, but the body is not');
  }
}

function responseOf(response: IncomingMessage, body: Buffer): HttpResponse {
  const { statusCode: status = 0, headersDistinct } = response;
  const lines = Object.entries(headersDistinct).map(([name, values = []]) => [name, [...new Set(values)]] as const);
  const repeated = new Map(lines.filter(([, values]) => values.length > 1));
  const headers = lines.map(([name, [value]]): [string, string] => {
    return [name, String(repeated.has(name) ? response.headers[name] : value)];
  });
  return { status, headers: new Map(headers), repeated, text: body.toString(), isUtf8: isUtf8(body) };
}

// A server that ignores `Connection: close` has sent everything after this time without data.
const IDLE_MS = 300;
const END_OF_HEAD = '\r\n\r\n';
// Responses such as 103 Early Hints, which come before the response itself.
const INTERIM = /^(?:HTTP\/1\.1 1\d\d[^]*?\r\n\r\n)+/;

/**
 * Sends a request over its own connection and keeps every byte after the head: HTTP clients drop a body that HTTP forbids.
 * @param base the base URL, without a trailing slash.
 * @returns the response; its text is every byte after the head.
 * @throws NoResponse if there is no head within `timeoutMs`.
 */
export function sendRaw(
  base: string,
  { method, path, headers }: HttpRequest,
  timeoutMs: number,
): Promise<HttpResponse> {
  const { protocol, hostname, host, port, pathname } = new URL(base);
  const isSecure = protocol === 'https:';
  const bareHost = hostname.replace(/^\[|\]$/g, '');
  const address = { host: bareHost, port: Number(port === '' ? (isSecure ? 443 : 80) : port) };
  const lines = Object.entries({ host, connection: 'close', ...withCommon(headers) }).map(
    ([name, value]) => `${name}: ${value}`,
  );

  return new Promise((resolve, reject) => {
    const socket = isSecure
      ? connectSecure({ ...address, ...(isIP(bareHost) === 0 && { servername: bareHost }) })
      : connectPlain(address);
    let received = '';
    const timer = setTimeout(() => socket.destroy(tooSlow(timeoutMs)), timeoutMs);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received = `${received}${text}`.replace(INTERIM, '');
      if (received.length > MAX_BODY_BYTES) socket.destroy(tooLarge());
      else if (received.includes(END_OF_HEAD)) socket.setTimeout(IDLE_MS);
    });
    socket.on('timeout', () => {
      socket.destroy();
    });
    let failure: NoResponse | undefined;
    socket.on('error', (error) => {
      failure = noResponse(error);
    });
    socket.on('close', () => {
      clearTimeout(timer);
      const response = parse(received);
      if (response !== undefined) resolve(response);
      else reject(failure ?? new NoResponse('the connection was closed without a response'));
    });
    socket.write(`${method} ${pathname.replace(/\/+$/, '')}${path} HTTP/1.1\r\n${lines.join('\r\n')}${END_OF_HEAD}`);
  });
}

function parse(received: string): HttpResponse | undefined {
  const end = received.indexOf(END_OF_HEAD);
  const [first = '', ...lines] = received.slice(0, Math.max(end, 0)).split('\r\n');
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1];
  if (status === undefined) return undefined;
  const headers = lines.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  return {
    status: Number(status),
    headers: new Map(headers),
    repeated: new Map(),
    text: received.slice(end + END_OF_HEAD.length),
    isUtf8: true,
  };
}
