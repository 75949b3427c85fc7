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
