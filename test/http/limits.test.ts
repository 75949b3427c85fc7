/** Each limit of `server/http/connections.ts`, broken for real: slow, silent, endless, greedy and deaf peers. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { LIMITS, addressGroup, trackConnections } from '../../server/http/connections.ts';
import type { Connections, Limits } from '../../server/http/connections.ts';
import { automation, contactProperty } from '../../testkit/builders.ts';
import { afterTest } from '../support/after-test.ts';
import { expectDeclared } from '../support/declared.ts';
import { exchange, getText, lastText, parseResponse, statusesOf } from '../support/raw.ts';
import { heldList, serve } from '../support/served.ts';
import type { Served } from '../support/served.ts';

const start = (limits: Partial<Limits>, overrides: Parameters<typeof serve>[0] = {}): Promise<Served> =>
  serve({
    records: {
      automations: [automation()],
      contactProperties: Array.from({ length: 100 }, () => contactProperty({ key: 'x'.repeat(1000) })),
    },
    limits: { ...LIMITS, checkEveryMs: 20, ...limits },
    ...overrides,
  });

// Not by `once` of Node, which throws when the connection is reset.
const isClosed = (socket: Socket): Promise<unknown> => new Promise((resolve) => socket.once('close', resolve));

/** @returns everything that a connection receives until the server closes it. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('latin1').on('data', (it: string) => (text += it));
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return text;
}

/** Says something again and again, until the server is found to have closed the connection. */
async function drip(socket: Socket, text: string): Promise<void> {
  const timer = setInterval(() => socket.write(text), 10);
  await isClosed(socket);
  clearInterval(timer);
}

/** Asserts that a response is the declared 503. @returns its headers. */
function expectBusy(text: string): Record<string, string> {
  const rejected = parseResponse(text);
  expect(rejected.status).toBe(503);
  expectDeclared('listAutomations', rejected);
  return rejected.headers;
}

describe('the defaults', () => {
  const { headersMs, requestMs, idleMs, stalledMs, checkEveryMs } = LIMITS;

  test('each time ends before those that contain it, and no address can take the connections of all others', () => {
    expect(headersMs).toBeLessThan(requestMs);
    expect(Math.max(headersMs, requestMs)).toBeLessThan(stalledMs);
    expect(checkEveryMs * 10).toBeLessThanOrEqual(Math.min(headersMs, requestMs, idleMs, stalledMs));
    expect(idleMs).toBeGreaterThan(60_000 + checkEveryMs); // Common proxies close theirs after 60 s.
    expect(LIMITS.connectionsPerAddress * 4).toBeLessThanOrEqual(LIMITS.connections);
    expect(LIMITS.rejectedConnections).toBeLessThan(LIMITS.connectionsPerAddress);
    expect(LIMITS.requestsInFlight).toBeLessThan(LIMITS.connectionsPerAddress);
  });
});

describe('headers', () => {
  test('may be so many, and beyond that are rejected rather than dropped', async () => {
    const { url, key } = await start({});
    const ask = async (count: number): Promise<ReturnType<typeof parseResponse>> => {
      const others = Array.from({ length: count - 3 }, (_, at) => `X-${String(at)}: x`);
      return parseResponse(await exchange(url, lastText(key, '/automations', ...others)));
    };
    expect((await ask(LIMITS.headerCount)).status).toBe(200);
    const rejected = await ask(LIMITS.headerCount + 1);
    expect(rejected.status).toBe(422);
    expectDeclared('listAutomations', rejected);
    expect(JSON.parse(rejected.text)).toMatchObject({ message: 'The request has too many headers.' });
  });

  test('may take so many bytes with the target', async () => {
    const { url, key } = await start({ headerBytes: 1000 });
    expect(parseResponse(await exchange(url, lastText(key))).status).toBe(200);
    const rejected = parseResponse(await exchange(url, getText(key, `/automations?${'x'.repeat(1000)}`)));
    expect(rejected.status).toBe(422);
    expectDeclared('listAutomations', rejected);
  });

  test('that come byte by byte, or never, have so much time', async () => {
    const { dial } = await start({ headersMs: 100, requestMs: 10_000 });
    // Each is listened to before the next connects, which may take longer than their time.
    const slow = drip(await dial('GET '), 'x');
    const silent = readAll(await dial());
    const socket = await dial('GET /automations HTTP/1.1\r\nHo');
    const half = readAll(socket);
    socket.end();
    expect(await Promise.all([slow, silent, half])).toEqual([undefined, '', expect.anything()]);
  });
});

test.each(['Content-Length: 1000000000', 'Transfer-Encoding: chunked'])(
  'a body without end has so much time: %s',
  async (header) => {
    const { dial } = await start({ headersMs: 100, requestMs: 200 });
    const socket = await dial(`POST /automations HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
    const response = readAll(socket);
    await drip(socket, header.startsWith('T') ? '1\r\nx\r\n' : 'x');
    // On a slow machine, the time may be over before the server reads the headers: then there is no response.
    expect([[], [405]]).toContainEqual(statusesOf(await response));
  },
);

describe('a connection', () => {
  test('between requests has so much time', async () => {
    const { key, dial } = await start({ idleMs: 50 });
    expect(statusesOf(await readAll(await dial(getText(key))))).toEqual([200]);
  });

  /** A connection of a server without HTTP, or of one with it, whose time is that of the test. */
  const track = async (
    server = createServer().removeAllListeners('connection'),
  ): Promise<{ tick: (sinceMs: number) => void; connections: Connections; socket: Socket; peer: Socket }> => {
    let tick = (_: number): unknown => undefined;
    const limits = { ...LIMITS, idleMs: 5000, stalledMs: 1000 };
    const connections = trackConnections(
      server,
      limits,
      () => undefined,
      (_, check) => {
        tick = check;
        return () => undefined;
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterTest(() => server.close());
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
    const { port } = server.address() as AddressInfo; // It listens on a port.
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const peer = (await accepted).on('error', () => undefined);
    for (const it of [socket, peer]) afterTest(() => it.destroy());
    return { tick: (sinceMs) => void tick(sinceMs), connections, socket, peer };
  };

  test('on which nothing leaves has so much time, even if it says something', async () => {
    const { tick, socket, peer } = await track();
    tick(500);
    peer.write('x'.repeat(20_000_000)); // More than the system takes while nobody reads.
    socket.write('anything');
    await once(peer, 'data');
    tick(1500);
    expect(peer.destroyed).toBe(false);
    tick(1501);
    expect(peer.destroyed).toBe(true);
  });

  /** A connection whose first request has its response. */
  const trackIdle = async (): Promise<{
    tick: (sinceMs: number) => void;
    peer: Socket;
    next: () => Promise<unknown>;
  }> => {
    const server = createServer({ keepAliveTimeout: 0 });
    const { tick, connections, socket, peer } = await track(server);
    server.on('request', (req, res) => connections.begin(req.socket, res));
    const next = async (): Promise<ServerResponse> => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      const [, res] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
      return res;
    };
    const first = await next();
    first.end();
    await once(first, 'close');
    tick(0);
    return { tick, peer, next };
  };

  test('between requests is left to its own timeout, and beyond it has the same time', async () => {
    const { tick, peer } = await trackIdle();
    tick(6000);
    expect(peer.destroyed).toBe(false);
    tick(6001);
    expect(peer.destroyed).toBe(true);
  });

  test('has all of that time for a response, however long it was idle before', async () => {
    const { tick, peer, next } = await trackIdle();
    tick(4900);
    expect(peer.destroyed).toBe(false);
    await next();
    tick(5000);
    tick(6000);
    expect(peer.destroyed).toBe(false);
    tick(6001);
    expect(peer.destroyed).toBe(true);
  });

  test('is not checked any more once the server has closed', async () => {
    let isEnded = false;
    const server = createServer();
    const end = (): void => {
      isEnded = true;
    };
    trackConnections(server, LIMITS, end, () => end);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    expect(isEnded).toBe(false);
    await once(server.close(), 'close');
    expect(isEnded).toBe(true);
  });

  test('that reads slowly, but reads, stays open', async () => {
    const { tick, socket, peer } = await track();
    // On and on, as far as it leaves, until the connection is destroyed.
    const write = (error?: Error | null): void => {
      if (!error) peer.write('x'.repeat(1_000_000), write);
    };
    write();
    const sent = (): number => peer.bytesWritten - peer.writableLength;
    for (let round = 0; round < 5; round += 1) {
      tick(round * 1500);
      expect(peer.destroyed).toBe(false);
      for (const before = sent(); sent() === before;) {
        socket.read();
        await turn();
      }
    }
  });

  test('has so many requests, the last of which says so', async () => {
    const { key, dial } = await start({ requestsPerConnection: 3 });
    const responses = await readAll(await dial(getText(key).repeat(5)));
    expect(statusesOf(responses)).toEqual([200, 200, 200]);
    expect(responses.match(/^Connection: .*(?=\r$)/gm)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
  });
});

describe('connections', () => {
  const expectRejected = (text: string): void => {
    expect(expectBusy(text)).toMatchObject({ 'retry-after': '5', connection: 'close' });
  };

  test.each<[string, Partial<Limits>]>([
    ['in all', { connections: 2 }],
    ['of one address', { connectionsPerAddress: 2 }],
  ])('may be so many %s', async (_, limits) => {
    const { url, key, dial } = await start(limits);
    const [first, second] = [await dial(getText(key)), await dial(getText(key))];
    await Promise.all([once(first, 'data'), once(second, 'data')]);
    for (let at = 0; at < 10; at += 1) expectRejected(await exchange(url, lastText(key)));
    first.destroy();
    await once(first, 'close');
    let again: ReturnType<typeof parseResponse>;
    do again = parseResponse(await exchange(url, lastText(key)));
    while (again.status === 503); // Until the server has seen it.
    expect(again.status).toBe(200);
  });

  test('of another address are not counted with those of the first', async () => {
    const { url, key, dial } = await start({ connectionsPerAddress: 1 });
    await once(await dial(getText(key)), 'data');
    expectRejected(await exchange(url, lastText(key)));
    expect(statusesOf(await readAll(await dial(lastText(key), '127.0.0.2')))).toEqual([200]);
  });

  test('that are rejected may be silent, reset, or too many themselves', async () => {
    const { url, key, dial } = await start({ connections: 0, rejectedConnections: 2 });
    for (let at = 0; at < 20; at += 1) (await dial(getText(key))).resetAndDestroy();
    let [silent, beyond] = [await dial(), ['']];
    do {
      const next = await dial();
      const dialed = await Promise.all([dial(getText(key)), dial(getText(key))]);
      beyond = await Promise.all(dialed.map(readAll));
      next.destroy();
      if (beyond.some((it) => it !== '')) silent = await dial();
    } while (beyond.some((it) => it !== '')); // After a second, the server closes those that are silent: then there was room again.
    expect(await readAll(silent)).toBe('');
    expectRejected(await exchange(url, lastText(key)));
  });

  test.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::6', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::', 'fe80:0:0:0'],
    [undefined, ''],
  ])('from %s count as from %s', (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

describe('requests in flight', () => {
  test('may be so many; one more gets a 503 at once', async () => {
    const { overrides, arrived, release } = heldList(2);
    const { url, key, reported } = await start({ requestsInFlight: 2 }, { overrides });
    const held = [exchange(url, lastText(key)), exchange(url, lastText(key))];
    await arrived;
    for (let at = 0; at < 5; at += 1) {
      expect(expectBusy(await exchange(url, lastText(key)))).toHaveProperty('retry-after', '1');
    }
    release();
    expect((await Promise.all(held)).flatMap(statusesOf)).toEqual([200, 200]);
    expect(statusesOf(await exchange(url, lastText(key)))).toEqual([200]);
    expect(reported).toEqual([]);
  });

  test('count to the end of their turn, also those whose response is cached', async () => {
    const { url, key } = await start({ requestsInFlight: 3 });
    for (let at = 0; at < 3; at += 1) expect(statusesOf(await exchange(url, lastText(key)))).toEqual([200]);
    const responses = statusesOf(await exchange(url, getText(key).repeat(4) + lastText(key)));
    // Fewer are admitted where another program has the processor meanwhile: the turn takes long then.
    const admitted = responses.lastIndexOf(200) + 1;
    expect([1, 2, 3]).toContain(admitted);
    expect(responses).toEqual([...Array<number>(admitted).fill(200), ...Array<number>(5 - admitted).fill(503)]);
  });

  test('whose callers have left do not count', async () => {
    const { overrides, arrived, release } = heldList();
    afterTest(release);
    const { url, key, dial } = await start({ requestsInFlight: 1 }, { overrides });
    const socket = await dial(getText(key));
    await arrived;
    expectBusy(await exchange(url, lastText(key)));
    socket.resetAndDestroy();
    let status: number | undefined;
    do [status] = statusesOf(await exchange(url, lastText(key, '/contacts/imports/x')));
    while (status === 503); // Until the server has seen it.
    expect(status).toBe(422); // It needs no read, of which the first still waits.
  });
});
