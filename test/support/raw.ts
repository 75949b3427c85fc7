/** HTTP as bytes, for what a client library would not send. */
import { connect } from 'node:net';

/**
 * Sends `text` to a server.
 * @param encoding of both ways; with `latin1` a character is a byte.
 * @returns everything it answers until it closes the connection.
 */
export function exchange(url: string, text: string, encoding: BufferEncoding = 'utf8'): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(text, encoding));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString(encoding));
    });
  });
}

/** @returns status, headers by lower-case name, and body of one answer. */
export function parseResponse(text: string): { status: number; headers: Record<string, string>; text: string } {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [line = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((it) => /^([^:]+): ?(.*)$/.exec(it))
    .map((it) => [it?.[1]?.toLowerCase() ?? '', it?.[2] ?? '']);
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: body.join('\r\n\r\n'),
  };
}

/** @returns the text of a GET with a key, after which its connection stays open. */
export const getText = (key: string, target = '/automations', ...headers: readonly string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n');
/** @returns the text of a GET with a key that is the last of its connection. */
export const lastText = (key: string, target = '/automations', ...headers: readonly string[]): string =>
  getText(key, target, ...headers, 'Connection: close');

/** @returns the responses of a connection, one after the other. */
export const splitResponses = (text: string): string[] => text.split(/(?=HTTP\/1\.1 \d{3} )/).filter((it) => it !== '');
/** @returns the statuses of the responses of a connection, those of `100 Continue` too. */
export const statusesOf = (text: string): number[] => splitResponses(text).map((it) => parseResponse(it).status);
