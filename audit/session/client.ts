/** Sends one HTTP request, bounded in time and size. Redirects are not followed, and the request path is sent unchanged. */
import { isUtf8 } from 'node:buffer';
import http from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import https from 'node:https';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { own, say } from '../rules/text.ts';
import { NoResponse, TooSlow, noResponse, routeOf } from './connection.ts';
import type { Proxy } from './proxy.ts';

/** A response as it was received. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name. Equal lines of a header count as one; different ones are joined by commas, if HTTP allows that, or the first counts. */
  readonly headers: ReadonlyMap<string, string>;
  /** The names of headers on several lines, with the values as they were sent. */
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

/** @returns an ETag without `W/`, for weak comparison (RFC 9110, 8.8.3.2): a proxy that compresses makes the ETag weak. */
export const opaque = (etag = ''): string => etag.replace(/^W\//, '');

/** The maximum size of a body: a page of 100 items with the longest texts, each character escaped, has 25 MB. */
export const MAX_BODY_BYTES = 32_000_000;

export const tooLarge = (bytes: number): NoResponse =>
  new NoResponse(say`the response is larger than ${bytes / 1e6} MB`);

const CUT = say`the connection was closed before the end of the body that its headers announce`;
// A server may send some, such as 103 Early Hints. One that sends more never comes to its response.
const MAX_INTERIM = 100;

/** How requests are sent. */
export interface Sending {
  readonly proxy?: Proxy | undefined;
  /** The most bytes of a body. */
  readonly maxBodyBytes?: number | undefined;
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
export function createClient(base: string, { proxy, maxBodyBytes = MAX_BODY_BYTES }: Sending = {}): Client {
  const url = new URL(base);
  const { to, before, headers: forProxy, agent: agentWith } = routeOf(url, proxy);
  const { request } = to.isSecure || url.protocol === 'https:' ? https : http;
  const agent = agentWith({ keepAlive: true, maxSockets: 1 });
  const prefix = before + url.pathname.replace(/\/+$/, '');

  /** Every response has an outcome: whatever comes, or does not, the promise settles. */
  const once = ({ method, path, headers, body }: HttpRequest, timeoutMs: number): Promise<HttpResponse | 'reset'> =>
    new Promise((resolve, reject) => {
      const all: HttpRequest['headers'] = { host: url.host, ...withCommon(headers), ...forProxy };
      const isSized = body !== undefined && all['transfer-encoding'] === undefined;
      const sized = isSized ? { ...all, 'content-length': String(Buffer.byteLength(body)) } : all;
      const outgoing = request({
        ...{ host: to.host, port: to.port, method, path: prefix + path, headers: sized },
        agent: body === undefined ? agent : agentWith({}),
      });
      const timer = setTimeout(() => outgoing.destroy(new TooSlow(timeoutMs)), timeoutMs);
      const fail = (error: NoResponse): void => {
        reject(error);
        outgoing.destroy();
      };
      let head: HttpResponse | undefined;
      let [interim, isStarted] = [0, false];
      outgoing.on('close', () => {
        clearTimeout(timer);
        if (!isStarted) reject(new NoResponse(say`the connection was closed without a response`)); // Unless it was reset.
      });
      outgoing.on('error', (error) => {
        if (head !== undefined) resolve(head);
        else if (isStale(outgoing, error)) resolve('reset');
        else reject(noResponse(error));
      });
      outgoing.on('information', () => {
        interim += 1;
        if (interim > MAX_INTERIM)
          fail(new NoResponse(say`it sent more than ${MAX_INTERIM} responses with 1xx before one`));
      });
      // Nothing has asked for another protocol, and none is spoken.
      outgoing.on('upgrade', (response, socket) => {
        socket.on('error', () => undefined).destroy();
        resolve(responseOf(response, Buffer.of()));
      });
      outgoing.on('response', (response) => {
        isStarted = true;
        if (proxy !== undefined && response.statusCode === PROXY_AUTHENTICATION)
          fail(new NoResponse(say`the proxy needs a user and a password, as in http://user:password@host:port`));
        // A body that HTTP forbids makes Node's parser fail. http.head_body and http.not_modified_body report such a body.
        if (method === 'HEAD' || response.statusCode === 304) head = responseOf(response, Buffer.of());
        read(response, maxBodyBytes).then(resolve, (error: unknown) => {
          fail(error instanceof NoResponse ? error : new NoResponse(CUT));
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
      throw new NoResponse(say`the connection was reset`);
    },
    close: () => {
      agent.destroy();
    },
  };
}

const PROXY_AUTHENTICATION = 407;

/** @returns the headers of a request with those that each has. An empty User-Agent stands for none. */
export function withCommon({
  'user-agent': client = 'rollcall',
  ...others
}: HttpRequest['headers']): HttpRequest['headers'] {
  // A proxy that compresses responses compresses these too.
  return { 'accept-encoding': 'gzip', ...(client !== '' && { 'user-agent': client }), ...others };
}

/** Whether the server closed a keep-alive connection just when it was reused. Such a request is sent again. */
function isStale(outgoing: ClientRequest, error: NodeJS.ErrnoException): boolean {
  return outgoing.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

async function read(response: IncomingMessage, maxBytes: number): Promise<HttpResponse> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return responseOf(response, decompressed(response.headers['content-encoding'], Buffer.concat(chunks), maxBytes));
}

// The codings that requests accept: some of conform's accept Brotli.
const CODINGS = new Map([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
]);

/** @throws NoResponse if a compressed body cannot be read, or is too large. */
export function decompressed(coding: string | undefined, bytes: Buffer, maxBytes = MAX_BODY_BYTES): Buffer {
  const decompress = CODINGS.get(coding ?? '');
  if (decompress === undefined || bytes.length === 0) return bytes;
  try {
    return decompress(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes); // Node throws only errors.
    throw new NoResponse(say`Content-Encoding is ${own(coding ?? '')}, but the body is not`);
  }
}

function responseOf(response: IncomingMessage, body: Buffer): HttpResponse {
  const { statusCode: status = 0, headersDistinct } = response;
  const lines = Object.entries(headersDistinct).map(([name, values = []]) => [name, values] as const);
  const repeated = new Map(lines.filter(([, values]) => values.length > 1));
  const headers = lines.map(([name, values]): [string, string] => {
    return [name, String(new Set(values).size > 1 ? response.headers[name] : values[0])];
  });
  return { status, headers: new Map(headers), repeated, text: body.toString(), isUtf8: isUtf8(body) };
}
