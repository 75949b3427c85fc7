/** The HTTP client of `conform`: compressed bodies are read, within the same bounds. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { createClient } from '../../server/conform/client.ts';
import { afterTest } from '../support/after-test.ts';
import { serve } from './bad-servers.ts';

const ask = async (body: Buffer): Promise<string> => {
  const url = await serve((req, res) => {
    const encoding = String(req.headers['accept-encoding']);
    res.writeHead(200, { 'content-encoding': encoding }).end(body);
  });
  const client = createClient(url);
  afterTest(client.close);
  return (await client.send({ method: 'GET', path: '/', headers: {} }, 10_000)).text;
};

test('a compressed response is read', async () => {
  expect(await ask(gzipSync('{"a":"ä"}'))).toBe('{"a":"ä"}');
});

test('one that decompresses to more than the limit is not', async () => {
  await expect(ask(gzipSync(Buffer.alloc(50_000_000)))).rejects.toThrow('the response has more than 1 MB');
});

test('one that is not gzip is not', async () => {
  await expect(ask(Buffer.from('{}'))).rejects.toThrow('the body is not gzip although Content-Encoding says so');
});
