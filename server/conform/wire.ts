/** Sends a request over a connection of its own, and keeps every byte after the head: HTTP clients drop a body that may not be. */
import { connect as connectPlain, isIP } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { MAX_BODY_BYTES, NoAnswer, noAnswer, tooLarge, tooSlow } from './answer.ts';
import type { Answer, Sent } from './answer.ts';

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
