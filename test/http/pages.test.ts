/** The pages that every caller sees: the contract, the console for records, and the reference to read and try the contract. */
import { readFileSync, readdirSync } from 'node:fs';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { parse } from 'yaml';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';
import { openTestApp } from '../support/app.ts';

const CONTRACT = readFileSync(new URL('../../openapi.yaml', import.meta.url));

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLES = 'text/css; charset=utf-8';
/** Of each kind of file one. */
const PAGE_FILES = {
  '/docs': HTML,
  '/assets/console.css': STYLES,
  '/assets/console.js': SCRIPT,
};
const PATHS = ['/openapi.yaml', '/openapi.json', '/openapi-3.1.json', ...Object.keys(PAGE_FILES)];

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const POLICY =
  "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';" +
  "base-uri 'none';form-action 'none';frame-ancestors 'none';require-trusted-types-for 'script';trusted-types lit-html";

test('the contract as it is written, byte for byte', async () => {
  const { app } = await openTestApp();
  const response = await request(app).get('/openapi.yaml').buffer().responseType('blob');
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/yaml');
  expect(CONTRACT.equals(response.body as Buffer)).toBe(true);
});

test('the contract as JSON, the same document', async () => {
  const { app } = await openTestApp();
  const response = await request(app).get('/openapi.json');
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/json');
  expect(JSON.parse(response.text)).toEqual(parse(CONTRACT.toString('utf8')));
});

test('the contract as OpenAPI 3.1', async () => {
  const { app } = await openTestApp();
  const response = await request(app).get('/openapi-3.1.json');
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/json');
  expect(JSON.parse(response.text)).toEqual(renderAs31(parse(CONTRACT.toString('utf8')) as Record<string, unknown>));
});

describe.each(PATHS)('%s', (path) => {
  const cacheControl = 'public, max-age=300';

  test('is cached for minutes, and then asked for again cheaply', async () => {
    const { app } = await openTestApp();
    const first = await request(app).get(path);
    expect(first.headers['cache-control']).toBe(cacheControl);
    expect(first.headers['etag']).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers['vary']).toBe('Accept-Encoding');

    const again = await request(app)
      .get(path)
      .set({
        'if-none-match': first.headers['etag'] ?? '',
        'cache-control': 'no-cache',
        'x-request-id': 'mine',
      });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect(again.headers['cache-control']).toBe(cacheControl);
    expect(again.headers['x-request-id']).toBe('mine');

    expect((await request(app).get(path).set('if-none-match', '"other"')).status).toBe(200);
  });

  test('a key, a wrong key, a query and Accept change nothing', async () => {
    const { app, key } = await openTestApp();
    const { text } = await request(app).get(path).buffer();
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
      expect(response.text).toBe(text);
    }
  });

  test('HEAD is GET without the body', async () => {
    const { app } = await openTestApp();
    const asked = { 'x-request-id': 'same', 'accept-encoding': 'identity' };
    const whole = await request(app).get(path).set(asked).buffer();
    const head = await request(app).head(path).set(asked);
    expect(head.status).toBe(200);
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
    expect(head.text).toBeUndefined();
  });

  test.each([
    ['br', 'gzip, deflate, br', (it: Buffer) => brotliDecompressSync(it)],
    ['gzip', 'gzip, deflate', (it: Buffer) => gunzipSync(it)],
    [null, 'identity', (it: Buffer) => it],
    [null, 'br;q=0, gzip;q=0', (it: Buffer) => it],
    [null, '*;q=0', (it: Buffer) => it],
  ])('is sent as %s to who accepts %s', async (encoding, accepted, decode) => {
    const { app } = await openTestApp();
    const server = createServer(app).listen(0);
    const ask = (headers: Record<string, string>): Promise<{ res: IncomingMessage; body: Buffer }> =>
      new Promise((resolve, reject) => {
        const { port } = server.address() as AddressInfo; // It listens on a port.
        get({ port, path, headers }, (res) => {
          const chunks: Buffer[] = [];
          res
            .on('data', (it: Buffer) => chunks.push(it))
            .on('end', () => {
              resolve({ res, body: Buffer.concat(chunks) });
            });
        }).on('error', reject);
      });
    const [plain, encoded] = [await ask({}), await ask({ 'accept-encoding': accepted })];
    server.close();
    expect(encoded.res.headers['content-encoding'] ?? null).toBe(encoding);
    expect(encoded.res.headers['content-length']).toBe(String(encoded.body.length));
    expect(encoded.res.headers['x-content-type-options']).toBe('nosniff');
    expect(decode(encoded.body).equals(plain.body)).toBe(true);
    expect(encoded.body.length < plain.body.length).toBe(encoding !== null);
    expect(encoded.res.headers.etag === plain.res.headers.etag).toBe(encoding === null);
  });

  test('OPTIONS names the methods', async () => {
    const { app } = await openTestApp();
    const response = await request(app).options(path);
    expect(response.status).toBe(204);
    expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(['post', 'put', 'patch', 'delete'] as const)('%s is 405', async (method) => {
    const { app } = await openTestApp();
    const response = await request(app)[method](path).send({});
    expect(response.status).toBe(405);
    expect(response.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.body).toEqual({
      statusCode: 405,
      name: 'method_not_allowed',
      message: 'This path answers only to GET, HEAD and OPTIONS.',
    });
  });

  test('another spelling is 404', async () => {
    const { app } = await openTestApp();
    for (const other of [`${path}/`, path.toUpperCase(), `${path}.txt`]) {
      const response = await request(app).get(other).set('accept', 'text/html');
      expect(response.status).toBe(404);
      expect(response.headers['content-type']).toBe('application/json');
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.body).toEqual({ statusCode: 404, name: 'not_found', message: 'There is nothing at this path.' });
    }
  });
});

describe('the pages', () => {
  test.each([...Object.entries(PAGE_FILES), ['/', 'text/html; charset=utf-8']])(
    '%s is %s, secured',
    async (path, type) => {
      const { app } = await openTestApp();
      const response = await request(app).get(path).set('accept', BROWSER).buffer();
      expect(response.status).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': type,
        'content-security-policy': POLICY,
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(response.headers).not.toHaveProperty('strict-transport-security');
      expect(response.text.length).toBeGreaterThan(100);
    },
  );

  test('have no script, style or handler of their own, and ask for what is there, all of it', async () => {
    const { app } = await openTestApp();
    const read = async (path: string): Promise<string> => {
      const { status, text } = await request(app).get(path).set('accept', BROWSER).buffer();
      expect({ path, status }).toEqual({ path, status: 200 });
      return text;
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
    const files = readdirSync(new URL('../../generated/pages/', import.meta.url));
    expect(files).toHaveLength(4);
    expect([...asked].sort()).toEqual(['/', '/docs', ...files.map((it) => `/assets/${it}`)].sort());
  });

  test('no other file is served', async () => {
    const { app } = await openTestApp();
    for (const path of [
      ...['/docs/', '/Docs', '/docs/index.html', '/index.html', '/console.html', '/assets', '/assets/'],
      ...['/assets/console', '/assets/console/main.ts', '/assets/..%2fpages.ts', '/assets/../../../package.json'],
    ]) {
      const response = await request(app).get(path).set('accept', BROWSER);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ name: 'not_found' });
    }
  });
});

describe('/', () => {
  test('is the console, for browsers', async () => {
    const { app } = await openTestApp();
    const response = await request(app).get('/').set('accept', BROWSER);
    expect(response.status).toBe(200);
    expect(response.headers['vary']).toBe('Accept, Accept-Encoding');
    const headers = { accept: BROWSER, 'if-none-match': response.headers['etag'] ?? '' };
    expect((await request(app).get('/').set(headers)).status).toBe(304);
    expect((await request(app).head('/').set('accept', BROWSER)).status).toBe(200);
  });

  test.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.9', 'image/png', ''])(
    'is 404 to who accepts %s',
    async (accept) => {
      const { app } = await openTestApp();
      const response = await request(app)
        .get('/')
        .set(accept === undefined ? {} : { accept });
      expect(response.status).toBe(404);
      expect(response.body).toEqual({ statusCode: 404, name: 'not_found', message: 'There is nothing at this path.' });
      expect(response.headers['content-type']).toBe('application/json');
      expect(response.headers['vary']).toBe('Authorization');
    },
  );

  test('is 404 to other methods, whatever they accept', async () => {
    const { app } = await openTestApp();
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
  expect((await request(app).get('/')).status).toBe(404);
  expect((await request(app).get('/docs')).text).toContain('<html lang="en" data-without="console">');
});

test('without the reference, the console is still there', async () => {
  const { app } = await openTestApp({}, {}, undefined, { pages: { console: true, reference: false } });
  expect((await request(app).get('/docs').set('accept', BROWSER)).status).toBe(404);
  const { status, text } = await request(app).get('/').set('accept', BROWSER);
  expect(status).toBe(200);
  expect(text).toContain('<html lang="en" data-without="reference">');
  expect((await request(app).get('/assets/console.css')).status).toBe(200);
});

test('without the pages the contract is still there, and nothing else', async () => {
  const { app } = await openTestApp({}, {}, undefined, { pages: { console: false, reference: false } });
  for (const path of ['/', ...Object.keys(PAGE_FILES)]) {
    const response = await request(app).get(path).set('accept', BROWSER);
    expect({ path, status: response.status, type: response.headers['content-type'] }).toEqual({
      path,
      status: 404,
      type: 'application/json',
    });
  }
  expect((await request(app).get('/openapi.yaml')).status).toBe(200);
});
