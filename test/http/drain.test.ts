/** How a server stops: what it still serves, and which connection it closes at which time, by a clock of the test. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { LIMITS, trackConnections } from '../../server/http/connections.ts';
import { createDrain } from '../../server/http/drain.ts';
import type { Drain } from '../../server/http/drain.ts';
import { afterTest } from '../support/after-test.ts';
import { parseResponse, splitResponses } from '../support/raw.ts';

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const HALF = 'GET / HTTP/1.1\r\nHost:';

interface Draining {
  readonly stop: Drain['stop'];
  /** Has the server look at its connections, so many milliseconds after it was told to stop. Resolves when it has. */
  readonly tick: (sinceMs: number) => Promise<void>;
  /** @returns a connection on which a text has arrived, and its end at the server. */
  readonly dial: (text?: string) => Promise<{ readonly socket: Socket; readonly peer: Socket }>;
  /** Waits until no connection is accepted. */
  readonly isDeaf: () => Promise<void>;
  /** Waits for the next request. @returns its response, which the test sends. */
  readonly request: () => Promise<ServerResponse>;
}

/** Starts a server that responds when the test does, and whose time is that of the test. */
async function serve(): Promise<Draining> {
  const server = createServer({ requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 });
  const started = Promise.withResolvers<(sinceMs: number) => unknown>();
  const connections = trackConnections(server, LIMITS, () => undefined);
  const { serve: serveNext, stop } = createDrain(server, connections, (_, check) => {
    started.resolve(check);
    return () => undefined;
  });
  const [responses, waiting]: [ServerResponse[], ((res: ServerResponse) => void)[]] = [[], []];
  server.on('request', (req, res) => {
    connections.begin(req.socket, res);
    serveNext(res, () => {
      const next = waiting.shift();
      if (next === undefined) responses.push(res);
      else next(res);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => stop(0));
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return {
    stop,
    isDeaf: async () => {
      while (server.listening) await turn();
    },
    tick: async (sinceMs) => {
      await (
        await started.promise
      )(sinceMs);
    },
    dial: async (text = '') => {
      const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      afterTest(() => socket.destroy());
      await once(socket, 'connect');
      socket.on('error', () => undefined); // Whether it is closed or reset is not of the test.
      const peer = await accepted;
      socket.write(text);
      while (peer.bytesRead < text.length) await turn();
      return { socket, peer };
    },
    request: () => {
      const next = responses.shift();
      return next === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(next);
    },
  };
}

/** @returns everything that a connection receives until it is closed or reset. */
async function received(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (it: string) => (text += it));
  await new Promise((resolve) => socket.once('end', () => socket.end()).once('close', resolve));
  return text;
}

test.each<[string, string[], number]>([
  ['that is between two requests', [GET], 250],
  ['that has sent nothing', [], 1000],
  ['that has sent half a request', [HALF], 1000],
  ['that has sent half of its second request', [GET, HALF], 1000],
])('a connection %s', async (_, [first = '', second = ''], ms) => {
  const { dial, request, stop, tick } = await serve();
  const { socket, peer } = await dial(first);
  if (first === GET) {
    (await request()).end('first');
    await once(socket, 'data');
    socket.write(second);
    while (peer.bytesRead < first.length + second.length) await turn();
  }
  const rest = received(socket);
  const stopped = stop();
  await tick(ms - 1);
  expect(peer.destroyed).toBe(false);
  await tick(ms);
  expect(peer.destroyed).toBe(true);
  expect(await rest).toBe('');
  await stopped;
});

test('a request without a response has ten seconds', async () => {
  const { dial, request, stop, tick } = await serve();
  const { socket, peer } = await dial(GET);
  const rest = received(socket);
  await request();
  const stopped = stop();
  await tick(9999);
  expect(peer.destroyed).toBe(false);
  await tick(10_000);
  expect(peer.destroyed).toBe(true);
  expect(await rest).toBe('');
  await stopped;
});

test('a request in flight gets its response, which closes its connection, and no new connection is accepted', async () => {
  const { dial, isDeaf, request, stop } = await serve();
  const { socket } = await dial(GET);
  const response = await request();
  const stopped = stop();
  await isDeaf();
  await expect(dial()).rejects.toThrow('ECONNREFUSED');
  response.end('late');
  expect(parseResponse(await received(socket))).toMatchObject({
    status: 200,
    headers: { connection: 'close' },
    text: 'late',
  });
  await stopped;
});

test('a request that arrives meanwhile on a connection in use is served, and its response says that it is the last', async () => {
  const { dial, isDeaf, request, stop } = await serve();
  const { socket } = await dial(GET);
  (await request()).end('first');
  const [first] = (await once(socket, 'data')) as [Buffer];
  expect(parseResponse(first.toString()).headers['connection']).toBe('keep-alive');
  const stopped = stop();
  await isDeaf();
  socket.write(GET);
  (await request()).end('second');
  expect(parseResponse(await received(socket))).toMatchObject({
    headers: { connection: 'close' },
    text: 'second',
  });
  await stopped;
});

test('requests that arrive together are all served, and only the last response says so', async () => {
  const { dial, request, stop } = await serve();
  const { socket } = await dial();
  const all = received(socket);
  const stopped = stop();
  socket.write(GET.repeat(5));
  for (let at = 0; at < 5; at += 1) (await request()).end();
  const responses = splitResponses(await all);
  expect(responses.map((it) => parseResponse(it).headers['connection'])).toEqual([
    ...Array<string>(4).fill('keep-alive'),
    'close',
  ]);
  await stopped;
});

test('with 0 it waits for nobody: nothing, half a request, a request in flight and an idle connection are cut at once', async () => {
  const { dial, request, stop } = await serve();
  const idle = await dial(GET);
  (await request()).end();
  await once(idle.socket, 'data');
  const all = [idle, await dial(), await dial(HALF), await dial(GET)];
  await request();
  const ended = all.map(({ socket }) => received(socket));
  await stop(0); // No clock ticks.
  expect(all.map(({ peer }) => peer.destroyed)).toEqual([true, true, true, true]);
  expect(await Promise.all(ended)).toEqual(['', '', '', '']);
});
