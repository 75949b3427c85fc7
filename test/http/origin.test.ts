/** The served contract names the server it came from, by what the caller's request says, if that is plain. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { parse } from 'yaml';
import { openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const PATHS = ['/openapi.yaml', '/openapi.json', '/openapi-3.1.json'];

interface Served {
  readonly url: string;
  readonly text: string;
  readonly etag: string;
}
async function serve({ app }: TestApp, path: string, headers: Record<string, string>): Promise<Served> {
  const asked = { 'accept-encoding': 'identity', ...headers };
  const { status, text, headers: answered } = await request(app).get(path).set(asked).buffer();
  expect(status).toBe(200);
  // Not parsed: that takes a tenth of a second.
  const [, url = ''] = /\burl"?: ?"?(\S*?)"?,?\n? *"?description"?: ?"?The server this came from/.exec(text) ?? [];
  return { url, text, etag: answered['etag'] ?? '' };
}

/** What is said, and what it is named then. */
const PLAIN: readonly (readonly [url: string, headers: Record<string, string>])[] = [
  ['http://api.example.com', { host: 'api.example.com' }],
  ['http://127.0.0.1:3000', { host: '127.0.0.1:3000' }],
  ['http://[::1]:3000', { host: '[::1]:3000' }],
  ['http://rollcall_1:80', { host: 'rollcall_1:80' }],
  ['https://a.example', { host: 'a.example', 'x-forwarded-proto': 'https' }],
  ['https://a.example', { host: 'a.example', 'x-forwarded-proto': 'HTTPS, http' }],
  ['http://a.example', { host: 'a.example', 'x-forwarded-proto': 'http, https' }],
  ['http://a.example', { host: 'a.example', 'x-forwarded-proto': 'javascript' }],
  ['http://a.example', { host: 'a.example', 'x-forwarded-proto': 'https.evil' }],
  ['http://a.example/api', { host: 'a.example', 'x-forwarded-prefix': '/api' }],
  ['http://a.example/v1/roll.call', { host: 'a.example', 'x-forwarded-prefix': '/v1/roll.call/' }],
  ['http://a.example', { host: 'a.example', 'x-forwarded-prefix': '/' }],
  ['http://a.example', { host: 'a.example', 'x-forwarded-prefix': '' }],
];
const HOSTILE = [
  ...['a b', 'a"b', "a'b", 'a#b', 'a: b', 'user@a.example', 'a.example/path', 'a.example:', 'a:123456', '-a', '$&'],
  ...['a\\b', '{a}', 'a,b', '[::1', '<a>', 'a%0Ab', 'ä.example', 'a'.repeat(254), 'a:80:80', '*', '&a', '!!x'],
]
  .map((host): Record<string, string> => ({ host }))
  .concat(
    ['api', '//evil.example', '/../x', '/a/./b', '/a b', '/a"', '/a#', '/a?b', '/a//b', '/a, /b', '/%2e', '/a:b']
      .concat(`/${'a'.repeat(65)}`, '/a'.repeat(9))
      .map((prefix) => ({ host: 'a.example', 'x-forwarded-prefix': prefix })),
  );

const urlOf = async (...of: Parameters<typeof serve>): Promise<unknown> => [of[2], (await serve(...of)).url];

describe.each(PATHS)('%s', (path) => {
  test('names the server as its caller has reached it', async () => {
    const t = await openTestApp();
    for (const [url, headers] of PLAIN) expect(await urlOf(t, path, headers)).toEqual([headers, url]);
    const { text } = await serve(t, path, { host: '[::1]:3000', 'x-forwarded-prefix': '/a' });
    const { servers } = parse(text) as { servers: unknown };
    expect(servers).toEqual([expect.objectContaining({ url: 'http://[::1]:3000/a' })]);
  });

  test('names none to a caller that says anything else', async () => {
    const t = await openTestApp();
    const { text } = await serve(t, path, { host: '' });
    for (const headers of HOSTILE) {
      expect(await urlOf(t, path, headers)).toEqual([headers, '/']);
      expect((await serve(t, path, headers)).text).toBe(text);
    }
  });

  test('is else the same for all, with a tag of its own for each name, however many were asked for', async () => {
    const t = await openTestApp();
    const own = await serve(t, path, { host: 'a.example' });
    for (let at = 0; at < 40; at += 1) {
      const other = await serve(t, path, { host: `${String(at)}.example` });
      expect(other.text.replace(other.url, own.url)).toBe(own.text);
      expect(other.etag).not.toBe(own.etag);
    }
    expect(await serve(t, path, { host: 'a.example' })).toEqual(own);
    const asked = { 'accept-encoding': 'identity', 'if-none-match': own.etag };
    const again = await request(t.app)
      .get(path)
      .set({ host: 'a.example', ...asked });
    expect(again.status).toBe(304);
    expect(again.headers).toMatchObject({
      'cache-control': 'private, max-age=300',
      vary: 'Accept-Encoding, X-Forwarded-Proto, X-Forwarded-Prefix',
    });
    const other = await request(t.app)
      .get(path)
      .set({ host: 'b.example', ...asked });
    expect(other.status).toBe(200);
  });
});
