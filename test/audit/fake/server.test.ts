/** The server of a fake: keys, sizes, other origins, and peers that are hostile or broken. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { startFake } from '../../../audit/fake/start.ts';
import { ProfileError } from '../../../audit/lists/profile-values.ts';
import { WAYS, get, itemsOf, profileOf, start } from './lists.ts';

const TOKEN = profileOf(WAYS['token'] ?? { page: 'p' });

/** @returns what a server sends to raw bytes until it closes the connection. */
async function sendRaw(url: string, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}

describe('requests', () => {
  test.each([
    ['no key', '', {}, 401],
    ['a wrong key', '', { authorization: 'Bearer wrong' }, 401],
    ['another path', '/x', undefined, 404],
    ['an unknown cursor', '?cursor=abc', undefined, 400],
    ['a size that is no number', '?limit=abc', undefined, 400],
    ['a size of 0', '?limit=0', undefined, 400],
    ['a size above the maximum', '?limit=99', undefined, 200],
  ])('%s', async (_, suffix, headers, status) => {
    const { url, key } = await start(TOKEN);
    expect(await get(url + suffix, headers ?? { authorization: `Bearer ${key}` })).toMatchObject({ status });
  });

  test('the size that is asked for is served, up to the maximum, and the default without one', async () => {
    const { url, key } = await start(TOKEN, { items: 120 });
    for (const [query, length] of [
      ['', 4],
      ['?limit=7', 7],
      ['?limit=50', 50],
      ['?limit=90', 50],
    ] as const) {
      const { body } = (await get(url + query, { authorization: `Bearer ${key}` })) ?? {};
      expect([query, itemsOf(body).length]).toEqual([query, length]);
    }
  });

  test('each variable of the profile is the key, also in Basic authentication, and none is read', async () => {
    const profile = TOKEN.replace(/headers.*/, "auth: '${USER}:${PASSWORD}'");
    const { url, key } = await start(profile, { key: 'mine' });
    const authorization = `Basic ${Buffer.from('mine:mine').toString('base64')}`;
    expect(key).toBe('mine');
    expect(await get(url, { authorization })).toMatchObject({ status: 200 });
  });

  test('parameters of the profile are needed, and pages need a size where it is one of them', async () => {
    const profile = `${TOKEN}\nparams: { kind: a, limit: '3' }`;
    const { url, key } = await start(profile, { items: 10 });
    const headers = { authorization: `Bearer ${key}` };
    expect(await get(url, headers)).toMatchObject({ status: 400 });
    expect(itemsOf((await get(`${url}?kind=a`, headers))?.body)).toHaveLength(10);
    expect(itemsOf((await get(`${url}?kind=a&limit=3`, headers))?.body)).toHaveLength(3);
  });

  test('other paths have the bodies that are given, without a key, all behind the base path', async () => {
    const fake = await start(`${TOKEN}\nget: /v1/orders/{id}`, {
      ...{ basePath: '/api/v3', serve: { '/user': '{ "login": "a" }', '/robots.txt': 'no' }, items: 9 },
    });
    const { baseUrl, url, ids } = fake;
    const headers = { authorization: `Bearer ${fake.key}` };
    expect([baseUrl.endsWith('/api/v3'), url]).toEqual([true, `${baseUrl}/v1/orders`]);
    expect(await get(`${baseUrl}/user?a=b`)).toMatchObject({ status: 200, body: { login: 'a' } });
    expect((await get(`${baseUrl}/robots.txt`))?.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(itemsOf((await get(url, headers))?.body)).toHaveLength(4);
    expect(await get(`${url}/${String(ids[0])}`, headers)).toMatchObject({ status: 200, body: { id: ids[0] } });
    expect(await get(url.replace('/api/v3', ''), headers)).toMatchObject({ status: 404 });
    expect(fake.requests()[0]).not.toHaveProperty('items');
  });

  test('an item is read by its id, and a scenario of items is of no page', async () => {
    const fake = await start(`${TOKEN}\nget: /v1/orders/{id}`, { scenario: 'item.429-once' });
    const headers = { authorization: `Bearer ${fake.key}` };
    const item = `${fake.url}/${String(fake.ids[0])}`;
    expect(await get(fake.url, headers)).toMatchObject({ status: 200 });
    expect(await get(item, headers)).toMatchObject({ status: 429, headers: { 'retry-after': '3' } });
    expect(await get(item, headers)).toMatchObject({ status: 200 });
    fake.scenario('item.reserved');
    const [id = ''] = fake.ids;
    expect(id).toMatch(/[+]\/=&\?#%41 /);
    expect(await get(`${fake.url}/${encodeURIComponent(id)}`, headers)).toMatchObject({ status: 200, body: { id } });
  });

  test('requests are kept, each with what it got, until another scenario begins', async () => {
    const fake = await start(TOKEN);
    await get(fake.url, { authorization: `Bearer ${fake.key}` });
    expect(fake.requests()).toMatchObject([
      { number: 1, method: 'GET', target: '/v1/orders', status: 200, items: 4, hasNext: true },
    ]);
    fake.scenario('length.0');
    expect([fake.requests(), fake.ids]).toEqual([[], []]);
  });
});

describe('what cannot be served is rejected by its name', () => {
  test.each([
    ['next is missing', 'items: data', 'next is missing'],
    ['items is missing', 'next: { page: page }', 'items is missing'],
    ['an unknown key', 'items: data\nnext: { page: page }\nother_key: 1', 'unknown key other_key'],
    ['a list that is read by POST', 'items: data\nnext: { page: page }\nmethod: POST', 'method cannot be served yet'],
    [
      'a size in a header',
      "items: data\nnext: { page: page }\nsize: { header: Prefer, value: 'n={size}' }",
      'size.header cannot be served yet',
    ],
    ['an array inside of an array', "items: 'entry[].resource'\nnext: { page: page }", 'cannot be served yet'],
    ['until that is no attribute', 'items: data\nnext: { link: next, until: last }', 'until can be served only'],
    ['several lists', 'lists: { a: { url: "http://a/a" }, b: { url: "http://a/b" } }', 'choose one of a, b'],
    ['one parameter for both directions', 'items: data\nnext: { id: a }\nprevious: { id: a }', 'same parameter a'],
  ])('%s', async (_, profile, message) => {
    const error: unknown = await startFake(profile).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProfileError);
    expect(String(error)).toContain(message);
  });

  test.each([
    ['an unknown scenario', 'nothing', 'unknown scenario "nothing"'],
    ['one that does not apply', 'link.comma', 'it needs link, not token'],
  ])('%s', async (_, scenario, message) => {
    await expect(startFake(TOKEN, { scenario })).rejects.toThrow(message);
  });
});

describe('a peer', () => {
  test.each([
    ['that sends no HTTP', ['nonsense\r\n\r\n']],
    ['that sends a header that is too large', [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`]],
    ['that sends two hosts', ['GET /v1/orders HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n']],
    ['whose host is a script', ['GET /v1/orders HTTP/1.1\r\nHost: "><script>\r\nConnection: close\r\n\r\n']],
    [
      'whose body is too large',
      [`GET /v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n`, Buffer.alloc(2_000_000)],
    ],
    [
      'that asks for another host in the request line',
      ['GET http://evil.example/v1/orders HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
    ],
    ['whose path is two slashes', ['GET //evil.example/v1/orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']],
    ['whose query is broken', ['GET /v1/orders?cursor=%&limit=%ff HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']],
  ])('%s is answered, and the next one is served', async (_, parts) => {
    const fake = await start(TOKEN);
    expect(await sendRaw(fake.url, ...parts)).not.toMatch(/HTTP\/1\.1 [25]|script/);
    expect(await get(fake.url, { authorization: `Bearer ${fake.key}` })).toMatchObject({ status: 200 });
  });

  test('that has sent half a request does not keep the fake from closing', async () => {
    const fake = await startFake(TOKEN);
    const socket = connect(Number(new URL(fake.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost');
    await get(fake.url);
    await fake.close();
    if (!socket.destroyed) await once(socket, 'close');
  });

  test('that resets the connection while a late response is due', async () => {
    const fake = await start(TOKEN, { scenario: 'response.late', pageSize: 3 });
    const socket = connect(Number(new URL(fake.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`GET /v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${fake.key}\r\n\r\n`);
    await once(socket, 'data');
    socket.resetAndDestroy();
    expect(await get(fake.url, { authorization: `Bearer ${fake.key}` })).toMatchObject({ status: 200 });
  });
});
