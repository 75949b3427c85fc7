/** `--max-body` and `--proxy` of the commands that send requests to a server: what is read of a response, and what stands between. */
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { serve } from '../audit/conform/bad-servers.ts';
import { shownOf } from '../support/credentials.ts';
import { folder } from '../support/own-folder.ts';
import { AT_MOST, audit } from './lists.ts';

const MB = 1_000_000;

describe('--max-body', () => {
  const textOf = (bytes: number): Buffer => Buffer.from('{}'.padEnd(bytes));
  const withBody =
    (body: Buffer, headers = {}): RequestListener =>
    (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
    };
  const tooLarge = (size: number): string =>
    `${AT_MOST}rollcall: The list could not be audited. No usable response to GET /a: the response is larger than ${String(size)} MB.\n`;
  const NO_LIST = 'rollcall: The list could not be audited. GET /a returned no array: check the URL of the list.\n';

  test.each([
    ['as it is', (it: Buffer) => withBody(it)],
    ['compressed', (it: Buffer) => withBody(gzipSync(it), { 'content-encoding': 'gzip' })],
  ])('is the bound of a body %s', async (_, respond) => {
    const [most, more] = [await serve(respond(textOf(MB))), await serve(respond(textOf(MB + 2)))];
    expect(await audit(`${most}/a`, '--max-body=1')).toMatchObject({ code: 3, stderr: AT_MOST + NO_LIST });
    expect(await audit(`${more}/a`, '--max-body=1')).toMatchObject({ code: 3, stderr: tooLarge(1) });
    expect(await audit(`${more}/a`, '--max-body=2')).toMatchObject({ code: 3, stderr: AT_MOST + NO_LIST });
  });

  test('is 32 MB by default', async () => {
    const url = await serve(withBody(gzipSync(Buffer.alloc(32 * MB + 1, ' ')), { 'content-encoding': 'gzip' }));
    expect(await audit(`${url}/a`)).toMatchObject({ code: 3, stderr: tooLarge(32) });
  });

  test('is that of conform', async () => {
    const url = await serve(withBody(textOf(MB + 2)));
    const { code, stderr } = await folder.call(['conform', url, '--key=a-key', '--max-body=1']);
    expect(code).toBe(3);
    expect(stderr).toContain('GET /automations: the response is larger than 1 MB.');
  });

  test.each(['0', '1001', 'x', '-1', '1.5'])('cannot be %s', async (value) => {
    for (const argv of [
      ['audit', 'http://127.0.0.1:1/a'],
      ['conform', 'http://127.0.0.1:1', '--key=k'],
    ]) {
      const { code, stderr } = await folder.call([...argv, `--max-body=${value}`]);
      expect([code, stderr.split('\n')[0]]).toEqual([
        2,
        `error: option '--max-body <size>' argument '${value}' is invalid. It must be a whole number of megabytes from 1 to 1000.`,
      ]);
    }
  });
});

describe('a proxy', () => {
  const PASSWORD = 'p4ssw0rd-of-mine';
  const AUTH = `Basic ${Buffer.from(`me:${PASSWORD}`).toString('base64')}`;

  /** A proxy that responds itself, with what it was sent. @param seen the requests. @returns its address with a password, and without. */
  async function startProxy(seen: unknown[]): Promise<readonly [withPassword: string, origin: string]> {
    const url = await serve((req, res) => {
      seen.push([req.url, req.headers['proxy-authorization']]);
      const said = { message: `${PASSWORD} ${String(req.headers['proxy-authorization'])}` };
      res.writeHead(404).end(JSON.stringify(said));
    });
    return [url.replace('//', `//me:${PASSWORD}@`), url];
  }

  test.each<[string, (proxy: string) => { readonly argv: readonly string[]; readonly env: Record<string, string> }]>([
    [
      'of --proxy',
      (proxy) => ({ argv: [`--proxy=${proxy}`], env: { http_proxy: 'http://127.0.0.1:1', no_proxy: '*' } }),
    ],
    ['of the environment', (proxy) => ({ argv: [], env: { http_proxy: proxy } })],
  ])('%s is told in the first line, and its password nowhere', async (_, given) => {
    const seen: unknown[] = [];
    const [proxy, origin] = await startProxy(seen);
    const { argv, env } = given(proxy);
    const text = await folder.call(['audit', 'http://list.example/a', '--verbose', ...argv], { env });
    const json = await folder.call(['audit', 'http://list.example/a', '--json', ...argv], { env });
    const tested = await folder.call(['conform', 'http://list.example', '--key=a-key', ...argv], { env });
    expect([text.code, json.code, tested.code]).toEqual([3, 3, 3]);
    expect(text.stderr.split('\n')[0]).toBe(`Sends at most 300 GET requests, 5 a second, through the proxy ${origin}.`);
    expect(tested.stderr.split('\n')[0]).toBe(`Sends requests to http://list.example, through the proxy ${origin}.`);
    expect(seen.slice(0, 2)).toEqual(Array(2).fill(['http://list.example/a', AUTH]));
    expect(text.stderr).toContain('GET /a returned 404: {"message":"… Basic …"}. Check the URL.');
    for (const { stdout, stderr } of [text, json, tested]) {
      expect(shownOf(PASSWORD, stdout + stderr)).toBeUndefined();
      expect(shownOf(AUTH.replace('Basic ', ''), stdout + stderr)).toBeUndefined();
    }
  });

  test('is never used for this machine', async () => {
    const seen: unknown[] = [];
    const [proxy] = await startProxy(seen);
    const url = await serve((_req, res) => void res.writeHead(404).end('{}'));
    const { stderr } = await audit(`${url}/a`, `--proxy=${proxy}`);
    expect(stderr).toBe(`${AT_MOST}rollcall: The list could not be audited. GET /a returned 404: {}. Check the URL.\n`);
    expect(seen).toEqual([]);
  });

  test.each([
    [`--proxy=socks5://me:${PASSWORD}@proxy.example:1080`, {}, '--proxy'],
    [undefined, { http_proxy: `socks5://me:${PASSWORD}@proxy.example:1080` }, 'http_proxy'],
  ])('that is none is wrong usage: %s, %j', async (option, env, name) => {
    for (const argv of [
      ['audit', 'http://list.example/a'],
      ['conform', 'http://list.example', '--key=a-key'],
    ]) {
      const ran = await folder.call([...argv, ...(option === undefined ? [] : [option])], { env });
      expect([ran.code, ran.stdout, ran.stderr.split('\n')[0]]).toEqual([
        2,
        '',
        `error: ${name} must be the address of an HTTP proxy, such as http://proxy.example:3128`,
      ]);
      expect(ran.stderr).not.toContain(PASSWORD);
    }
  });
});
