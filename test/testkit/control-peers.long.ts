/** The control API and peers that are strange, slow, gone or greedy: it has a documented response, or drops them, and goes on. */
import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { LIMITS } from '../../server/http/connections.ts';
import { createServerState } from '../../testkit/server-state.ts';
import { automation, contactImport } from '../../testkit/index.ts';
import { afterFile } from '../support/after-test.ts';
import { CONTROL_KEY, CONTROL_OPERATIONS, openControl } from '../support/control.ts';
import type { Controlled } from '../support/control.ts';
import fc from '../support/fast-check.ts';
import { exchange, parseResponse } from '../support/raw.ts';

const shared = await openControl(createServerState(), LIMITS, afterFile);
const isAlive = async ({ send }: Controlled): Promise<void> => {
  expect((await send('GET', '/accounts')).status).toBe(200);
};

describe('whose call it is', () => {
  const CALLS: readonly (readonly [what: string, headers: Record<string, string>, status: number, body: object])[] = [
    ['no key', { authorization: '' }, 401, { name: 'invalid_control_key' }],
    ['another key', { authorization: 'Bearer other' }, 401, { name: 'invalid_control_key' }],
    ['another scheme', { authorization: `Basic ${CONTROL_KEY}` }, 401, { name: 'invalid_control_key' }],
    ['a page, even with the key', { origin: 'http://page.example' }, 403, { name: 'cross_site_request' }],
    ['a page of its own origin', { 'sec-fetch-site': 'same-origin' }, 403, { name: 'cross_site_request' }],
    ['a page that hides its origin', { origin: 'null' }, 403, { name: 'cross_site_request' }],
    [
      'a page without the key',
      { origin: 'http://page.example', authorization: '' },
      403,
      { name: 'cross_site_request' },
    ],
    ['an address that a person has entered', { 'sec-fetch-site': 'none' }, 200, { data: [] }],
  ];
  test('two keys, of which the first is right', async () => {
    const lines = [CONTROL_KEY, 'other'].map((it) => `Authorization: Bearer ${it}`);
    const text = ['GET /accounts HTTP/1.1', 'Host: x', ...lines, 'Connection: close', '', ''].join('\r\n');
    const { status, text: body } = parseResponse(await exchange(shared.url, text));
    expect([status, JSON.parse(body)]).toMatchObject([401, { name: 'invalid_control_key' }]);
  });

  test.each(CALLS)('%s', async (_, headers, status, body) => {
    const response = await shared.send('GET', '/accounts', undefined, headers);
    expect(response).toMatchObject({ status, body });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  });

  test('anyone may read the contract', async () => {
    const yaml = await fetch(`${shared.url}/openapi.yaml`);
    expect([yaml.status, yaml.headers.get('content-type')]).toEqual([200, 'application/yaml']);
    expect(await yaml.text()).toMatch(/^openapi: 3/);
    expect(await (await fetch(`${shared.url}/openapi.json`)).json()).toMatchObject({
      info: { title: 'Rollcall control' },
    });
  });

  test('the type of a body does not matter', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'x']) {
      const sent = await shared.send('POST', '/faults', { fault: { status: 503 } }, { 'content-type': type });
      expect([type, sent.status]).toEqual([type, 204]);
    }
    shared.state.faults.clear();
  });
});

describe('a client is dropped', () => {
  const head = `POST /faults HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${CONTROL_KEY}\r\nContent-Length: 100000\r\n\r\n`;
  const isUnchanged = async (control: Controlled): Promise<void> => {
    expect(control.state.faults.take(undefined)).toBeUndefined();
    await isAlive(control);
  };

  test('that does not end its body', async () => {
    const control = await openControl(createServerState(), {
      ...LIMITS,
      headersMs: 200,
      requestMs: 400,
      checkEveryMs: 50,
    });
    expect(await exchange(control.url, `${head}{"fa`)).toBe('');
    await isUnchanged(control);
  });

  test('that disconnects in the middle of its body', async () => {
    const sent = request(`${shared.url}/faults`, {
      method: 'POST',
      headers: { authorization: `Bearer ${CONTROL_KEY}` },
    });
    const closed = new Promise((resolve) => sent.on('error', () => undefined).on('close', resolve));
    sent.write('{"fault"', () => sent.destroy());
    await closed;
    await isUnchanged(shared);
  });

  test('that closes its half of the connection in the middle of its body', async () => {
    const control = await openControl(createServerState(), { ...LIMITS, requestMs: 600_000 }); // The test does not wait for it.
    const { hostname, port } = new URL(control.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined).end(`${head}{"fault"`);
    expect(await text(socket)).not.toMatch(/ 2\d\d /);
    await isUnchanged(control);
  });

  test('that sends more than 16 MiB', async () => {
    const response = await exchange(shared.url, head.replace('100000', '16777217') + 'x'.repeat(16_777_217));
    const { status, headers } = parseResponse(response);
    expect([status, headers['connection']]).toEqual([413, 'close']);
    await isUnchanged(shared);
  });
});

// Words of the contract, so that many bodies are almost valid.
const id = fc.constantFrom(automation().id, contactImport().id, 'x', '__proto__');
const small = fc.oneof(fc.constantFrom(-1, 0, 1, 2, 401, 429, 500, 503, 1e308, 0.5), fc.boolean(), id, fc.string());
const name = fc.constantFrom('a', 'b', 'nobody', '__proto__', 'constructor', 'x'.repeat(101), 'ä', '%', '.a');
const record = fc.oneof(
  fc.constantFrom(automation(), contactImport({ status: 'queued' })),
  fc.record({ id, name: small }),
);
const records = fc.dictionary(fc.constantFrom('automations', 'contactImports', 'x', '__proto__'), fc.array(record));
const fault = fc.record(
  {
    error: fc.constantFrom('not_found', 'rate_limit_exceeded', 'x'),
    ...{ status: small, retryAfter: small, body: fc.constantFrom('cut', 'slow', 'x'), ms: small },
    ...{ disconnect: small, delayMs: small, operation: fc.constantFrom('listAutomations', 'x') },
  },
  { requiredKeys: [] },
);
const collection = fc.constantFrom('automations', 'contactImports', 'x');
const PARTS = {
  ...{ name, apiKey: small, records: fc.oneof(records, fc.array(record)), collection, ids: fc.array(id), id },
  ...{ end: fc.constantFrom('failed', 'x'), total: small, toEnd: small, fault, times: small, always: small },
  when: fc.record({ operation: fc.constantFrom('listAutomations', 'x'), cursor: id, nth: small }, { requiredKeys: [] }),
  then: fc.array(
    fc.record(
      {
        put: fc.record({ collection, records: fc.array(record) }),
        remove: fc.record({ collection, ids: fc.array(id) }),
        moveImport: fc.record({ id, end: small }, { requiredKeys: ['id'] }),
        ...{ revokeKey: small, fail: fault },
      },
      { requiredKeys: [] },
    ),
  ),
  ...{ at: fc.constantFrom('after', 'x'), version: small, accounts: fc.dictionary(name, records) },
};
const keys = Object.keys(PARTS) as (keyof typeof PARTS)[];
const body = fc.oneof(
  fc.json(),
  fc.string(),
  fc
    .subarray(keys, { maxLength: 3 })
    .chain((some) =>
      fc
        .record(Object.fromEntries(some.map((it) => [it, PARTS[it] as fc.Arbitrary<unknown>])))
        .map((it) => JSON.stringify(it)),
    ),
);
const query = fc.oneof(
  fc.constant(''),
  fc
    .tuple(fc.constantFrom('operation', 'status', 'x'), small)
    .map(([key, value]) => `?${key}=${encodeURIComponent(String(value))}`),
);

test('whatever is sent, the response is a documented one, and never a 500', async () => {
  const control = await openControl();
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...CONTROL_OPERATIONS),
      name,
      query,
      body,
      async (operation, account, asked, sent) => {
        if (!control.state.accounts.has('a')) await control.state.createAccount({ name: 'a' });
        const path = operation.path.replace('{account}', encodeURIComponent(account)) + asked;
        const { status } = await control.send(operation.method, path, operation.method === 'GET' ? undefined : sent);
        expect(status).not.toBe(500);
        statuses.add(status);
      },
    ),
    { numRuns: 1000 },
  );
  await isAlive(control);
  for (const it of [200, 201, 204, 400, 404, 422]) expect(statuses).toContain(it);
});

test('10,000 accounts are the maximum: one more is rejected until one is deleted', async () => {
  const { state, send } = await openControl();
  const names = Array.from({ length: 10_000 }, (_, at) => [`n${String(at)}`, {}] as const);
  await state.restore({ version: 1, accounts: Object.fromEntries(names) });
  const message = 'There are 10000 accounts, which is the maximum. Delete some first.';
  expect(await send('POST', '/accounts', {})).toMatchObject({ status: 409, body: { name: 'conflict', message } });
  expect(await send('DELETE', '/accounts/n1')).toMatchObject({ status: 204 });
  expect(await send('POST', '/accounts', { name: 'again' })).toMatchObject({ status: 201 });
  expect(await send('POST', '/accounts', { name: 'n1' })).toMatchObject({ status: 409, body: { message } });
});
