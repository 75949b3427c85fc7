/** The events that the server emits: every request once, as it ended, every read of the store, and nothing secret. */
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { joinObservers } from '../../server/http/events.ts';
import type { Events, Observer, StoreRead } from '../../server/http/events.ts';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import { startServer } from '../../server/compose.ts';
import { StoreUnavailable } from '../../server/store/store.ts';
import type { Store } from '../../server/store/store.ts';
import { contactImport } from '../../testkit/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import { exchange, getText, lastText, parseResponse } from '../support/raw.ts';
import { get } from '../support/requests.ts';
import { heldList, serve } from '../support/served.ts';
import type { Served } from '../support/served.ts';

type Emitted = { readonly [Kind in keyof Events]: { readonly kind: Kind } & Events[Kind] }[keyof Events];

interface Watching extends Served {
  /** @returns the next event, in their order. */
  readonly next: () => Promise<Emitted>;
  readonly pending: () => number;
  readonly get: (target: string, headers?: Record<string, string>) => Promise<Response>;
}

async function start(overrides: Partial<Store> = {}): Promise<Watching> {
  const emitted: Emitted[] = [];
  let wake = (): void => undefined;
  const emit = (event: Emitted): unknown => {
    wake();
    return emitted.push(event);
  };
  const observer: Observer = {
    completed: (it) => emit({ kind: 'completed', ...it }),
    rejected: (it) => emit({ kind: 'rejected', ...it }),
    failed: (it) => emit({ kind: 'failed', ...it }),
  };
  const t = await serve({ overrides, observer });
  const next = async (): Promise<Emitted> => {
    for (;;) {
      const first = emitted.shift();
      if (first !== undefined) return first;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return {
    ...t,
    next,
    pending: () => emitted.length,
    get: (target, headers = {}) => fetch(t.url + target, { headers: { authorization: `Bearer ${t.key}`, ...headers } }),
  };
}

describe('a request with a response', () => {
  test('emits an event with everything that is known of it', async () => {
    const { get, next, pending } = await start();
    const response = await get('/automations?limit=1', { 'x-request-id': 'mine' });
    const body = await response.text();
    const event = await next();
    expect(event).toEqual({
      kind: 'completed',
      id: 'mine',
      method: 'GET',
      path: '/automations',
      operation: 'listAutomations',
      account: 'main',
      keyId: 'key-1',
      status: 200,
      ms: expect.any(Number) as unknown,
      bytes: Buffer.byteLength(body),
      isCached: false,
      isComplete: true,
    });
    expect(event.kind === 'completed' && event.ms > 0 && event.ms < 30_000).toBe(true);
    expect(pending()).toBe(0);
  });

  test('says whether the response was cached, and the rest of its event is the same', async () => {
    if (process.env['ROLLCALL_CACHE'] === '0') return;
    const { get, next } = await start();
    const events: Emitted[] = [];
    for (let at = 0; at < 4; at += 1) {
      await (await get('/automations', { 'x-request-id': 'same' })).text();
      events.push(await next());
    }
    expect(events.map((it) => it.kind === 'completed' && it.isCached)).toEqual([false, false, true, true]);
    expect({ ...events[3], ms: 0, isCached: false }).toEqual({ ...events[0], ms: 0 });
  });

  const OWN = { account: 'main', keyId: 'key-1' };
  test.each([
    ['GET', '/contacts/imports/c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73', 404, 'getContactImport', true, {}, OWN],
    ['GET', '/automations?limit=0', 422, 'listAutomations', true, {}, OWN],
    [
      'GET',
      '/automations',
      401,
      'listAutomations',
      true,
      { authorization: '' },
      { account: undefined, keyId: undefined },
    ],
    ['GET', '/automations', 304, 'listAutomations', false, { 'if-none-match': '*' }, OWN],
    ['POST', '/automations', 405, 'listAutomations', true, {}, {}],
    ['OPTIONS', '/automations', 204, 'listAutomations', false, {}, {}],
    ['HEAD', '/automations', 200, 'listAutomations', false, {}, OWN],
    ['GET', '/nope', 404, undefined, true, {}, {}],
    ['GET', '/docs', 200, undefined, true, {}, {}],
    ['GET', '/openapi.json', 200, undefined, true, {}, {}],
  ])('%s %s: %d', async (method, target, status, operation, hasBody, more, caller) => {
    const { url, key, next, pending } = await start();
    // As bytes of the wire: `fetch` would undo a compression.
    const headers = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity', ...more };
    const response = await fetch(url + target, { method, headers });
    const { byteLength: bytes } = await response.arrayBuffer();
    const id = response.headers.get('x-request-id');
    expect(await next()).toMatchObject({ kind: 'completed', id, method, status, operation, bytes, ...caller });
    expect(bytes > 0).toBe(hasBody);
    expect(pending()).toBe(0);
  });

  const FAILED = { ...OWN, address: undefined, problem: 'validation_error', parameter: undefined };
  const [SECRET, UNKNOWN] = ['hunter2', 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73'];
  const UNKNOWN_CALLER = { account: undefined, keyId: undefined, address: '127.0.0.1', parameter: undefined };
  test.each<[string, Record<string, string>, object]>([
    ['/automations?limit=0', {}, { ...FAILED, status: 422, parameter: 'limit' }],
    ['/automations?limit=1&limit=2', {}, { ...FAILED, status: 422, parameter: 'limit' }],
    [`/automations?status=${SECRET}`, {}, { ...FAILED, status: 422, parameter: 'status' }],
    [`/automations?after=${SECRET}`, {}, { ...FAILED, status: 422, parameter: 'after' }],
    [`/contacts/imports/${SECRET.slice(0, 3)}`, {}, { ...FAILED, status: 422, parameter: 'id' }],
    [`/automations?after=${UNKNOWN}&before=${UNKNOWN}`, {}, { ...FAILED, status: 422, parameter: 'after, before' }],
    [`/automations?before=${UNKNOWN}`, {}, { ...FAILED, status: 404, problem: 'not_found', parameter: 'before' }],
    [`/contacts/imports/${UNKNOWN}`, {}, { ...FAILED, status: 404, problem: 'not_found', parameter: 'id' }],
    [`/automations?${SECRET}=1`, {}, { ...FAILED, status: 422 }],
    [`/automations?__proto__=${SECRET}`, {}, { ...FAILED, status: 422 }],
    ['/nope', {}, { ...UNKNOWN_CALLER, status: 404, problem: 'not_found', address: undefined }],
    ['/automations', { authorization: '' }, { ...UNKNOWN_CALLER, status: 401, problem: 'missing_api_key' }],
    [
      '/automations',
      { authorization: `Bearer ${SECRET}` },
      { ...UNKNOWN_CALLER, status: 401, problem: 'invalid_api_key' },
    ],
    ['/automations', {}, { ...FAILED, status: 200, problem: undefined }],
    ['/automations', { 'if-none-match': '*' }, { ...FAILED, status: 304, problem: undefined }],
  ])(
    '%s %j has the name and the declared parameter of its error, and the address of an unknown caller',
    async (target, more, expected) => {
      const { get, next } = await start();
      await (await get(target, more)).text();
      const event = await next();
      expect(event).toEqual(expect.objectContaining(expected));
      expect(JSON.stringify(event)).not.toContain(SECRET);
    },
  );

  test('a failed key that is over the limit of its address has the address too, and a good one that is over its limit has none', async () => {
    const rateLimits = createRateLimits({ requests: 1, seconds: 3600 });
    const addresses: unknown[] = [];
    const completed: Observer['completed'] = ({ status, address }) => addresses.push([status, address]);
    const { url, key, listener } = await serve({ rateLimits, observer: { completed } });
    for (const sent of ['nope', 'nope', key, key]) await exchange(url, lastText(sent));
    await listener.stop(); // All requests have ended.
    expect(addresses).toEqual([
      [401, '127.0.0.1'],
      [429, '127.0.0.1'],
      [200, undefined],
      [429, undefined],
    ]);
  });

  test('a caller that leaves before the response has an event too', async () => {
    const { overrides, arrived, release } = heldList();
    const { dial, key, next } = await start(overrides);
    const socket = await dial(getText(key));
    await arrived;
    socket.destroy();
    expect(await next()).toMatchObject({ kind: 'completed', status: undefined, isComplete: false, bytes: 0 });
    release();
  });
});

describe('no event contains a secret', () => {
  const KEY = `rollcall_${'0a'.repeat(20)}`;
  test.each([
    ['a key as a value', `/automations?after=${KEY}`, '/automations'],
    ['a key in a fragment', `/automations#${KEY}`, '/automations'],
    ['a key as the path', `/${KEY}`, '/rollcall_...'],
    ['a key as an id', `/contacts/imports/${KEY.toUpperCase()}`, '/contacts/imports/ROLLCALL_...'],
    ['an encoded key', `/${KEY.replace('_', '%5F')}x`, '/rollcall%5F...'],
    ['a key with an encoded prefix', `/%72OL%4cc%41ll%5f${KEY.slice(9)}`, '/%72OL%4cc%41ll%5f...'],
    ['a key that was encoded twice', `/%2572ollcall%25255F${KEY.slice(9)}`, '/%2572ollcall%25255F...'],
    ['a key as a password', `http://me:${KEY}@host/automations?x`, '/automations'],
    ['a password without a path', 'http://me:secret@host', ''],
    ['a long path', `/${'x'.repeat(5000)}`, `/${'x'.repeat(299)}...`],
  ])('%s', async (_, target, path) => {
    const { url, key, next } = await start();
    await exchange(url, lastText(key, target), 'latin1');
    const event = await next();
    expect(event).toMatchObject({ kind: 'completed', path });
    expect(JSON.stringify(event)).not.toMatch(/(0a){8}|secret/i); // A random id may have some of it.
  });

  test('a key that is sent as the id of a request', async () => {
    const { get, next, key } = await start();
    const response = await get('/automations', { 'x-request-id': key });
    expect(response.headers.get('x-request-id')).toBe(key); // As the contract has it.
    expect(await next()).toMatchObject({ id: 'rollcall_...' });
  });
});

test('a fault of the server is emitted with its error, and then the response, under one id', async () => {
  const error = new Error('injected');
  const { get, next } = await start({
    list: () => {
      throw error;
    },
  });
  const response = await get('/automations');
  const id = response.headers.get('x-request-id');
  expect(await next()).toEqual({ kind: 'failed', error, id });
  expect(await next()).toMatchObject({ kind: 'completed', id, status: 500, operation: 'listAutomations' });
});

describe('a message that is rejected before it is a request', () => {
  test.each([
    ['nonsense\r\n\r\n', 'method', 405],
    ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'method', 405],
    ['GET / HTTP/9.9\r\n\r\n', 'malformed', 422],
    [`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'too_long', 422],
  ])('%j', async (text, reason, status) => {
    const { url, next, pending } = await start();
    const response = parseResponse(await exchange(url, text));
    expect(await next()).toEqual({ kind: 'rejected', reason, id: response.headers['x-request-id'], status });
    expect(response.status).toBe(status);
    expect(pending()).toBe(0);
  });

  test('a connection that is only reset is not', async () => {
    const { dial, get, next } = await start();
    const socket = await dial('GET / HT');
    socket.resetAndDestroy();
    await once(socket, 'close');
    await (await get('/automations')).text();
    expect(await next()).toMatchObject({ kind: 'completed' });
  });
});

test('the server emits its changes of state', async () => {
  const { store } = await openTestApp();
  const states: unknown[] = [];
  const server = await startServer({
    ...{ contract, store, cacheBytes: 0, host: '127.0.0.1', port: 0 },
    observer: {
      completed: (it) => states.push(it), // Not the warm-up's.
      lifecycle: (it) => states.push(it),
    },
  });
  const { url } = server;
  expect(states).toEqual([{ state: 'listening', url }]);
  await server.stop();
  expect(states.slice(1)).toEqual([
    { state: 'stopping', url },
    { state: 'stopped', url },
  ]);
});

describe('observers that are joined', () => {
  test('get events in their order, each those it listens to', () => {
    const got: string[] = [];
    const listener = (name: string) => (): void => void got.push(name);
    const joined = joinObservers([
      { completed: listener('a'), failed: listener('b') },
      { completed: listener('c') },
      { lifecycle: listener('d') },
    ]);
    expect(Object.keys(joined)).toEqual(['completed', 'failed', 'lifecycle']); // Nobody observes rejections.
    joined.completed?.({} as Events['completed']); // Nobody reads it.
    joined.failed?.({ error: undefined, id: '' });
    expect(got).toEqual(['a', 'c', 'b']);
  });

  test('without any, nobody gets an event', () => {
    expect(joinObservers([])).toEqual({});
  });
});

describe('a read of the store emits an event, with its kind and time', () => {
  const record = contactImport();
  const broken = { list: () => Promise.reject(new StoreUnavailable('gone')) };

  test.each([
    ['a list', '/contacts/imports', {}, 200, ['authenticate', 'list']],
    ['a record by its id', `/contacts/imports/${record.id}`, {}, 200, ['authenticate', 'get']],
    ['a read that fails', '/contacts/imports', broken, 503, ['authenticate', 'list']],
    ['an unknown path', '/nope', {}, 404, []],
  ])('%s', async (_, target, overrides, status, works) => {
    const reads: StoreRead[] = [];
    const read = (it: StoreRead): void => void reads.push(it);
    const t = await openTestApp({ contactImports: [record] }, overrides, undefined, { observer: { read } });
    expect((await get(t, target)).status).toBe(status);
    expect(reads.map((it) => it.work)).toEqual(works);
    for (const { ms } of reads) expect(ms).toBeGreaterThan(0);
  });
});
