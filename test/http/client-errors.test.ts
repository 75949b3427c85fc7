/** Client errors, for real: sockets that are reset, that never close, that never read, that send on for ever. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { listen } from '../../server/http/listener.ts';
import type { Listener } from '../../server/http/listener.ts';
import { automation } from '../../server/testing/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import { exchange, parseAnswer } from '../support/raw.ts';

const CONNECT = 'CONNECT example.invalid:80 HTTP/1.1\r\nHost: example.invalid:80\r\n\r\n';
const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((it) => it.stop()));
});

async function start(
  overrides: Parameters<typeof openTestApp>[1] = {},
): Promise<TestApp & { url: string; listener: Listener; dial: (text: string) => Promise<Socket> }> {
  // Not written down for other tools: no client of theirs could send these targets.
  const t = await openTestApp({ automations: [automation()] }, overrides, (_req, _res, next) => {
    next();
  });
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

describe('a peer of a refused message', () => {
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
    expect(parseAnswer(await exchange(url, CONNECT)).status).toBe(405);
  });

  test.each([
    ['that never closes, after CONNECT', CONNECT],
    ['that never closes, after garbage', GARBAGE],
  ])('%s is let go of', async (_, text) => {
    const { dial } = await start();
    const socket = await dial(text);
    socket.resume();
    await once(socket, 'end'); // The answer has come whole.
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
  test('a malformed message after a GET does not take its answer', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { url, key } = await start({
      list: async () => {
        await held;
        return { items: [], hasMore: false };
      },
    });
    const answers = exchange(url, get(key) + GARBAGE);
    setImmediate(release);
    const [first = '', second = ''] = splitAnswers(await answers);
    const [good, bad] = [parseAnswer(first), parseAnswer(second)];
    expect({ status: good.status, text: good.text }).toEqual({
      status: 200,
      text: '{"object":"list","has_more":false,"data":[]}',
    });
    expect(bad.status).toBe(405);
    expectDeclared('listAutomations', bad);
  });

  test('several GETs and a malformed message are answered in order', async () => {
    const { url, key } = await start();
    const targets = ['/automations', '/contact-properties', '/nope', '/automations?limit=0'];
    const text = targets.map((target) => get(key, target)).join('');
    const statuses = splitAnswers(await exchange(url, text + GARBAGE)).map((it) => parseAnswer(it).status);
    expect(statuses).toEqual([200, 200, 404, 422, 405]);
  });

  test('100 Continue does not get into the answer of a request that waits for its turn', async () => {
    const { url, key } = await start();
    const last = get(key, '/nope').replace('\r\n\r\n', '\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n');
    const statuses = async (text: string): Promise<number[]> =>
      splitAnswers(await exchange(url, text)).map((it) => parseAnswer(it).status);
    expect(await statuses(last)).toEqual([100, 404]);
    expect(await statuses(get(key) + last)).toEqual([200, 404]);
  });
});

const splitAnswers = (text: string): string[] => text.split(/(?=HTTP\/1\.1 \d{3} )/);

describe('no target ends in anything but a declared answer', () => {
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
        const answer = parseAnswer(await exchange(url, text));
        expect([200, 404, 405, 422]).toContain(answer.status);
        if (answer.status !== 200 || answer.headers['etag'] !== undefined) expect(answer.text).toMatch(/^[{<]/);
        if (answer.status !== 200) expectDeclared('getContactImport', answer);
      }),
      { numRuns: 300 },
    );
    expect(reported).toEqual([]);
  });
});
