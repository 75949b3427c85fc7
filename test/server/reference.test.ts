/** What the server says of itself: the contract, to anybody. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { parse } from 'yaml';
import { openTestApp } from '../support/app.ts';

const CONTRACT = readFileSync(new URL('../../openapi.yaml', import.meta.url));

test('the contract as it is written, byte for byte', async () => {
  const { app } = await openTestApp();
  const response = await request(app).get('/openapi.yaml').buffer().responseType('blob');
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/yaml; charset=utf-8');
  expect(CONTRACT.equals(response.body as Buffer)).toBe(true);
});

test('the contract as JSON, the same document', async () => {
  const { app } = await openTestApp();
  const response = await request(app).get('/openapi.json');
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(JSON.parse(response.text)).toEqual(parse(CONTRACT.toString('utf8')));
});

describe.each(['/openapi.yaml', '/openapi.json'])('%s', (path) => {
  test('is cached for minutes, and then asked for again cheaply', async () => {
    const { app } = await openTestApp();
    const first = await request(app).get(path);
    expect(first.headers['cache-control']).toBe('public, max-age=300');
    expect(first.headers['etag']).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.headers).not.toHaveProperty('vary');

    const again = await request(app)
      .get(path)
      .set({ 'if-none-match': first.headers['etag'] ?? '', 'cache-control': 'no-cache', 'x-request-id': 'mine' });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
    expect(again.headers['etag']).toBe(first.headers['etag']);
    expect(again.headers['cache-control']).toBe('public, max-age=300');
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
      const response = await request(app).get(`${path}?v=1`).set(headers).buffer();
      expect(response.status).toBe(200);
      expect(response.text).toBe(text);
    }
  });

  test('HEAD is GET without the body', async () => {
    const { app } = await openTestApp();
    const whole = await request(app).get(path).set('x-request-id', 'same').buffer();
    const head = await request(app).head(path).set('x-request-id', 'same');
    expect(head.status).toBe(200);
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
    expect(head.text).toBeUndefined();
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
      message: 'This path answers only to the methods in `Allow`.',
    });
  });

  test('another spelling is 404', async () => {
    const { app } = await openTestApp();
    for (const other of [`${path}/`, path.toUpperCase(), `${path}.txt`]) {
      const response = await request(app).get(other).set('accept', 'text/html');
      expect(response.status).toBe(404);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.body).toEqual({ statusCode: 404, name: 'not_found', message: 'There is nothing at this path.' });
    }
  });
});
