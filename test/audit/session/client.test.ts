/** The HTTP client of a session: large and compressed bodies are read, within the same bounds; a body that is not read harms nothing. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { createClient } from '../../../audit/session/client.ts';
import type { HttpResponse } from '../../../audit/session/client.ts';
import { sendRaw } from '../../../audit/session/raw.ts';
import type { NoResponse } from '../../../audit/session/connection.ts';
import { afterTest } from '../../support/after-test.ts';
import { serve } from '../conform/bad-servers.ts';

const GET = { method: 'GET', path: '/', headers: {} };
/** For what hangs. */
const LIMIT_MS = 600_000;

/** @returns the outcome of a request, as it is sent by a client or as it is: the response, or why there is none. */
async function outcomes(url: string, timeoutMs = 30_000): Promise<readonly unknown[]> {
  const client = createClient(url);
  afterTest(client.close);
  const all = [client.send(GET, timeoutMs), sendRaw(url, GET, timeoutMs)];
  return Promise.all(all.map((it) => it.catch((error: unknown) => (error as NoResponse).text.raw))); // Nothing else is thrown.
}

const ask = async (body: Buffer, encoding?: string, maxBodyBytes?: number): Promise<HttpResponse> => {
  const url = await serve((_req, res) => {
    res.writeHead(200, encoding === undefined ? {} : { 'content-encoding': encoding }).end(body);
  });
  const client = createClient(url, { maxBodyBytes });
  afterTest(client.close);
  return client.send(GET, LIMIT_MS);
};

test('a body of many megabytes is read, and one that is too large is not', async () => {
  expect((await ask(Buffer.alloc(25_000_000, ' '))).text).toHaveLength(25_000_000);
  await expect(ask(Buffer.alloc(33_000_000, ' '))).rejects.toThrow('the response is larger than 32 MB');
});

test('the bound of a body may be another one', async () => {
  expect((await ask(Buffer.alloc(33_000_000, ' '), undefined, 40_000_000)).text).toHaveLength(33_000_000);
  await expect(ask(Buffer.alloc(11, ' '), undefined, 10)).rejects.toThrow('the response is larger than');
});

describe.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('a response with the coding %s', (coding, compress) => {
  test('is read', async () => {
    expect(await ask(compress('{"a":"ä"}'), coding)).toMatchObject({ text: '{"a":"ä"}', isUtf8: true });
  });

  test('is not, if it decompresses to more than the limit', async () => {
    const bomb = ask(compress(Buffer.alloc(50_000_000)), coding);
    await expect(bomb).rejects.toThrow('the response is larger than 32 MB');
  });

  test('is not, if it has another one', async () => {
    const wrong = `Content-Encoding is ${coding}, but the body is not`;
    await expect(ask(Buffer.from('{}'), coding)).rejects.toThrow(wrong);
  });
});

test('a request has a User-Agent, unless that is empty, whether it is sent as it is or not', async () => {
  const seen: unknown[] = [];
  const url = await serve(({ headers }, res) => {
    seen.push([headers['user-agent'], headers['accept-encoding']]);
    res.end();
  });
  const client = createClient(url);
  afterTest(client.close);
  for (const headers of [{}, { 'user-agent': '' }]) {
    await client.send({ ...GET, headers }, LIMIT_MS);
    await sendRaw(url, { ...GET, headers }, LIMIT_MS);
  }
  expect(seen).toEqual([
    ...Array<unknown>(2).fill(['rollcall', 'gzip']),
    ...Array<unknown>(2).fill([undefined, 'gzip']),
  ]);
});

test('bytes that are not UTF-8 are told', async () => {
  expect(await ask(Buffer.of(0x22, 0xff, 0x22))).toMatchObject({ text: '"\ufffd"', isUtf8: false });
});

/** Serves connections. @returns the address. */
async function serveSockets(handle: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    handle(socket.on('error', () => undefined));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => server.close());
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`; // It listens on a port.
}

/** A server that never reads a body: what follows a head is the next request. */
function readHeads(socket: Socket): void {
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
    for (let end = received.indexOf('\r\n\r\n'); end !== -1; end = received.indexOf('\r\n\r\n')) {
      const status = /^[A-Z]+ \/\S* HTTP\/1\.1\r\n/.test(received) ? '200 OK' : '400 Bad Request';
      received = received.slice(end + 4);
      socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
    }
  });
}

test('a body that the server does not read is not the beginning of the next request', async () => {
  const client = createClient(await serveSockets(readHeads));
  afterTest(client.close);
  const statuses: number[] = [];
  for (const body of [undefined, '{"limit":1}', undefined, '{', undefined])
    statuses.push((await client.send({ ...GET, body }, LIMIT_MS)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
});

test('responses before the response, such as 103 Early Hints, are no part of it', async () => {
  const url = await serve((_req, res) => {
    res.writeProcessing();
    res.writeEarlyHints({ link: '</next>; rel=preload' }, () => {
      res.writeHead(204, { etag: '"a"' }).end();
    });
  });
  const client = createClient(url);
  afterTest(client.close);
  for (const { status, headers, text } of [await client.send(GET, LIMIT_MS), await sendRaw(url, GET, LIMIT_MS)])
    expect([status, headers.get('etag'), headers.get('link'), text]).toEqual([204, '"a"', undefined, '']);
});

describe('every response has an outcome:', () => {
  /** Writes the same again and again, until the client disconnects. */
  const repeat = (text: string) => (socket: Socket) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(text.repeat(1000)));
    };
    socket.on('drain', more);
    more();
  };

  const NONE = 'the connection was closed without a response';
  test.each<[string, string | ((socket: Socket) => void), readonly unknown[]]>([
    [
      '101, which nothing has asked for',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      [expect.objectContaining({ status: 101, text: '' }), NONE],
    ],
    ['an end before the head', 'HTTP/1.1 200 OK\r\nx: y\r\n', [NONE, NONE]],
    ['nothing', '', [NONE, NONE]],
    ['a reset', (socket) => socket.resetAndDestroy(), [NONE, NONE]],
    [
      'a head without end',
      repeat('x-header: value\r\n'),
      ['Parse Error: Expected HTTP/, RTSP/ or ICE/', 'its head is larger than 16 kB'],
    ],
    [
      'a status line without end',
      repeat('HTTP/1.1 200 OK OK OK'),
      [expect.stringMatching(/^Parse Error|^its head/), 'its head is larger than 16 kB'],
    ],
    [
      '103 again and again',
      repeat('HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'),
      ['it sent more than 100 responses with 1xx before one', 'no complete response within 1 s'],
    ],
    [
      'a body that ends early',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{}',
      [expect.stringMatching(/^the connection was closed before/), expect.objectContaining({ text: '{}' })],
    ],
  ])('%s', async (_, reply, expected) => {
    const url = await serveSockets((socket) => {
      socket.once('data', () => {
        if (typeof reply === 'string') socket.end(reply);
        else reply(socket);
      });
    });
    expect(await outcomes(url, 1000)).toEqual(expected);
  });
});
