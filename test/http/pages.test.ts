/** The pages that every caller sees: the contract, the console for records, and the reference to read and try the contract. */
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { parse } from 'yaml';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';
import { afterFile } from '../support/after-test.ts';
import { openTestApp } from '../support/app.ts';
import { expectProblem } from '../support/requests.ts';

const CONTRACT = readFileSync(new URL('../../openapi.yaml', import.meta.url));

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';
const ICON = '/favicon.ico';
/** What the reference has for programs. */
const TEXTS = { '/docs.md': 'text/markdown; charset=utf-8', '/llms.txt': 'text/plain; charset=utf-8' };
/** Of each kind of file one. */
const PAGE_FILES = {
  '/docs': HTML,
  '/assets/console.css': STYLES,
  '/assets/console.js': SCRIPT,
};
const PATHS = [
  '/openapi.yaml',
  '/openapi.json',
  '/openapi-3.1.json',
  ...Object.keys({ ...PAGE_FILES, ...TEXTS }),
  ICON,
];

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self';connect-src 'self';" +
  "base-uri 'none';form-action 'none';frame-ancestors 'none';require-trusted-types-for 'script';trusted-types lit-html";

const NOWHERE = 'This path does not exist.';

/** @returns the bytes of a body, which supertest has as text only if it is text. */
function bytesOf({ text, body }: { readonly text?: string; readonly body: unknown }): Buffer {
  return Buffer.from(text ?? (body as Buffer));
}

let app: RequestListener;
let key: string;
let port: number;
beforeAll(async () => {
  ({ app, key } = await openTestApp({}, {}, undefined, { after: afterFile }));
  const server = createServer(app).listen(0);
  afterFile(() => server.close());
  ({ port } = server.address() as AddressInfo); // It listens on a port.
});

test('the contract as it is written, byte for byte', async () => {
  const response = await request(app).get('/openapi.yaml').buffer().responseType('blob');
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/yaml');
  expect(CONTRACT.equals(response.body as Buffer)).toBe(true);
});

const DOCUMENT = parse(CONTRACT.toString('utf8')) as Record<string, unknown>; // Linted as OpenAPI.
test.each([
  ['/openapi.json', DOCUMENT],
  ['/openapi-3.1.json', renderAs31(DOCUMENT)],
])('%s: the same document as JSON', async (path, expected) => {
  const response = await request(app).get(path);
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/json');
  expect(JSON.parse(response.text)).toEqual(expected);
});

describe.each(PATHS)('%s', (path) => {
  const cacheControl = 'public, max-age=300';

  test('is cached for minutes, and then asked for again cheaply', async () => {
    const first = await request(app).get(path);
    const { etag = '' } = first.headers as Record<string, string>;
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers).toMatchObject({ 'cache-control': cacheControl, vary: 'Accept-Encoding' });
    const asked = { 'if-none-match': etag, 'cache-control': 'no-cache', 'x-request-id': 'mine' };
    const again = await request(app).get(path).set(asked);
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers).toMatchObject({ etag, 'cache-control': cacheControl, 'x-request-id': 'mine' });
    expect((await request(app).get(path).set('if-none-match', '"other"')).status).toBe(200);
  });

  test('a key, a wrong key, a query and Accept change nothing', async () => {
    const bytes = bytesOf(await request(app).get(path).buffer());
    expect(bytes.length).toBeGreaterThan(100);
    for (const headers of [
      { authorization: `Bearer ${key}` },
      { authorization: 'Bearer nonsense' },
      { accept: 'text/html' },
    ]) {
      const response = await request(app)
        .get(`${path}?v=1`)
        .set({ ...headers })
        .buffer();
      expect(response.status).toBe(200);
      expect(bytesOf(response).equals(bytes)).toBe(true);
    }
  });

  test('HEAD is GET without the body', async () => {
    const asked = { 'x-request-id': 'same', 'accept-encoding': 'identity' };
    const whole = await request(app).get(path).set(asked).buffer();
    const head = await request(app).head(path).set(asked);
    expect(head.status).toBe(200);
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(bytesOf(whole).length));
    expect(head.text).toBeUndefined();
  });

  test.each([
    ['br', 'gzip, deflate, br', (it: Buffer) => brotliDecompressSync(it)],
    ['gzip', 'gzip, deflate', (it: Buffer) => gunzipSync(it)],
    [null, 'identity', (it: Buffer) => it],
    [null, 'br;q=0, gzip;q=0', (it: Buffer) => it],
    [null, '*;q=0', (it: Buffer) => it],
  ])('is sent as %s to who accepts %s', async (encoding, accepted, decode) => {
    const ask = async (headers: Record<string, string>): Promise<{ res: IncomingMessage; body: Buffer }> => {
      const [res] = (await once(get({ port, path, headers }), 'response')) as [IncomingMessage]; // As documented.
      return { res, body: await buffer(res) };
    };
    const [plain, encoded] = [await ask({}), await ask({ 'accept-encoding': accepted })];
    expect(encoded.res.headers['content-encoding'] ?? null).toBe(encoding);
    expect(encoded.res.headers['content-length']).toBe(String(encoded.body.length));
    expect(encoded.res.headers['x-content-type-options']).toBe('nosniff');
    expect(decode(encoded.body).equals(plain.body)).toBe(true);
    expect(encoded.body.length < plain.body.length).toBe(encoding !== null);
    expect(encoded.res.headers.etag === plain.res.headers.etag).toBe(encoding === null);
  });

  test('OPTIONS names the methods, and any other is 405', async () => {
    const options = await request(app).options(path);
    expect(options.status).toBe(204);
    for (const method of ['post', 'put', 'patch', 'delete'] as const) {
      const response = await request(app)[method](path).send({});
      expectProblem(response, 405, 'method_not_allowed', 'This path supports only GET, HEAD and OPTIONS.');
      for (const it of [options, response]) {
        expect(it.headers['allow']).toBe('GET, HEAD, OPTIONS');
        expect(it.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      }
    }
  });

  test('another spelling is 404', async () => {
    const slashed = path === '/docs' ? [] : [`${path}/`]; // `/docs/` is a redirect.
    for (const other of [...slashed, path.toUpperCase(), `${path}.txt`]) {
      const response = await request(app).get(other).set('accept', 'text/html');
      expectProblem(response, 404, 'not_found', NOWHERE);
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});

describe('the pages', () => {
  test.each([...Object.entries(PAGE_FILES), ['/', 'text/html; charset=utf-8']])(
    '%s is %s, secured',
    async (path, type) => {
      const response = await request(app).get(path).set('accept', BROWSER).buffer();
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': type,
        'content-security-policy': POLICY,
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'origin-agent-cluster': '?1',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-dns-prefetch-control': 'off',
        'x-download-options': 'noopen',
        'x-frame-options': 'DENY',
        'x-permitted-cross-domain-policies': 'none',
        'x-xss-protection': '0',
      });
      expect(response.headers).not.toHaveProperty('strict-transport-security');
      expect(response.text.length).toBeGreaterThan(100);
    },
  );

  test('have no script, style or handler of their own, and ask for what is there, all of it', async () => {
    const read = async (path: string): Promise<string> => {
      const response = await request(app).get(path).set('accept', BROWSER).buffer();
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      return bytesOf(response).toString('latin1');
    };
    for (const page of ['/', '/docs']) {
      expect(await read(page)).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:/i);
    }
    const asked = new Set(['/', '/docs']);
    for (const path of asked) {
      const named = (await read(path)).matchAll(
        path.endsWith('.js')
          ? /(?:from|import)\s*\(?['"`](\.[^'"`]+)['"`]/g
          : /<(?:script|link)\b[^>]*\b(?:src|href)="([^":]+)"/g,
      );
      for (const [, it = ''] of named) asked.add(new URL(it, `http://x${path}`).pathname);
    }
    const files = readdirSync(new URL('../../built/', import.meta.url));
    const assets = files.filter((it) => /\.(js|css)$/.test(it));
    expect(assets).toHaveLength(4);
    expect([...asked].sort()).toEqual(['/', '/docs', ICON, ...assets.map((it) => `/assets/${it}`)].sort());
  });

  test('no other file is served', async () => {
    for (const path of [
      '/docs//',
      '/Docs',
      '/Docs/',
      '/docs.md/',
      '/assets/docs.md',
      '/favicon.png',
      '/docs/index.html',
      '/index.html',
      '/console.html',
      '/assets',
      '/assets/',
      ...['/assets/console', '/assets/console/main.ts', '/assets/..%2fpages.ts', '/assets/../../../package.json'],
    ]) {
      const response = await request(app).get(path).set('accept', BROWSER);
      expectProblem(response, 404, 'not_found', NOWHERE);
    }
  });
});

test.each(Object.entries(TEXTS))('%s is %s', async (path, type) => {
  const response = await request(app).get(path);
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe(type);
  expect(response.text).toBe(readFileSync(new URL(`../../built${path}`, import.meta.url), 'utf8'));
});

test('the icon is an icon of 16 and 32 pixels', async () => {
  const response = await request(app).get(ICON).buffer().responseType('blob');
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('image/x-icon');
  const icon = response.body as Buffer;
  expect([icon.readUInt16LE(2), icon.readUInt16LE(4), icon[6], icon[22]]).toEqual([1, 2, 16, 32]);
  expect(icon.length).toBeLessThan(8000);
});

describe('/docs/', () => {
  test('redirects to /docs, also behind a proxy that takes a prefix away', async () => {
    for (const headers of [{}, { accept: BROWSER }, { authorization: 'Bearer nonsense' }]) {
      const response = await request(app)
        .get('/docs/?v=1')
        .set({ ...headers });
      expect([response.status, response.text]).toEqual([302, '']);
      expect(response.headers['location']).toBe('../docs');
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(new URL('../docs', 'https://example.com/prefix/docs/').pathname).toBe('/prefix/docs');
    const head = await request(app).head('/docs/');
    expect([head.status, head.headers['location']]).toEqual([302, '../docs']);
  });

  test('OPTIONS names the methods, and any other is 405', async () => {
    const options = await request(app).options('/docs/');
    expect([options.status, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS']);
    for (const method of ['post', 'put', 'delete'] as const) {
      const response = await request(app)[method]('/docs/').send({});
      expectProblem(response, 405, 'method_not_allowed', 'This path supports only GET, HEAD and OPTIONS.');
      expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
    }
  });
});

describe('/', () => {
  test.each([BROWSER, undefined, '', '*/*', 'text/*', 'application/json;q=0.9, */*'])(
    'is the console to who accepts %s',
    async (accept) => {
      const response = await request(app)
        .get('/')
        .set(accept === undefined ? {} : { accept });
      expect(response.status).toBe(200);
      expect(response.headers['content-type']).toBe(HTML);
      expect(response.headers['vary']).toBe('Accept, Accept-Encoding');
      expect(response.text).toBe(readFileSync(new URL('../../server/pages/console.html', import.meta.url), 'utf8'));
    },
  );

  test('is cached, and answers HEAD', async () => {
    const response = await request(app).get('/').set('accept', BROWSER);
    const headers = { accept: BROWSER, 'if-none-match': response.headers['etag'] ?? '' };
    expect((await request(app).get('/').set(headers)).status).toBe(304);
    expect((await request(app).head('/').set('accept', BROWSER)).status).toBe(200);
  });

  test.each(['application/json', 'application/json, text/html;q=0.9', 'application/json, */*;q=0.9', 'image/png'])(
    'is 404 to who accepts %s',
    async (accept) => {
      const response = await request(app).get('/').set({ accept });
      expectProblem(response, 404, 'not_found', NOWHERE);
      expect(response.headers['vary']).toBe('Authorization');
    },
  );

  test('is 404 to other methods, whatever they accept', async () => {
    for (const method of ['post', 'options', 'delete'] as const) {
      expect((await request(app)[method]('/').set('accept', BROWSER)).status).toBe(404);
    }
  });
});

test('without the console, a browser at / is led to the reference, also behind a proxy that takes a prefix away', async () => {
  const { app } = await openTestApp({}, {}, undefined, { pages: { console: false, reference: true } });
  const response = await request(app).get('/').set('accept', BROWSER);
  expect(response.status).toBe(302);
  expect(response.headers).toMatchObject({ location: 'docs', vary: 'Accept' });
  expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  expect((await request(app).get('/').set('accept', 'application/json')).status).toBe(404);
  expect((await request(app).get('/docs')).text).toContain('<html lang="en" data-without="console">');
});

test('without the reference, the console is still there', async () => {
  const { app } = await openTestApp({}, {}, undefined, { pages: { console: true, reference: false } });
  for (const path of ['/docs', '/docs/', ...Object.keys(TEXTS)]) {
    expectProblem(await request(app).get(path).set('accept', BROWSER), 404, 'not_found', NOWHERE);
  }
  expect((await request(app).get(ICON)).status).toBe(200);
  const { status, text } = await request(app).get('/').set('accept', BROWSER);
  expect(status).toBe(200);
  expect(text).toContain('<html lang="en" data-without="reference">');
  expect((await request(app).get('/assets/console.css')).status).toBe(200);
});

test('without the pages the contract is still there, and nothing else', async () => {
  const { app } = await openTestApp({}, {}, undefined, { pages: { console: false, reference: false } });
  for (const path of ['/', '/docs/', ICON, ...Object.keys({ ...PAGE_FILES, ...TEXTS })]) {
    const response = await request(app).get(path).set('accept', BROWSER);
    expect({ path, status: response.status, type: response.headers['content-type'] }).toEqual({
      path,
      status: 404,
      type: 'application/json',
    });
  }
  expect((await request(app).get('/openapi.yaml')).status).toBe(200);
});
