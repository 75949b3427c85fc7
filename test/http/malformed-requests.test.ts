/** Malformed requests, for real: sockets that are reset, that never close, that never read, that send on for ever. */
import { once } from 'node:events';
import { IncomingMessage, createServer } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { LIMITS, trackConnections } from '../../server/http/connections.ts';
import { respondToMalformedRequests } from '../../server/http/malformed-requests.ts';
import { contract } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import fc from '../support/fast-check.ts';
import { exchange, getText, lastText, parseResponse, splitResponses, statusesOf } from '../support/raw.ts';
import { heldList, serve } from '../support/served.ts';

const CONNECT = 'CONNECT example.invalid:80 HTTP/1.1\r\nHost: example.invalid:80\r\n\r\n';
const GARBAGE = 'no HTTP\r\n\r\n';

describe('a peer of a rejected message', () => {
  test.each([CONNECT, GARBAGE])('may reset the connection: %j', async (text) => {
    const { url, dial } = await serve();
    for (let at = 0; at < 20; at += 1) {
      const socket = await dial(text);
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    for (let at = 0; at < 20; at += 1) (await dial(text)).resetAndDestroy();
    expect(parseResponse(await exchange(url, CONNECT)).status).toBe(405);
  });

  test.each([
    ['never closes, after CONNECT', CONNECT, true],
    ['never closes, after garbage', GARBAGE, true],
    ['sends without end', CONNECT, false],
  ])('that %s is let go of', async (_, text, waits) => {
    const { dial } = await serve();
    const socket = await dial(text);
    socket.resume();
    if (waits) await once(socket, 'end'); // The whole response has arrived.
    await writeUntilClosed(socket, 'x'.repeat(65_536));
    expect(socket.destroyed).toBe(true);
  });

  test('has all that it sends read: a connection that is closed before is reset, and the response may be lost', async () => {
    const server = createServer();
    const connections = trackConnections(server, LIMITS, () => undefined, () => () => undefined); // prettier-ignore
    respondToMalformedRequests(server, connections, contract);
    const socket = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => { done(); } }); // prettier-ignore
    server.emit('connect', new IncomingMessage(new Socket()), socket, Buffer.of());
    socket.push('x'.repeat(1_000_000));
    socket.push(null);
    await once(socket, 'close');
    expect(socket.readableEnded).toBe(true);
  });

  test('that never closes does not hold up a stop', async () => {
    const { dial, listener } = await serve();
    for (const text of [CONNECT, GARBAGE]) await once(await dial(text), 'data');
    await listener.stop(); // Or the test takes too long.
  });
});

/** Writes again and again, until the server is found to have closed the connection. A second of writing costs little, in pauses. */
async function writeUntilClosed(socket: Socket, text: string): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const write = (): void => {
    if (socket.writable) socket.write(text, () => setTimeout(write, 10));
  };
  write();
  await closed;
}

describe('pipelining', () => {
  test('a malformed message after a GET does not take its response', async () => {
    const { overrides, release } = heldList();
    const { url, key } = await serve({ overrides });
    const responses = exchange(url, getText(key) + GARBAGE);
    setImmediate(release);
    const [good, bad, ...others] = splitResponses(await responses).map(parseResponse);
    expect(good).toMatchObject({ status: 200, text: '{"object":"list","has_more":false,"data":[]}' });
    expect(bad?.status).toBe(405);
    if (bad !== undefined) expectDeclared('listAutomations', bad);
    expect(others).toEqual([]);
  });

  test('nor do several of them, which are one rejected message', async () => {
    const { overrides, arrived, release } = heldList();
    const rejected: unknown[] = [];
    const { url, key, dial } = await serve({
      overrides,
      observer: { rejected: ({ reason }) => rejected.push(reason) },
    });
    const socket = await dial(getText(key) + GARBAGE);
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    await arrived;
    socket.write(GARBAGE.repeat(3));
    await exchange(url, lastText(key, '/nope')); // By then the server has met with them.
    release();
    await once(socket, 'end');
    expect(statusesOf(text)).toEqual([200, 405]);
    expect(rejected).toEqual(['method']);
  });

  test('several GETs and a malformed message get their responses in order', async () => {
    const { url, key } = await serve();
    const targets = ['/automations', '/contact-properties', '/nope', '/automations?limit=0'];
    const text = targets.map((target) => getText(key, target)).join('');
    expect(statusesOf(await exchange(url, text + GARBAGE))).toEqual([200, 200, 404, 422, 405]);
  });

  test('100 Continue does not get into the response to a request that waits for its turn', async () => {
    const { url, key } = await serve();
    const last = lastText(key, '/nope', 'Expect: 100-continue');
    expect(statusesOf(await exchange(url, last))).toEqual([100, 404]);
    expect(statusesOf(await exchange(url, getText(key) + last))).toEqual([200, 404]);
  });

  const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'];
  const upgrade = (key: string, ...headers: readonly string[]): string =>
    getText(key, '/automations', ...UPGRADE, ...headers);

  test.each<[string, (key: string) => string, statuses?: number[]]>([
    ['alone', (key) => upgrade(key)],
    ['among other options', (key) => getText(key, '/automations', 'Connection: keep-alive, UPGRADE', 'Upgrade: h2c')],
    ['in one of two lines', (key) => getText(key, '/nope', 'Connection: x', ...UPGRADE), [404]],
    ['with a body', (key) => `${upgrade(key, 'Content-Length: 2')}{}`],
    ['with a chunked body', (key) => `${upgrade(key, 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`],
    [
      'with a body that is expected',
      (key) => `${upgrade(key, 'Expect: 100-continue', 'Content-Length: 2')}{}`,
      [100, 200],
    ],
    ['with an unknown expectation', (key) => upgrade(key, 'Expect: a-miracle')],
    ['of HTTP/1.0', (key) => getText(key, '/automations', 'Connection: keep-alive', ...UPGRADE).replace('1.1', '1.0')],
    ['of HEAD', (key) => upgrade(key).replace('GET', 'HEAD')],
    ['of OPTIONS', (key) => upgrade(key).replace('GET', 'OPTIONS'), [204]],
    ['of a method that is not allowed', (key) => upgrade(key).replace('GET', 'POST'), [405]],
    ['of the contract', (key) => getText(key, '/openapi.json', ...UPGRADE)],
    ['without a key', () => upgrade('no key'), [401]],
    ['behind another request', (key) => getText(key, '/nope') + upgrade(key), [404, 200]],
    ['before a CONNECT', (key) => upgrade(key) + CONNECT],
  ])(
    'a request with Upgrade closes the connection, because Node drops what follows: %s',
    async (_, text, statuses = [200]) => {
      const { url, key } = await serve();
      const all = await exchange(url, text(key) + getText(key) + GARBAGE); // Or the test takes too long.
      expect(statusesOf(all)).toEqual(statuses);
      const [last = '', ...earlier] = splitResponses(all).reverse();
      expect(parseResponse(last).headers['connection']).toBe('close');
      for (const it of earlier) expect(parseResponse(it).headers['connection']).not.toBe('close');
    },
  );

  test.each<[string, (key: string) => string, statuses?: number[]]>([
    ['Connection: upgrade without Upgrade', (key) => getText(key, '/automations', 'Connection: upgrade')],
    ['a body', (key) => `${getText(key, '/automations', 'Content-Length: 2')}{}`],
    [
      'a body that was expected',
      (key) => `${getText(key, '/nope', 'Expect: 100-continue', 'Content-Length: 2')}{}`,
      [100, 404],
    ],
    ['an unknown expectation', (key) => getText(key, '/automations', 'Expect: a-miracle')],
    ['HTTP/1.0', (key) => getText(key, '/automations', 'Connection: keep-alive').replace('1.1', '1.0')],
    [
      'HTTP/1.0 and an expectation',
      (key) => getText(key, '/automations', 'Connection: keep-alive', 'Expect: 100-continue').replace('1.1', '1.0'),
    ],
  ])('a request with %s keeps it', async (_, text, statuses = [200]) => {
    const { url, key } = await serve();
    expect(statusesOf(await exchange(url, text(key) + getText(key) + CONNECT))).toEqual([...statuses, 200, 405]);
  });
});

describe('a request has one final response', () => {
  const CHUNKED =
    'GET /automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\n';
  const LENGTH = CHUNKED.replace('Transfer-Encoding: chunked', 'Content-Length: 5');
  const final = (text: string): number[] => statusesOf(text).filter((it) => it !== 100);

  const MALFORMED: [what: string, head: string, body: string, statuses: number[]][] = [
    ['the size of a chunk is none', CHUNKED, 'zz\r\n', [200]],
    ['the end of a chunk is none', CHUNKED, '1\r\nxyz\r\n', [200]],
    ['a chunk is too large', CHUNKED, 'fffffffffffffffff\r\n', [200]],
    ['a trailer is none', CHUNKED, '0\r\nA B: c\r\n\r\n', [200]],
    ['it is not of a request that is allowed', CHUNKED.replace('GET', 'POST'), 'zz\r\n', [405]],
    ['its path leads nowhere', CHUNKED.replace('/automations', '/nope'), 'zz\r\n', [404]],
    ['its key is none', CHUNKED.replace('KEY', 'nope'), 'zz\r\n', [401]],
    ['it is of HEAD', CHUNKED.replace('GET', 'HEAD'), 'zz\r\n', [200]],
    ['it is of a page', CHUNKED.replace('/automations', '/docs'), 'zz\r\n', [200]],
    ['it was expected', CHUNKED.replace('Host: x', 'Host: x\r\nExpect: 100-continue'), 'zz\r\n', [200]],
    ['a request came before it', `${CHUNKED}0\r\n\r\n${CHUNKED}`, 'zz\r\n', [200, 200]],
    ['what follows looks like a request', CHUNKED, 'GET /automations HTTP/1.1\r\n\r\n', [200]],
  ];

  test.each(MALFORMED)('whose body is malformed and comes with it: %s', async (_, head, body, statuses) => {
    const { url, key } = await serve();
    expect(final(await exchange(url, head.replaceAll('KEY', key) + body))).toEqual(statuses);
  });

  test.each(MALFORMED)('whose body is malformed and comes after its response: %s', async (_, head, body, statuses) => {
    const { key, dial } = await serve();
    const socket = await dial(head.replaceAll('KEY', key));
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    const ended = once(socket, 'end');
    while (final(text).length < statuses.length) await once(socket, 'data');
    socket.write(body);
    await ended; // Or the test takes too long: the connection is let go of.
    expect(final(text)).toEqual(statuses);
  });

  test('whose body is malformed and goes on, which is read: the connection would be reset', async () => {
    const { key, dial } = await serve();
    const socket = await dial(CHUNKED.replace('KEY', key));
    await once(socket, 'data');
    socket.resume().end(`zz\r\n${'x'.repeat(300_000)}`);
    expect(await once(socket, 'close')).toEqual([false]); // Not by an error.
  });

  test('whose body is malformed and comes before its response, which then says that the connection ends', async () => {
    const { overrides, release } = heldList();
    const { url, key } = await serve({ overrides });
    const responses = exchange(url, `${CHUNKED.replace('KEY', key)}zz\r\n`);
    setImmediate(release);
    const text = await responses;
    expect(final(text)).toEqual([200]);
    expect(parseResponse(text).headers['connection']).toBe('close');
  });

  test.each([
    ['a body of a known length', LENGTH],
    ['a body in chunks', CHUNKED],
  ])('whose sender leaves it half-sent: %s', async (_, head) => {
    const { key, dial } = await serve();
    const socket = await dial(head.replace('KEY', key));
    let text = String((await once(socket, 'data'))[0]);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(socket, 'end');
    socket.end('3\r\n');
    await ended;
    expect(final(text)).toEqual([200]);
  });

  test('that says that it is the last', async () => {
    const { url, key } = await serve();
    for (const more of [getText(key), GARBAGE, '\x16\x03\x01'])
      expect(final(await exchange(url, lastText(key) + more))).toEqual([200]);
  });

  test('with two Host headers, among others on its connection', async () => {
    const { url, key } = await serve();
    const two = getText(key).replace('Host: x', 'Host: x\r\nHost: x');
    expect(final(await exchange(url, getText(key) + two + getText(key) + GARBAGE))).toEqual([200, 422]);
  });
});

describe('no target ends in anything but a declared response', () => {
  const TARGETS = [
    ...['http://a[b/automations', 'http://', 'http://[', 'http://x', '#', '/#', '?', '//', '*', '/automations#x'],
    ...['/automations?#limit=0', '/automations?limit=1#limit=0', '/automations?after=%', '/automations?%=1'],
    'https://user:pass@[::1]:80/automations?limit=1',
    ...[`/automations?limit=${'9'.repeat(309)}`, `/automations?limit=1${'0'.repeat(400)}`, 'automations'],
    ...['/contacts/imports/%', '/contacts/imports/%E0%A4%A', '/contacts/imports/..', '/contacts/imports/a#b'],
  ];
  const unit = fc.constantFrom(...Array.from('/automations?limit=#%[]@:&+*.\\^`{}|~0a9'));
  const target = fc.string({ unit, minLength: 1, maxLength: 60 });

  test('whatever is asked for', async () => {
    const { url, key, reported } = await serve();
    await fc.assert(
      fc.asyncProperty(target, async (it) => {
        const response = parseResponse(await exchange(url, lastText(key, it)));
        expect([200, 404, 405, 422]).toContain(response.status);
        if (response.status !== 200 || response.headers['etag'] !== undefined) expect(response.text).toMatch(/^[{<]/);
        if (response.status !== 200) expectDeclared('getContactImport', response);
      }),
      { numRuns: 150, examples: TARGETS.map((it): [string] => [it]) },
    );
    expect(reported).toEqual([]);
  });
});
