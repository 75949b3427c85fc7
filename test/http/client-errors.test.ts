/** Client errors, for real: sockets that are reset, that never close, that never read, that send on for ever. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.ts';
import { listen } from '../../server/http/listener.ts';
import type { Listener } from '../../server/http/listener.ts';
import { automation } from '../../server/testing/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import { exchange, parseResponse } from '../support/raw.ts';

const CONNECT = 'CONNECT example.invalid:80 HTTP/1.1\r\nHost: example.invalid:80\r\n\r\n';
const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.stop()));
});

async function start(
  overrides: Parameters<typeof openTestApp>[1] = {},
): Promise<TestApp & { url: string; listener: Listener; dial: (text: string) => Promise<Socket> }> {
  // Not written down for other tools: no client of theirs could send these targets.
  const t = await openTestApp({ automations: [automation()] }, overrides, () => undefined);
  const listener = await listen(t.app, contract, { host: '127.0.0.1', port: 0 });
  open.push(listener);
  const { hostname, port } = new URL(listener.url);
  const dial = async (text: string): Promise<Socket> => {
    // Half-open is allowed: the server's end alone does not close it.
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(text);
    return socket;
  };
  return { ...t, url: listener.url, listener, dial };
}
const get = (key: string, target = '/automations'): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
const GARBAGE = 'no HTTP\r\n\r\n';

describe('a peer of a rejected message', () => {
  test.each([
    ['CONNECT', CONNECT],
    ['garbage', GARBAGE],
  ])('may reset the connection: %s', async (_, text) => {
    const { url, dial } = await start();
    for (let at = 0; at < 20; at += 1) {
      const socket = await dial(text);
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    for (let at = 0; at < 20; at += 1) (await dial(text)).resetAndDestroy();
    expect(parseResponse(await exchange(url, CONNECT)).status).toBe(405);
  });

  test.each([
    ['that never closes, after CONNECT', CONNECT],
    ['that never closes, after garbage', GARBAGE],
  ])('%s is let go of', async (_, text) => {
    const { dial } = await start();
    const socket = await dial(text);
    socket.resume();
    await once(socket, 'end'); // The whole response has arrived.
    await writeUntilClosed(socket, 'x'.repeat(65_536));
    expect(socket.destroyed).toBe(true);
  });

  test('that sends without end is let go of', async () => {
    const { dial } = await start();
    const socket = await dial(CONNECT);
    socket.resume();
    await writeUntilClosed(socket, 'x'.repeat(65_536));
    expect(socket.destroyed).toBe(true);
  });

  test.each([CONNECT, GARBAGE])('that never closes does not hold up a stop: %j', async (text) => {
    const { dial, listener } = await start();
    const socket = await dial(text);
    await once(socket, 'data');
    await listener.stop(); // Or the test takes too long.
    socket.destroy();
  });
});

/** Writes on and on, until the server is found to have closed the connection. */
async function writeUntilClosed(socket: Socket, text: string): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const write = (): void => {
    if (socket.writable) socket.write(text, write);
  };
  write();
  await closed;
}

describe('pipelining', () => {
  test('a malformed message after a GET does not take its response', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { url, key } = await start({
      list: async () => {
        await held;
        return { items: [], hasMore: false };
      },
    });
    const responses = exchange(url, get(key) + GARBAGE);
    setImmediate(release);
    const [first = '', second = ''] = splitResponses(await responses);
    const [good, bad] = [parseResponse(first), parseResponse(second)];
    expect({ status: good.status, text: good.text }).toEqual({
      status: 200,
      text: '{"object":"list","has_more":false,"data":[]}',
    });
    expect(bad.status).toBe(405);
    expectDeclared('listAutomations', bad);
  });

  test('several GETs and a malformed message get their responses in order', async () => {
    const { url, key } = await start();
    const targets = ['/automations', '/contact-properties', '/nope', '/automations?limit=0'];
    const text = targets.map((target) => get(key, target)).join('');
    const statuses = splitResponses(await exchange(url, text + GARBAGE)).map((it) => parseResponse(it).status);
    expect(statuses).toEqual([200, 200, 404, 422, 405]);
  });

  test('100 Continue does not get into the response to a request that waits for its turn', async () => {
    const { url, key } = await start();
    const last = get(key, '/nope').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n');
    const statuses = async (text: string): Promise<number[]> =>
      splitResponses(await exchange(url, text)).map((it) => parseResponse(it).status);
    expect(await statuses(last)).toEqual([100, 404]);
    expect(await statuses(get(key) + last)).toEqual([200, 404]);
  });
});

describe('a request has one final response', () => {
  const CHUNKED =
    'GET /automations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nTransfer-Encoding: chunked\r\n\r\n';
  const LENGTH = CHUNKED.replace('Transfer-Encoding: chunked', 'Content-Length: 5');
  const final = (text: string): number[] =>
    splitResponses(text).flatMap((it) => (it.startsWith('HTTP/1.1 100 ') ? [] : [parseResponse(it).status]));

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
    const { url, key } = await start();
    expect(final(await exchange(url, head.replaceAll('KEY', key) + body))).toEqual(statuses);
  });

  test.each(MALFORMED)('whose body is malformed and comes after its response: %s', async (_, head, body, statuses) => {
    const { key, dial } = await start();
    const socket = await dial(head.replaceAll('KEY', key));
    const chunks: Buffer[] = [];
    const ended = once(socket, 'end');
    const answered = new Promise<void>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (final(Buffer.concat(chunks).toString()).length === statuses.length) resolve();
      });
    });
    await answered;
    socket.write(body);
    await ended; // Or the test takes too long: the connection is let go of.
    socket.destroy();
    expect(final(Buffer.concat(chunks).toString())).toEqual(statuses);
  });

  test('whose body is malformed and comes before its response, which then says that the connection ends', async () => {
    const release = Promise.withResolvers<undefined>();
    const { url, key } = await start({
      list: async () => {
        await release.promise;
        return { items: [], hasMore: false };
      },
    });
    const responses = exchange(url, `${CHUNKED.replace('KEY', key)}zz\r\n`);
    setImmediate(() => {
      release.resolve(undefined);
    });
    const text = await responses;
    expect(final(text)).toEqual([200]);
    expect(parseResponse(text).headers['connection']).toBe('close');
  });

  test.each([
    ['a body of a known length', LENGTH],
    ['a body in chunks', CHUNKED],
  ])('whose sender leaves it half-sent: %s', async (_, head) => {
    const { key, dial } = await start();
    const socket = await dial(head.replace('KEY', key));
    let text = String((await once(socket, 'data'))[0]);
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(socket, 'end');
    socket.end('3\r\n');
    await ended;
    expect(final(text)).toEqual([200]);
  });

  test('that says that it is the last', async () => {
    const { url, key } = await start();
    const last = get(key).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    for (const more of [get(key), GARBAGE, '\x16\x03\x01'])
      expect(final(await exchange(url, last + more))).toEqual([200]);
  });

  test('with two Host headers, among others on its connection', async () => {
    const { url, key } = await start();
    const two = get(key).replace('Host: x', 'Host: x\r\nHost: x');
    expect(final(await exchange(url, get(key) + two + get(key) + GARBAGE))).toEqual([200, 422]);
  });
});

const splitResponses = (text: string): string[] => text.split(/(?=HTTP\/1\.1 \d{3} )/);

describe('no target ends in anything but a declared response', () => {
  const target = fc.oneof(
    fc.constantFrom(
      'http://a[b/automations',
      'http://',
      'http://[',
      'http://x',
      '#',
      '/#',
      '?',
      '//',
      '*',
      '/automations#x',
      '/automations?#limit=0',
      '/automations?limit=1#limit=0',
      'https://user:pass@[::1]:80/automations?limit=1',
      `/automations?limit=${'9'.repeat(309)}`,
      `/automations?limit=1${'0'.repeat(400)}`,
      '/automations?after=%',
      '/automations?%=1',
      '/contacts/imports/%',
      '/contacts/imports/%E0%A4%A',
      '/contacts/imports/..',
      '/contacts/imports/a#b',
      'automations',
    ),
    fc.string({
      unit: fc.constantFrom(...Array.from('/automations?limit=#%[]@:&+*.\\^`{}|~0a9')),
      minLength: 1,
      maxLength: 60,
    }),
  );

  test('whatever is asked for', async () => {
    const { url, key, reported } = await start();
    await fc.assert(
      fc.asyncProperty(target, async (it) => {
        const text = get(key, it).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
        const response = parseResponse(await exchange(url, text));
        expect([200, 404, 405, 422]).toContain(response.status);
        if (response.status !== 200 || response.headers['etag'] !== undefined) expect(response.text).toMatch(/^[{<]/);
        if (response.status !== 200) expectDeclared('getContactImport', response);
      }),
      { numRuns: 300 },
    );
    expect(reported).toEqual([]);
  });
});
