/** The server on a port: what is not well-formed HTTP, and how it stops. When it closes which connection: drain.test.ts. */
import { once } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import { expectDeclared } from '../support/declared.ts';
import { exchange, getText, lastText, parseResponse } from '../support/raw.ts';
import { heldList, serve } from '../support/served.ts';

describe('requests that no client library sends', () => {
  test.each([
    ...[
      ['nonsense', 'nonsense\r\n\r\n'],
      ['an unknown method', 'FETCH /automations HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
      ['a method with more than its name', 'GETX /automations HTTP/1.1\r\nHost: x\r\n\r\n'],
    ].map(([what = '', text = '']) => [what, text, 405, 'method_not_allowed'] as const),
    ...[
      ['another protocol', 'GET /automations GOPHER/1.1\r\n\r\n'],
      ['an invalid header', 'GET /automations HTTP/1.1\r\nHost: x\r\nA B: c\r\n\r\n'],
      ['a target that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
      ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`],
      ['HTTP/0.9', 'GET /automations\r\n\r\n'],
      ['HTTP/0.9 with headers', 'GET /automations\r\nHost: x\r\n\r\n'],
      ['HTTP/0.9 by its name', 'GET /automations HTTP/0.9\r\nHost: x\r\n\r\n'],
      ['HTTP/2.0 as text', 'GET /automations HTTP/2.0\r\nHost: x\r\n\r\n'],
      ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
      ['an SSL 2 hello', '\x80\x2e\x01\x03\x01'],
      ['a method with a byte that none has', 'GE\x16 /automations HTTP/1.1\r\nHost: x\r\n\r\n'],
      ['a method alone', 'GET\r\n\r\n'],
      ['two Host headers', 'GET /automations HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
      ['two equal Host headers', 'GET /automations HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nhOST: x\r\n\r\n'],
      ['two Host headers, an empty one', 'GET /nope HTTP/1.0\r\nHost:\r\nHost: x\r\n\r\n'],
      ['no Host', 'GET /automations HTTP/1.1\r\nAccept: */*\r\n\r\n'],
      ['no Host, and an absolute target', 'GET http://x/automations HTTP/1.1\r\n\r\n'],
      ...[
        'a b',
        'x/y',
        '[::1',
        '::1',
        '[x]',
        'a@b',
        'a?b',
        'a#b',
        'x:y',
        'x:1:2',
        '%4',
        'x%',
        '"x"',
        'http://x',
        'é',
      ].map((host) => [`the Host ${host}`, `GET /automations HTTP/1.1\r\nHost: ${host}\r\n\r\n`]),
      ['an invalid Host in HTTP/1.0', 'GET /automations HTTP/1.0\r\nHost: a b\r\n\r\n'],
    ].map(([what = '', text = '']) => [what, text, 422, 'validation_error'] as const),
  ])('%s gets an error of the contract', async (_, text, status, name) => {
    const { url } = await serve();
    // What comes after it on the connection is no request any more.
    const all = await exchange(url, `${text}GET /automations HTTP/1.1\r\nHost: x\r\n\r\n`, 'latin1');
    expect(all.match(/HTTP\/1\.1 \d{3} /g)).toEqual([`HTTP/1.1 ${String(status)} `]);
    const response = parseResponse(all);
    expect(JSON.parse(response.text)).toMatchObject({ name });
    expectDeclared('listAutomations', response);
    expect(response.headers['connection']).toBe('close');
  });

  test.each<[string, (key: string) => string, status?: number]>([
    ['HTTP/1.0 without Host', (key) => lastText(key).replace('HTTP/1.1\r\nHost: x', 'HTTP/1.0')],
    ...['', 'x:', 'x:3000', '127.0.0.1:80', '[::1]', '[fe80::1%25eth0]:80', 'a_b.example.', "%C3%A9-~!$&'()*+,;="].map(
      (host): [string, (key: string) => string] => [
        `the Host ${host}`,
        (key) => lastText(key).replace('Host: x', () => `Host: ${host}`),
      ],
    ),
    ['a fragment, which no client sends', (key) => lastText(key, '/automations?limit=1#?limit=0')],
    ['an authority that is none', (key) => lastText(key, 'http://a[b/automations')],
    ['an absolute target', (key) => lastText(key, 'http://elsewhere/automations')],
    ['an unknown expectation', (key) => lastText(key, '/automations', 'Expect: a-miracle')],
    ['an upgrade', (key) => getText(key, '/automations', 'Upgrade: websocket', 'Connection: upgrade, close')],
    ['a body on GET', (key) => `${lastText(key, '/automations', 'Content-Length: 2')}{}`],
    ['an absolute target with a parameter', (key) => lastText(key, 'http://elsewhere/automations?limit=0'), 422],
    ['OPTIONS of no path', (key) => lastText(key, '*').replace('GET', 'OPTIONS'), 404],
  ])('%s is an ordinary request', async (_, text, status = 200) => {
    const { url, key } = await serve();
    const response = parseResponse(await exchange(url, text(key)));
    expect(response.status).toBe(status);
    expectDeclared('listAutomations', response);
  });

  test('the first line of HTTP/0.9 alone is malformed too, once its sender has nothing more to say', async () => {
    const { dial } = await serve();
    const socket = await dial();
    socket.end('GET /automations\r\n');
    const [data] = (await once(socket, 'data')) as [Buffer];
    const response = parseResponse(data.toString());
    expect(response).toMatchObject({ status: 422, headers: { connection: 'close' } });
    expect(JSON.parse(response.text)).toMatchObject({ message: 'The request is not valid HTTP/1.1.' });
  });

  test.each([
    ['U+00A0 behind it', 'KEY\xa0', 401],
    ['U+00A0 before it', '\xa0KEY', 401],
    ['U+00A0 and spaces behind it', 'KEY\xa0 \t ', 401],
    ['U+0085 behind it', 'KEY\x85', 401],
    ['spaces around it, which are of no header', '   KEY \t ', 200],
  ])('a key with %s', async (_, token, status) => {
    const { url, key } = await serve();
    // The second time the key is cached, as far as it is one.
    for (const authorization of [token, 'KEY', token, token].map((it) => it.replace('KEY', key))) {
      const response = parseResponse(await exchange(url, lastText(authorization), 'latin1'));
      const expected = authorization === key ? 200 : status;
      expect(response.status).toBe(expected);
      if (expected === 401) expect(JSON.parse(response.text)).toMatchObject({ name: 'invalid_api_key' });
    }
  });
});

test('stopping lets a request in flight finish, and takes no new connection', async () => {
  const { overrides, arrived, release } = heldList();
  const { url, key, listener } = await serve({ overrides });
  const response = fetch(`${url}/automations`, { headers: { authorization: `Bearer ${key}` } });
  await arrived;
  const stopped = listener.stop();
  expect(parseResponse(await exchange(url, 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n')).status).toBe(404); // It came before.
  await expect(exchange(url, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).rejects.toThrow('ECONNREFUSED');
  release();
  expect((await response).status).toBe(200);
  await stopped;
});
