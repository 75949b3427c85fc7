/** Every response of every operation, errors too, against the contract's own schemas. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import type { Response } from 'supertest';
import { COLLECTIONS } from '../../server/contract/collections.ts';
import type { Parts } from '../../server/http/pipeline.ts';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import { StoreUnavailable } from '../../server/store/store.ts';
import type { Store } from '../../server/store/store.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { Records, TestApp } from '../support/app.ts';
import { build } from '../../server/testing/builders.ts';
import { document, expectDeclared } from '../support/declared.ts';

const UUID = 'c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73';
const operations = contract.operations.map(({ id, route }) => [id, route.replace(':id', UUID)] as const);

interface Responded {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}
const ORIGIN = 'https://app.example';
const ask = async ({ app, key }: TestApp, path: string, headers: Record<string, string> = {}): Promise<Response> =>
  request(app)
    .get(path)
    .set({ authorization: `Bearer ${key}`, origin: ORIGIN, ...headers });
const asked = async (...of: Parameters<typeof ask>): Promise<Responded> => ask(...of);
const full = (settings: Partial<Parts> = {}): Promise<TestApp> => {
  const records = COLLECTIONS.map((it) => [it, [build[it](), build[it](), build[it]({ id: UUID })]]);
  return openTestApp(Object.fromEntries(records) as Records, {}, undefined, settings);
};
const failing = (error: unknown): Partial<Store> => {
  const fail = (): never => {
    throw error;
  };
  return { list: fail, get: fail };
};

/** How each declared status is brought about. A status without an entry fails the test below. */
const provoke: Record<string, (path: string, settings: Partial<Parts>) => Promise<Response>> = {
  200: async (path, settings) => ask(await full(settings), path),
  304: async (path, settings) => ask(await full(settings), path, { 'if-none-match': '*' }),
  401: async (path, settings) => ask({ ...(await full(settings)), key: 'nonsense' }, path),
  404: async (path, settings) =>
    ask(await openTestApp({}, {}, undefined, settings), path.endsWith(UUID) ? path : `${path}?after=${UUID}`),
  405: async (path, settings) =>
    request((await full(settings)).app)
      .post(path)
      .set('origin', ORIGIN),
  422: async (path, settings) => ask(await full(settings), `${path}?nonsense=1`),
  429: async (path, settings) => {
    const t = await full({ ...settings, rateLimits: createRateLimits({ requests: 1, seconds: 3600 }) });
    await ask(t, path);
    return ask(t, path);
  },
  500: async (path, settings) =>
    ask(await openTestApp({}, failing(new Error('SELECT secret FROM nowhere')), undefined, settings), path),
  503: async (path, settings) =>
    ask(await openTestApp({}, failing(new StoreUnavailable('busy')), undefined, settings), path),
};
describe.each(operations)('%s', (id, path) => {
  const declared = Object.values(document.paths).find(({ get }) => get.operationId === id)?.get.responses ?? {};

  const responseOf = async (status: string, settings: Partial<Parts>): Promise<Response> => {
    const response = await provoke[status]?.(path, settings);
    if (response === undefined) throw new Error(`No way is known to bring about a ${status}.`);
    expect(response.status).toBe(Number(status));
    return response;
  };

  test.each(Object.keys(declared).filter((it) => it !== '429'))('%s', async (status) => {
    expectDeclared(id, await responseOf(status, {}));
  });

  test.each(Object.keys(declared))('%s with a rate limit and cross-origin use: no other header', async (status) => {
    const rateLimits = createRateLimits({ requests: 100, seconds: 3600 });
    expectDeclared(id, await responseOf(status, { rateLimits, corsOrigins: [ORIGIN] }), true);
    expectDeclared(id, await responseOf(status, { rateLimits, corsOrigins: ['*'] }), true);
  });
});

describe('faults of the server', () => {
  test('a 500 says nothing of its cause, and reports it under the id of the request', async () => {
    const error = new Error('SELECT secret FROM nowhere');
    const t = await openTestApp({}, failing(error));
    const { body, status } = await asked(t, '/automations', { 'x-request-id': 'r-1' });
    expect(status).toBe(500);
    expect(body).toEqual({
      statusCode: 500,
      name: 'application_error',
      message: 'The server failed to answer. The fault is ours.',
    });
    expect(t.reported).toEqual([{ error, requestId: 'r-1' }]);
  });

  test('a 503 says when to come back, also where the key cannot be read', async () => {
    const error = new StoreUnavailable('busy');
    const t = await openTestApp({}, { authenticate: () => Promise.reject(error) });
    const { body, status, headers } = await asked(t, '/automations');
    expect({ status, body }).toMatchObject({ status: 503, body: { statusCode: 503, name: 'service_unavailable' } });
    expect(headers['retry-after']).toBe('1');
    expect(t.reported).toMatchObject([{ error }]);
  });

  test('what a caller did is not reported', async () => {
    const t = await openTestApp();
    await ask(t, '/nope');
    await ask(t, '/automations?limit=0');
    expect(t.reported).toEqual([]);
  });

  test('a store that returns promises is served the same', async () => {
    const t = await full();
    const slow = await openTestApp(
      {},
      {
        list: (...of) => Promise.resolve(t.store.list(...of)),
        authenticate: (hash) => Promise.resolve(t.store.authenticate(hash)),
      },
    );
    expect((await ask({ ...slow, key: t.key }, '/automations')).body).toEqual((await ask(t, '/automations')).body);
  });
});
