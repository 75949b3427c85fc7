/** The contract and the pages are the same bytes for everybody, compressed once: nothing of a request is in them, but `--public-url` may be. */
import { createHook } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import { parse } from 'yaml';
import { afterTest } from '../support/after-test.ts';
import { openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const CONTRACTS = ['/openapi.yaml', '/openapi.json', '/openapi-3.1.json'];
const PATHS = [...CONTRACTS, '/docs', '/', '/assets/console.css'];
const BROWSER = 'text/html,*/*;q=0.8';
const ENCODINGS = ['br', 'gzip', 'identity'] as const;

/** What callers, proxies and attackers say of where the server is. */
const FORGED: readonly OutgoingHttpHeaders[] = [
  ...['a.example', '127.0.0.1:3000', '[::1]:3000', '', '$&', '!!x', "a'b"],
]
  .map((host): OutgoingHttpHeaders => ({ host }))
  .concat(
    ['/api', '/v1/roll.call/', '//evil.example', '/a"', '/'].map((it) => ({ 'x-forwarded-prefix': it })),
    ['https', 'HTTPS, http', 'javascript'].map((it) => ({ 'x-forwarded-proto': it })),
    { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '1', 'x-original-url': '/evil' },
    { forwarded: 'host=evil.example;proto=https' },
    { host: 'a.example', 'x-forwarded-proto': 'https', 'x-forwarded-prefix': '/api', 'x-forwarded-host': 'b.example' },
  );

/** More than a cache by host would hold. */
const HOSTS = Array.from({ length: 40 }, (_, at): OutgoingHttpHeaders => ({ host: `${String(at)}.example` }));

/** @returns what asks a server of its own, and has bodies as they were sent, by their digests: differences of bytes are long to print. */
async function listen({ app }: TestApp): Promise<(path: string, headers: OutgoingHttpHeaders) => Promise<unknown>> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo; // It listens on a port.
  return async (path, headers) => {
    const asked = { accept: BROWSER, 'x-request-id': 'same', ...headers };
    const [res] = (await once(get({ port, path, headers: asked }), 'response')) as [IncomingMessage]; // As documented.
    return { status: res.statusCode, headers: { ...res.headers, date: '' }, body: hash('sha1', await buffer(res)) };
  };
}

describe('the same for everybody:', () => {
  test.each(PATHS)('%s, whatever a request says of where the server is', async (path) => {
    const ask = await listen(await openTestApp());
    for (const encoding of ENCODINGS) {
      const first = await ask(path, { 'accept-encoding': encoding });
      expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=300' } });
      for (const headers of FORGED) {
        const other = await ask(path, { 'accept-encoding': encoding, ...headers });
        expect({ headers, ...(other as object) }).toEqual({ headers, ...(first as object) });
      }
    }
  });

  test('nothing is compressed twice', async () => {
    const ask = await listen(await openTestApp());
    let compressed = 0;
    const hook = createHook({ init: (_, type) => (compressed += Number(/^(?:ZLIB|BROTLI)$/i.test(type))) }).enable();
    // Those that come together wait for one.
    await Promise.all([...FORGED, ...HOSTS].map((headers) => ask('/docs', { 'accept-encoding': 'br', ...headers })));
    for (const path of PATHS) {
      for (const headers of FORGED.slice(0, 5)) {
        for (const encoding of ENCODINGS) await ask(path, { 'accept-encoding': encoding, ...headers });
      }
    }
    hook.disable();
    expect(compressed).toBe(PATHS.length * 2);
  });

  // To read such a list would take half a millisecond of CPU.
  test('an endless list of encodings is not read', async () => {
    const ask = await listen(await openTestApp());
    const plain = await ask('/docs', {});
    expect(await ask('/docs', { 'accept-encoding': `br,${'a,'.repeat(6000)}` })).toEqual(plain);
    expect(await ask('/', { accept: `text/html,${'a/b,'.repeat(3000)}` })).toMatchObject({ status: 404 });
  });
});

describe('the public URL', () => {
  const url = 'https://api.example.com/rollcall';

  test.each(CONTRACTS)(
    'is the server of %s, which is / without one, is before its link to the guide, and changes nothing else but the tag',
    async (path) => {
      const ask = async (publicUrl?: string): Promise<Response> =>
        request((await openTestApp({}, {}, undefined, { publicUrl })).app)
          .get(path)
          .buffer();
      const [before, after] = [await ask(), await ask(url)];
      const { servers, externalDocs } = parse(before.text) as { servers: unknown; externalDocs: object };
      expect(servers).toEqual([{ url: '/', description: expect.any(String), 'x-internal': false }]);
      expect(externalDocs).toEqual({ description: 'The guide', url: '/docs' });
      expect(parse(after.text)).toEqual({
        ...(parse(before.text) as object),
        servers: [{ ...(servers as [object])[0], url }],
        externalDocs: { ...externalDocs, url: `${url}/docs` },
      });
      expect(after.text.split(url)).toHaveLength(3);
      expect(after.text.replace(`${url}/`, '/').replace(url, '/')).toBe(before.text);
      expect(after.headers['etag']).not.toBe(before.headers['etag']);
    },
  );

  test('is where the calls of the reference go to, as it is read without a script', async () => {
    const docs = async (publicUrl?: string, path = '/docs'): Promise<string> => {
      const { app } = await openTestApp({}, {}, undefined, { publicUrl });
      return (await request(app).get(path)).text;
    };
    const published = await docs(url);
    expect(published).toContain(`curl</span> <span class="t-text">"<span data-origin>${url}</span>/automations`);
    expect(published).not.toContain('{origin}');
    expect(await docs()).toBe(published.replaceAll(url, 'http://localhost:3000'));
    const markdown = await docs(url, '/docs.md');
    expect(markdown).toContain(`curl "${url}/automations`);
    expect(await docs(undefined, '/docs.md')).toBe(markdown.replaceAll(url, 'http://localhost:3000'));
  });
});
