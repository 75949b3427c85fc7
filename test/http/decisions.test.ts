/** Every rule of requests that needs no record: input, exact status, exact name, exact message, and what must be absent. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { OperationId } from '../../contract/types.ts';
import { automation, contactImport } from '../../testkit/builders.ts';
import { afterFile } from '../support/after-test.ts';
import { openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { expectDeclared } from '../support/declared.ts';
import { exchange, lastText, parseResponse } from '../support/raw.ts';
import { expectProblem, get } from '../support/requests.ts';
import { serve } from '../support/served.ts';

const UUID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NOWHERE = 'This path does not exist.';
const OPERATIONS = {
  '/automations': 'listAutomations',
  '/contact-properties': 'listContactProperties',
  '/contacts/imports': 'listContactImports',
  [`/contacts/imports/${UUID}`]: 'getContactImport',
} as const satisfies Record<string, OperationId>;
const PATHS = Object.keys(OPERATIONS);

function operationOf(target: string): OperationId {
  const path = target.replace(/\?.*/, '');
  return Object.entries(OPERATIONS).find(([it]) => it === path)?.[1] ?? 'getContactImport';
}

let t: TestApp;
beforeAll(async () => {
  const records = { automations: [automation({ id: UUID })], contactImports: [contactImport({ id: UUID })] };
  t = await openTestApp(records, {}, undefined, { after: afterFile });
});

describe('parameters that are rejected with 422', () => {
  const limitIs = '`limit` must be a whole number from 1 to 100.';
  const onceLimit = '`limit` must be sent only once, as a whole number from 1 to 100.';
  const statusIs = '`status` must be one of `enabled`, `disabled`.';
  const cursorsAre = '`after` and `before` cannot be combined. Send only one of them.';
  const allowed = 'Allowed parameters: `limit`, `after`, `before`, `status`.';
  const isNone = (name: string): string => `Unknown parameter \`${name}\`. ${allowed}`;
  const idIs = `a UUID in any letter case, such as \`${UUID}\`.`;

  const numbers = ['0', '101', '1.5', '1e1', '0x10', '%2B5', '+5', '05', '00', ' 5', '5 ', '-1', 'ten', '1_0', '٣'];
  const others = ['99999999999999999999', '9'.repeat(309), 'NaN', 'null', ''];
  const cursors = ['1', 'x', '', UUID.slice(1), `${UUID}0`, `urn:uuid:${UUID}`, `{${UUID}}`, UUID.replaceAll('-', '')];
  const ids = ['1', 'x', UUID.slice(1), `urn:uuid:${UUID}`, '%zz', '%ff', 'a%2Fb', '%00', '*'];
  test.each<[target: string, message: string]>([
    ...[...numbers, ...others].map((it): [string, string] => [`/automations?limit=${encodeURI(it)}`, limitIs]),
    ['/contact-properties?limit=101', limitIs],
    ['/contacts/imports?limit=0', limitIs],
    ['/automations?limit', limitIs],
    [`/automations?${'&'.repeat(1000)}limit=0`, limitIs],
    [`/automations?${'limit=1&'.repeat(1001)}limit=1`, onceLimit],
    ['/automations?limit=5&limit=5', onceLimit],
    ['/automations?status=paused', statusIs],
    ['/automations?status=ENABLED', statusIs],
    ['/automations?status=', statusIs],
    [
      '/automations?status=enabled&status=disabled',
      '`status` must be sent only once, as one of `enabled`, `disabled`.',
    ],
    ['/contacts/imports?status=enabled', '`status` must be one of `queued`, `in_progress`, `completed`, `failed`.'],
    [
      '/contact-properties?status=enabled',
      'Unknown parameter `status`. Allowed parameters: `limit`, `after`, `before`.',
    ],
    ...['page', 'Limit', 'limit[]', 'limit[', '', '__proto__'].map((it): [string, string] => [
      `/automations?${it}=2`,
      isNone(it),
    ]),
    ['/automations?a%00=2', `Unknown parameter. ${allowed}`],
    [`/automations?${'x'.repeat(33)}=1`, `Unknown parameter. ${allowed}`],
    [`/contacts/imports/${UUID}?limit=1`, 'Unknown parameter `limit`. This operation has no query parameters.'],
    ...['after', 'before'].flatMap((name) =>
      [...cursors, `%20${UUID}`].map((it): [string, string] => [
        `/automations?${name}=${it}`,
        `\`${name}\` must be ${idIs}`,
      ]),
    ),
    [`/automations?after=${UUID}&after=${UUID}`, `\`after\` must be sent only once, as ${idIs}`],
    ...PATHS.slice(0, 3).map((it): [string, string] => [`${it}?before=${UUID}&after=${UUID}`, cursorsAre]),
    ...ids.map((it): [string, string] => [`/contacts/imports/${it}`, `\`id\` must be ${idIs}`]),
  ])('GET %s', async (target, message) => {
    const response = await get(t, target);
    expectProblem(response, 422, 'validation_error', message);
    expectDeclared(operationOf(target), response);
  });
});

describe('a path', () => {
  test.each([
    ...['/nope', '/automations/', '/Automations', '/contact-properties/', '/contacts/imports/', '/contacts/Imports'],
    ...['/contacts//imports', `/contacts/imports/${UUID}/`, `/automations/${UUID}`, '/%zz', '/%61utomations'],
  ])('GET %s leads nowhere', async (target) => {
    const response = await get(t, target);
    expectProblem(response, 404, 'not_found', NOWHERE);
    expectDeclared('listAutomations', response);
  });

  test.each(['GET', 'POST', 'OPTIONS', 'DELETE'])('%s of an unknown one needs no key', async (method) => {
    const response = await request(t.app)[method.toLowerCase() as 'get']('/nope'); // Of supertest's methods.
    expectProblem(response, 404, 'not_found', NOWHERE);
  });

  test.each(['//automations', '///automations?limit=20', '/automations?', '/automations?&limit=20&'])(
    'GET %s is that of the list',
    async (target) => {
      const response = await get(t, target);
      expect(response.body).toMatchObject({ object: 'list', data: [{ id: UUID }] });
      expect(response.status).toBe(200);
    },
  );
});

describe('methods', () => {
  const paths = [...PATHS, '/contacts/imports/%zz'];
  const ALLOW = 'GET, HEAD, OPTIONS';

  test.each(
    paths.flatMap((path) =>
      ['post', 'put', 'patch', 'delete', 'trace', 'propfind', 'search'].map((method) => [method, path]),
    ),
  )('%s %s is 405, key or not', async (method, path) => {
    const response = await request(t.app)
      [method as 'post'](path) // Of supertest's methods.
      .set('content-type', 'application/json')
      .send(method === 'trace' ? undefined : '{');
    expectProblem(response, 405, 'method_not_allowed', 'This path supports only GET, HEAD and OPTIONS.');
    expect(response.headers['allow']).toBe(ALLOW);
    expectDeclared(operationOf(path), response);
  });

  test.each(paths)('OPTIONS %s is 204 with Allow, and needs no key', async (path) => {
    const response = await request(t.app).options(path);
    expect(response.status).toBe(204);
    expect(response.headers['allow']).toBe(ALLOW);
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.text).toBe('');
  });

  test.each([
    ...['/automations', '/automations?limit=0', '/nope'],
    ...[`/contacts/imports/${UUID}`, `/contacts/imports/${UNKNOWN}`],
  ])('HEAD %s is GET without the body', async (target) => {
    const whole = await get(t, target, { 'x-request-id': 'same' });
    const head = await request(t.app)
      .head(target)
      .set({ authorization: `Bearer ${t.key}`, 'x-request-id': 'same' });
    expect(head.status).toBe(whole.status);
    expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(whole.text)));
    expect(head.text).toBeUndefined();
  });
});

test.each<[Record<string, string>, string | undefined]>([
  [{ 'content-type': 'application/json' }, '{}'],
  [{ 'content-type': 'application/json' }, '{ not json'],
  [{ 'content-type': 'multipart/form-data' }, 'no boundary'],
  [{ 'content-type': 'nonsense' }, 'x'],
  [{ accept: 'text/html' }, undefined],
  [{ accept: 'application/xml;q=1' }, undefined],
])('a body, Content-Type and Accept are ignored: %j %s', async (headers, body) => {
  const response = await request(t.app)
    .get('/automations')
    .set({ authorization: `Bearer ${t.key}`, ...headers })
    .send(body);
  expect(response.status).toBe(200);
  expectDeclared('listAutomations', response);
});

describe('keys', () => {
  const missing = 'Send an API key: `Authorization: Bearer <key>`.';
  const invalid = 'This API key is unknown, has been revoked or has expired.';
  const none = [undefined, '', 'Bearer', 'Bearer ', 'Bearer    ', 'Basic dXNlcjpwYXNz', 'Basic bearer', 'Bearerx'];
  const wrong = ['Bearer nonsense', `bearer rollcall_${'0'.repeat(40)}`, 'Bearer KEY KEY', 'Bearer KEYx'];
  test.each([
    ...[...none, 'Token KEY', 'KEY'].map((it) => [it, 'missing_api_key', missing, ''] as const),
    ...[...wrong, "Bearer ' OR 1=1 --"].map(
      (it) => [it, 'invalid_api_key', invalid, ', error="invalid_token"'] as const,
    ),
  ])('Authorization: %s is 401', async (header, name, message, error) => {
    for (const [path, operation] of Object.entries(OPERATIONS)) {
      const headers = header === undefined ? {} : { authorization: header.replaceAll('KEY', t.key) };
      const response = await request(t.app).get(path).set(headers);
      expectProblem(response, 401, name, message);
      expect(response.headers['www-authenticate']).toBe(`Bearer realm="rollcall"${error}`);
      expectDeclared(operation, response);
    }
    expect((await request(t.app).head('/automations')).status).toBe(401);
  });

  test.each([
    ['Bearer KEY', 'Bearer KEY'],
    ['Bearer KEY', 'Bearer nonsense'],
    ['Bearer nonsense', 'Bearer KEY'],
    ['Basic dXNlcjpwYXNz', 'Bearer KEY'],
    ['Bearer KEY', ''],
  ])('two Authorization headers, %s and %s, are 401: no single key was sent', async (...headers) => {
    const { url, key } = await serve();
    expect(parseResponse(await exchange(url, lastText(key))).status).toBe(200); // From here on the key is cached.
    const lines = headers.map((it) => `Authorization: ${it.replace('KEY', key)}`);
    const response = parseResponse(
      await exchange(url, ['GET /automations HTTP/1.1', 'Host: x', ...lines, 'Connection: close', '', ''].join('\r\n')),
    );
    expect([response.status, JSON.parse(response.text)]).toEqual([
      401,
      { statusCode: 401, name: 'invalid_api_key', message: 'Send only one `Authorization` header.' },
    ]);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="rollcall", error="invalid_token"');
    expectDeclared('listAutomations', response);
  });

  test.each(['Bearer KEY', 'bearer KEY', 'BEARER KEY', 'Bearer   KEY'])(
    'Authorization: %s opens the account',
    async (header) => {
      const response = await request(t.app).get('/automations').set('authorization', header.replace('KEY', t.key));
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('www-authenticate');
    },
  );
});

const worst = `?limit=0&after=${UNKNOWN}`;
test.each([
  ['post', `/nope${worst}`, false, 404],
  ['post', `/automations${worst}`, false, 405],
  ['get', `/automations${worst}`, false, 401],
  ['get', '/contacts/imports/%zz', false, 401],
  ['get', `/automations${worst}`, true, 422],
  ['get', `/automations?after=${UNKNOWN}`, true, 404],
] as const)(
  'checks come in order (path, method, key, parameters, existence): %s %s, with a key: %s',
  async (method, target, hasKey, status) => {
    const headers = hasKey ? { authorization: `Bearer ${t.key}` } : {};
    expect((await request(t.app)[method](target).set(headers)).status).toBe(status);
  },
);
