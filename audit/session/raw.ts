/** Sends one request over its own connection and keeps every byte after the head: HTTP clients drop a body that HTTP forbids. */
import { say } from '../rules/text.ts';
import { MAX_BODY_BYTES, tooLarge, withCommon } from './client.ts';
import type { HttpRequest, HttpResponse, Sending } from './client.ts';
import { NoResponse, TooSlow, noResponse, routeOf } from './connection.ts';

// A server that ignores `Connection: close` has sent everything after this time without data.
const IDLE_MS = 300;
// As much as Node reads.
const MAX_HEAD_BYTES = 16_000;
const END_OF_HEAD = '\r\n\r\n';
// Responses such as 103 Early Hints, which come before the response itself.
const INTERIM = /^(?:HTTP\/1\.1 1\d\d[^]*?\r\n\r\n)+/;

/**
 * @param base the base URL, without a trailing slash.
 * @returns the response; its text is every byte after the head.
 * @throws NoResponse if there is no head within `timeoutMs`.
 */
export async function sendRaw(
  base: string,
  { method, path, headers }: HttpRequest,
  timeoutMs: number,
  { proxy, maxBodyBytes = MAX_BODY_BYTES }: Sending = {},
): Promise<HttpResponse> {
  const url = new URL(base);
  const route = routeOf(url, proxy);
  const all = { host: url.host, connection: 'close', ...withCommon(headers), ...route.headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const target = `${route.before}${url.pathname.replace(/\/+$/, '')}${path}`;
  const socket = await route.open(timeoutMs);

  return new Promise((resolve, reject) => {
    let received = '';
    const timer = setTimeout(() => socket.destroy(new TooSlow(timeoutMs)), timeoutMs);
    socket.setEncoding('latin1').on('data', (text: string) => {
      received = `${received}${text}`.replace(INTERIM, '');
      const hasHead = received.includes(END_OF_HEAD);
      if (received.length > (hasHead ? maxBodyBytes : MAX_HEAD_BYTES))
        socket.destroy(
          hasHead ? tooLarge(maxBodyBytes) : new NoResponse(say`its head is larger than ${MAX_HEAD_BYTES / 1000} kB`),
        );
      else if (hasHead) socket.setTimeout(IDLE_MS);
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
      else reject(failure ?? new NoResponse(say`the connection was closed without a response`));
    });
    socket.write(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}${END_OF_HEAD}`);
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
