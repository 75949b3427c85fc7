/** Every rule of requests and responses: input, exact status, exact name, what the message says, and what must be absent. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import type { OperationId } from '../../server/contract/types.ts';
import { listen } from '../../server/http/listener.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';
import { series } from '../support/series.ts';
import { expectDeclared } from '../support/declared.ts';
import { exchange, parseResponse } from '../support/raw.ts';

const UUID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const unknownCursor = (name: string): string =>
  `There is no item with the id given as \`${name}\`. If it has been removed, go on from its neighbour in the page you hold.`;
const LISTS = {
  '/automations': 'listAutomations',
  '/contact-properties': 'listContactProperties',
  '/contacts/imports': 'listContactImports',
} as const satisfies Record<string, OperationId>;

function operationOf(target: string): OperationId {
  const path = target.replace(/\?.*/, '').replace(/^\/+/, '/');
  return Object.entries(LISTS).find(([it]) => it === path)?.[1] ?? 'getContactImport';
}

function get({ app, key }: TestApp, target: string, headers: Record<string, string> = {}): Promise<Response> {
  return request(app)
    .get(target)
    .set({ authorization: `Bearer ${key}`, ...headers })
    .then((it) => it);
}

function expectProblem(response: Response, statusCode: number, name: string, message: RegExp | string): void {
  expect(response.body).toEqual({
    statusCode,
    name,
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
  expect(response.status).toBe(statusCode);
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.headers).not.toHaveProperty('etag');
  expect(response.headers).not.toHaveProperty('x-powered-by');
  expect(response.text).not.toMatch(/rollcall_|SELECT|sqlite|node_modules|\.ts|\bat .*:/);
}

describe('parameters that are rejected with 422', () => {
  const limitIs = '`limit` must be a whole number from 1 to 100.';
  const cursorIs = (name: string): string => `\`${name}\` must be a UUID in upper or lower case, such as \`${UUID}\`.`;
  const cases: [target: string, message: string][] = [
    ...[
      '0',
      '101',
      '1.5',
      '1e1',
      '0x10',
      '%2B5',
      '+5',
      '05',
      '00',
      '%205',
      '5%20',
      '-1',
      'ten',
      '1_0',
      '٣',
      '99999999999999999999',
      '9'.repeat(309),
      'NaN',
      'null',
      '',
    ].map((value): [string, string] => [`/automations?limit=${encodeURI(value)}`, limitIs]),
    ['/contact-properties?limit=101', limitIs],
    ['/contacts/imports?limit=0', limitIs],
    ['/automations?limit', limitIs],
    [`/automations?${'&'.repeat(1000)}limit=0`, limitIs],
    [`/automations?${'limit=1&'.repeat(1001)}limit=1`, '`limit` must be given once, as a whole number from 1 to 100.'],
    ['/automations?limit=5&limit=5', '`limit` must be given once, as a whole number from 1 to 100.'],
    ['/automations?status=paused', '`status` must be one of `enabled`, `disabled`.'],
    ['/automations?status=ENABLED', '`status` must be one of `enabled`, `disabled`.'],
    ['/automations?status=', '`status` must be one of `enabled`, `disabled`.'],
    ['/automations?status=enabled&status=disabled', '`status` must be given once, as one of `enabled`, `disabled`.'],
    ['/contacts/imports?status=enabled', '`status` must be one of `queued`, `in_progress`, `completed`, `failed`.'],
    ['/contact-properties?status=enabled', '`status` is not a parameter here: allowed are `limit`, `after`, `before`.'],
    ['/automations?page=2', '`page` is not a parameter here: allowed are `limit`, `after`, `before`, `status`.'],
    ['/automations?Limit=2', '`Limit` is not a parameter here: allowed are `limit`, `after`, `before`, `status`.'],
    ['/automations?limit[]=2', '`limit[]` is not a parameter here: allowed are `limit`, `after`, `before`, `status`.'],
    ['/automations?limit[=2', '`limit[` is not a parameter here: allowed are `limit`, `after`, `before`, `status`.'],
    ['/automations?a%00=2', 'Unknown parameter: allowed are `limit`, `after`, `before`, `status`.'],
    ['/automations?=2', '`` is not a parameter here: allowed are `limit`, `after`, `before`, `status`.'],
    [
      '/automations?__proto__=2',
      '`__proto__` is not a parameter here: allowed are `limit`, `after`, `before`, `status`.',
    ],
    [`/automations?${'x'.repeat(33)}=1`, 'Unknown parameter: allowed are `limit`, `after`, `before`, `status`.'],
    [`/contacts/imports/${UUID}?limit=1`, '`limit` is not a parameter here: none is allowed.'],
    ...['after', 'before'].flatMap((name) =>
      [
        '1',
        'x',
        '',
        UUID.slice(1),
        `${UUID}0`,
        `urn:uuid:${UUID}`,
        `{${UUID}}`,
        UUID.replaceAll('-', ''),
        `%20${UUID}`,
      ].map((value): [string, string] => [`/automations?${name}=${value}`, cursorIs(name)]),
    ),
    [
      `/automations?after=${UUID}&after=${UUID}`,
      `\`after\` must be given once, as a UUID in upper or lower case, such as \`${UUID}\`.`,
    ],
    [`/automations?after=${UUID}&before=${UUID}`, '`after` and `before` cannot be combined: send one of them.'],
    [`/contact-properties?before=${UUID}&after=${UUID}`, '`after` and `before` cannot be combined: send one of them.'],
    [`/contacts/imports?before=${UUID}&after=${UUID}`, '`after` and `before` cannot be combined: send one of them.'],
    ...['1', 'x', UUID.slice(1), `urn:uuid:${UUID}`, '%zz', '%ff', 'a%2Fb', '%00', '*'].map(
      (value): [string, string] => [`/contacts/imports/${value}`, cursorIs('id')],
    ),
  ];
  test.each(cases)('GET %s', async (target, message) => {
    const response = await get(await openTestApp(), target);
    expectProblem(response, 422, 'validation_error', message);
    expectDeclared(operationOf(target), response);
  });
});

describe('limits', () => {
  test.each([
    ['/automations', 20],
    ['/automations?limit=1', 1],
    ['/automations?limit=100', 100],
    ['/contact-properties', 20],
    ['/contact-properties?limit=100', 100],
    ['/contacts/imports', 10],
    ['/contacts/imports?limit=100', 100],
  ])('GET %s returns %i items', async (target, count) => {
    const t = await openTestApp({
      automations: series(101, automation),
      contactProperties: series(101, contactProperty),
      contactImports: series(101, contactImport),
    });
    const response = await get(t, target);
    expect(response.body).toMatchObject({ object: 'list', has_more: true });
    expect((response.body as { data: unknown[] }).data).toHaveLength(count);
    expectDeclared(operationOf(target), response);
  });
});

describe('what does not exist is 404 not_found', () => {
  test.each([
    ['/', 'There is nothing at this path.'],
    ['/nope', 'There is nothing at this path.'],
    ['/automations/', 'There is nothing at this path.'],
    ['/Automations', 'There is nothing at this path.'],
    ['/contact-properties/', 'There is nothing at this path.'],
    ['/contacts/imports/', 'There is nothing at this path.'],
    ['/contacts/Imports', 'There is nothing at this path.'],
    ['/contacts//imports', 'There is nothing at this path.'],
    [`/contacts/imports/${UUID}/`, 'There is nothing at this path.'],
    [`/automations/${UUID}`, 'There is nothing at this path.'],
    ['/%zz', 'There is nothing at this path.'],
    ['/%61utomations', 'There is nothing at this path.'],
    [`/contacts/imports/${UNKNOWN}`, 'There is no contact import with this `id`.'],
    [`/automations?after=${UNKNOWN}`, unknownCursor('after')],
    [`/automations?before=${UNKNOWN}`, unknownCursor('before')],
    [`/contact-properties?after=${UNKNOWN}`, unknownCursor('after')],
    [`/contacts/imports?before=${UNKNOWN}&status=queued`, unknownCursor('before')],
  ])('GET %s', async (target, message) => {
    const response = await get(await openTestApp({ automations: [automation()] }), target);
    expectProblem(response, 404, 'not_found', message);
    expectDeclared(operationOf(target), response);
  });

  test.each(['GET', 'POST', 'OPTIONS', 'DELETE'])('%s of an unknown path needs no key', async (method) => {
    const { app } = await openTestApp();
    const response = await request(app)[method.toLowerCase() as 'get']('/nope');
    expectProblem(response, 404, 'not_found', 'There is nothing at this path.');
  });
});

describe('targets in other forms', () => {
  test.each(['//automations', '///automations?limit=20', '/automations?', '/automations?&limit=20&'])(
    'GET %s is the list',
    async (target) => {
      const response = await get(await openTestApp({ automations: [automation({ id: UUID })] }), target);
      expect(response.body).toMatchObject({ object: 'list', data: [{ id: UUID }] });
      expect(response.status).toBe(200);
    },
  );

  test('ids are read in either case and returned in lower case', async () => {
    const t = await openTestApp({
      contactImports: [
        contactImport({ id: UUID.toUpperCase(), created_at: '2026-01-01 00:00:00+00' }),
        contactImport({ created_at: '2025-01-01 00:00:00+00' }),
      ],
    });
    const found = await get(t, `/contacts/imports/${UUID.toUpperCase()}`);
    expect(found.body).toMatchObject({ id: UUID });
    const page = await get(t, `/contacts/imports?after=${UUID.toUpperCase()}`);
    expect((page.body as { data: unknown[] }).data).toHaveLength(1);
  });
});

describe('methods', () => {
  const paths = [...Object.keys(LISTS), `/contacts/imports/${UUID}`, '/contacts/imports/%zz'];
  const ALLOW = 'GET, HEAD, OPTIONS';

  test.each(
    paths.flatMap((path) =>
      ['post', 'put', 'patch', 'delete', 'trace', 'propfind', 'search'].map((method) => [method, path]),
    ),
  )('%s %s is 405, key or not', async (method, path) => {
    const { app } = await openTestApp();
    const response = await request(app)
      [method as 'post'](path)
      .set('content-type', 'application/json')
      .send(method === 'trace' ? undefined : '{');
    expectProblem(response, 405, 'method_not_allowed', 'This path answers only to GET, HEAD and OPTIONS.');
    expect(response.headers['allow']).toBe(ALLOW);
    expectDeclared(operationOf(path), response);
  });

  test.each(paths)('OPTIONS %s is 204 with Allow, and needs no key', async (path) => {
    const { app } = await openTestApp();
    const response = await request(app).options(path);
    expect(response.status).toBe(204);
    expect(response.headers['allow']).toBe(ALLOW);
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.text).toBe('');
  });

  test.each([
    '/automations',
    '/automations?limit=0',
    '/nope',
    `/contacts/imports/${UUID}`,
    `/contacts/imports/${UNKNOWN}`,
  ])('HEAD %s is GET without the body', async (target) => {
    const t = await openTestApp({ automations: [automation()], contactImports: [contactImport({ id: UUID })] });
    const whole = await get(t, target, { 'x-request-id': 'same' });
    const head = await request(t.app)
      .head(target)
      .set({ authorization: `Bearer ${t.key}`, 'x-request-id': 'same' });
    expect(head.status).toBe(whole.status);
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
    expect(head.text).toBeUndefined();
  });

  test('HEAD without a key is 401', async () => {
    const { app } = await openTestApp();
    expect((await request(app).head('/automations')).status).toBe(401);
  });
});

describe('a body, Content-Type and Accept are ignored', () => {
  test.each([
    [{ 'content-type': 'application/json' }, '{}'],
    [{ 'content-type': 'application/json' }, '{ not json'],
    [{ 'content-type': 'multipart/form-data' }, 'no boundary'],
    [{ 'content-type': 'nonsense' }, 'x'],
    [{ accept: 'text/html' }, undefined],
    [{ accept: 'application/xml;q=1' }, undefined],
  ] as [Record<string, string>, string | undefined][])('%j %s', async (headers, body) => {
    const t = await openTestApp({ automations: [automation()] });
    const response = await request(t.app)
      .get('/automations')
      .set({ authorization: `Bearer ${t.key}`, ...headers })
      .send(body);
    expect(response.status).toBe(200);
    expectDeclared('listAutomations', response);
  });
});

describe('keys', () => {
  const missing = 'Send an API key: `Authorization: Bearer <key>`.';
  const invalid = 'This API key is unknown, has been revoked or has expired.';
  test.each([
    [undefined, 'missing_api_key', missing],
    ['', 'missing_api_key', missing],
    ['Bearer', 'missing_api_key', missing],
    ['Bearer ', 'missing_api_key', missing],
    ['Bearer    ', 'missing_api_key', missing],
    ['Basic dXNlcjpwYXNz', 'missing_api_key', missing],
    ['Basic bearer', 'missing_api_key', missing],
    ['Bearerx', 'missing_api_key', missing],
    ['Token KEY', 'missing_api_key', missing],
    ['KEY', 'missing_api_key', missing],
    ['Bearer nonsense', 'invalid_api_key', invalid],
    ['bearer rollcall_0000000000000000000000000000000000000000', 'invalid_api_key', invalid],
    ['Bearer KEY KEY', 'invalid_api_key', invalid],
    ['Bearer KEYx', 'invalid_api_key', invalid],
    ["Bearer ' OR 1=1 --", 'invalid_api_key', invalid],
  ])('Authorization: %s', async (header, name, message) => {
    const { app, key } = await openTestApp();
    for (const [path, operation] of [
      ...Object.entries(LISTS),
      [`/contacts/imports/${UUID}`, 'getContactImport'] as const,
    ]) {
      const headers = header === undefined ? {} : { authorization: header.replaceAll('KEY', key) };
      const response = await request(app).get(path).set(headers);
      expectProblem(response, 401, name, message);
      const error = name === 'invalid_api_key' ? ', error="invalid_token"' : '';
      expect(response.headers['www-authenticate']).toBe(`Bearer realm="rollcall"${error}`);
      expectDeclared(operation, response);
    }
  });

  test.each(['Bearer KEY', 'bearer KEY', 'BEARER KEY', 'Bearer   KEY'])(
    'Authorization: %s opens the account',
    async (header) => {
      const { app, key } = await openTestApp();
      const response = await request(app).get('/automations').set('authorization', header.replace('KEY', key));
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('www-authenticate');
    },
  );

  test('a revoked key stops working at once, others of the account go on', async () => {
    const t = await openTestApp();
    const other = await t.keyOf('main');
    expect((await get(t, '/automations')).status).toBe(200);
    await t.writer.revokeKey('key-1', '2026-01-01T00:00:00.000Z');
    expectProblem(await get(t, '/automations'), 401, 'invalid_api_key', invalid);
    expect((await get({ ...t, key: other }, '/automations')).status).toBe(200);
  });
});

describe('checks come in order: path, method, key, parameters, existence', () => {
  test('each error comes before the next', async () => {
    const t = await openTestApp();
    const worst = `?limit=0&after=${UNKNOWN}`;
    const ask = (method: 'get' | 'post', target: string, key?: string): Promise<Response> =>
      request(t.app)
        [method](target)
        .set(key === undefined ? {} : { authorization: `Bearer ${key}` })
        .then((it) => it);
    expect((await ask('post', `/nope${worst}`)).status).toBe(404);
    expect((await ask('post', `/automations${worst}`)).status).toBe(405);
    expect((await ask('get', `/automations${worst}`)).status).toBe(401);
    expect((await ask('get', '/contacts/imports/%zz')).status).toBe(401);
    expect((await ask('get', `/automations${worst}`, t.key)).status).toBe(422);
    expect((await ask('get', `/automations?after=${UNKNOWN}`, t.key)).status).toBe(404);
  });
});

describe('request ids', () => {
  const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  test.each(['abc', 'a'.repeat(128), 'req_01:A/b+c=@~.-', '0b5a6c1e-6f0e-4b58-9d43-5c1f7a7f7d0e'])(
    '%s is kept',
    async (id) => {
      const t = await openTestApp();
      expect((await get(t, '/automations', { 'x-request-id': id })).headers['x-request-id']).toBe(id);
      expect((await get(t, '/nope', { 'x-request-id': id })).headers['x-request-id']).toBe(id);
    },
  );

  const insane = ['', 'a'.repeat(129), 'a'.repeat(10_000), 'two words', 'a,b', 'quote"', '<script>', 'ümlaut'];
  test.each(insane)('%.20j is replaced', async (id) => {
    const response = await get(await openTestApp(), '/automations', { 'x-request-id': id });
    expect(response.headers['x-request-id']).toMatch(UUID_V4);
  });

  test('one that the server makes tells nothing of the others, wherever the response comes from', async () => {
    const t = await openTestApp({ automations: [automation()] });
    const listener = await listen(t.app, contract, { host: '127.0.0.1', port: 0 });
    const authorization = `Authorization: Bearer ${t.key}\r\nConnection: close`;
    const texts = [
      ...[`GET /automations HTTP/1.1\r\n${authorization}`, 'GET /docs HTTP/1.1\r\nConnection: close'],
      ...['GET /nope HTTP/1.1\r\nConnection: close', 'FETCH / HTTP/1.1', 'GET / HTTP/1.1\r\nA B: c'],
    ];
    const ids: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      for (const text of texts) {
        const { headers } = parseResponse(await exchange(listener.url, `${text}\r\n\r\n`));
        ids.push(String(headers['x-request-id']));
      }
    }
    await listener.stop();
    expect(ids.filter((it) => !UUID_V4.test(it))).toEqual([]);
    // No part of an id, long enough to tell one from another, comes again in a second id.
    for (const from of [0, 4, 8, 12, 16, 20]) {
      const parts = ids.map((it) => it.replaceAll('-', '').slice(from, from + 12));
      expect(new Set(parts).size).toBe(ids.length);
    }
    // And none is the one before it, some steps on.
    const numbers = ids.map((it) => BigInt(`0x${it.slice(-12)}`));
    const steps = numbers.slice(1).map((it, at) => it - (numbers[at] ?? 0n));
    expect(new Set(steps).size).toBe(steps.length);
  });
});

describe('conditional requests', () => {
  const targets = ['/automations', '/contact-properties', '/contacts/imports?limit=1', `/contacts/imports/${UUID}`];
  const records = {
    automations: [automation()],
    contactProperties: [contactProperty()],
    contactImports: [contactImport({ id: UUID })],
  };

  test.each(targets)('GET %s: the tag of a 200 brings a 304', async (target) => {
    const t = await openTestApp(records);
    const first = await get(t, target);
    const tag = String(first.headers['etag']);
    for (const match of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(t, target, { 'if-none-match': match });
      expect(again.status).toBe(304);
      expect(again.headers['etag']).toBe(tag);
      expectDeclared(operationOf(target), again);
    }
    const head = await request(t.app)
      .head(target)
      .set({ authorization: `Bearer ${t.key}`, 'if-none-match': tag });
    expect(head.status).toBe(304);
    // A caller's own caching wishes do not make the server send again what the caller has.
    expect((await get(t, target, { 'if-none-match': tag, 'cache-control': 'no-cache' })).status).toBe(304);
    for (const match of ['"other"', tag.replaceAll('"', ''), '', 'ümlaut', '"'.repeat(10_000)]) {
      expect((await get(t, target, { 'if-none-match': match })).status).toBe(200);
    }
  });

  test('the tag changes with the data', async () => {
    const t = await openTestApp(records);
    const tag = String((await get(t, '/automations')).headers['etag']);
    await t.put({ automations: [automation()] });
    const after = await get(t, '/automations', { 'if-none-match': tag });
    expect(after.status).toBe(200);
    expect(after.headers['etag']).not.toBe(tag);
  });

  test('the tag is of the data, not of the key', async () => {
    const t = await openTestApp(records);
    const other = await t.keyOf('main');
    expect((await get({ ...t, key: other }, '/automations')).headers['etag']).toBe(
      (await get(t, '/automations')).headers['etag'],
    );
  });

  test('a matching tag does not save an error', async () => {
    const t = await openTestApp(records);
    expect((await get(t, '/automations?limit=0', { 'if-none-match': '*' })).status).toBe(422);
    expect((await request(t.app).get('/automations').set('if-none-match', '*')).status).toBe(401);
  });
});

describe('records are returned as the contract has them', () => {
  test('timestamps and values come back exactly as they were loaded', async () => {
    const created = [
      '2026-04-16 13:49:40+00',
      '2026-04-16 13:49:40.6-03:30',
      '2026-04-16 13:49:40.678912+00:00',
      '2024-02-29 23:59:59.000+14',
    ];
    const wanted = created.map((created_at) => contactProperty({ created_at }));
    const t = await openTestApp({ contactProperties: wanted });
    const { data } = (await get(t, '/contact-properties')).body as { data: { id: string }[] };
    for (const record of wanted) expect(data.find(({ id }) => id === record.id)).toEqual(record);
  });

  test.each(['friend', '', 'Zoë 🎈 "quoted" \\ \u2028', 0, -12.5, 1e-7, 42, null])(
    'fallback_value %j',
    async (fallback_value) => {
      const t = await openTestApp({ contactProperties: [contactProperty({ fallback_value, type: 'made_up' })] });
      const response = await get(t, '/contact-properties');
      expect(response.body).toMatchObject({ data: [{ fallback_value, type: 'made_up' }] });
      expectDeclared('listContactProperties', response);
    },
  );

  test('an import that has not ended has a null completed_at and its counts', async () => {
    const counts = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
    const t = await openTestApp({
      contactImports: [contactImport({ id: UUID, status: 'queued', completed_at: null, counts })],
    });
    const response = await get(t, `/contacts/imports/${UUID}`);
    expect(response.body).toMatchObject({ status: 'queued', completed_at: null, counts });
    expectDeclared('getContactImport', response);
  });

  test('an empty list is a list', async () => {
    const response = await get(await openTestApp(), '/automations');
    expect(response.body).toEqual({ object: 'list', has_more: false, data: [] });
  });
});
