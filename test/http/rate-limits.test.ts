/** Rate limits: of accounts and of failed keys, the same with and without cached responses. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import request from 'supertest';
import type { Account } from '../../contract/types.ts';
import { LIMITS } from '../../server/http/connections.ts';
import type { Exchange } from '../../server/http/exchange.ts';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import type { RateLimits } from '../../server/http/rate-limits.ts';
import { keyHash, newKey } from '../../server/store/keys.ts';
import { automation } from '../../testkit/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { get } from '../support/requests.ts';
import { undeclared } from '../support/undeclared.ts';

const WRONG = `rollcall_${'0'.repeat(40)}`;

type Asked = readonly [status: number, name: string | undefined, left: number];
/** @returns status, name of the error, and what is left, of a response with all headers that it must have. */
async function ask(
  { app }: TestApp,
  key: string | undefined,
  { target = '/automations', match = '', head = false } = {},
): Promise<Asked> {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const condition = match === '' ? {} : { 'if-none-match': match };
  const response = await request(app)
    [head ? 'head' : 'get'](target)
    .set({ ...authorization, ...condition });
  const headers = new Map(Object.entries(response.headers as Record<string, string>));
  const { status, text } = response;
  if (!head) expect(undeclared(contract.operation('listAutomations'), { status, headers, text })).toEqual([]);
  for (const it of ['limit', 'reset']) expect(headers.get(`ratelimit-${it}`)).toMatch(/^\d+$/);
  expect(headers.get('ratelimit-policy')).toMatch(/^\d+;w=3600$/);
  expect(headers.get('retry-after') ?? '').toMatch(status === 429 ? /^3(600|[0-5]\d\d)$/ : /^$/);
  return [status, (response.body as { name?: string }).name, Number(headers.get('ratelimit-remaining'))];
}

describe.each([
  ['cached', 1_000_000],
  ['not cached', 0],
])('responses are %s', (_, cacheBytes) => {
  const open = (requests: number): Promise<TestApp> =>
    openTestApp({ automations: [automation()] }, {}, undefined, {
      cacheBytes,
      rateLimits: createRateLimits({ requests, seconds: 3600 }), // No test lasts for so long.
    });

  test('an account has so many requests, whatever they ask and whichever of its keys', async () => {
    const t = await open(8);
    const same = await t.keyOf('main');
    const unknown = { target: '/automations?after=00000000-0000-4000-8000-000000000000' };
    const invalid = { target: '/automations?limit=0' };
    for (const left of [7, 6, 5]) expect(await ask(t, t.key)).toEqual([200, undefined, left]);
    expect(await ask(t, t.key, { match: '*' })).toEqual([304, undefined, 4]);
    expect(await ask(t, t.key, invalid)).toEqual([422, 'validation_error', 3]);
    expect(await ask(t, t.key, unknown)).toEqual([404, 'not_found', 2]);
    expect(await ask(t, same)).toEqual([200, undefined, 1]);
    expect(await ask(t, same, unknown)).toEqual([404, 'not_found', 0]);
    // Before the parameters are checked, and for cached responses too.
    for (const it of [{}, invalid, unknown]) expect(await ask(t, t.key, it)).toEqual([429, 'rate_limit_exceeded', 0]);
    expect(await ask(t, await t.keyOf('other'))).toEqual([200, undefined, 7]);
  });

  test('path and method are checked before it, and cost nothing', async () => {
    const t = await open(1);
    expect(await ask(t, t.key)).toEqual([200, undefined, 0]);
    expect((await ask(t, t.key, { target: '/nope' })).slice(0, 2)).toEqual([404, 'not_found']);
    const authorization = `Bearer ${t.key}`;
    expect((await request(t.app).post('/automations').set({ authorization })).status).toBe(405);
  });

  test('an address has so many failed keys, and good ones go on', async () => {
    const t = await open(2);
    expect(await ask(t, undefined)).toEqual([401, 'missing_api_key', 2]);
    expect(await ask(t, WRONG)).toEqual([401, 'invalid_api_key', 1]);
    expect(await ask(t, `${WRONG}1`)).toEqual([401, 'invalid_api_key', 0]);
    for (let at = 0; at < 3; at += 1) expect(await ask(t, WRONG)).toEqual([429, 'rate_limit_exceeded', 0]);
    expect(await ask(t, undefined)).toEqual([401, 'missing_api_key', 0]);
    expect(await ask(t, t.key)).toEqual([200, undefined, 1]);
  });
});

describe.each([
  ['cached', 1_000_000],
  ['not cached', 0],
])('a key that is live no more, where responses are %s', (_, cacheBytes) => {
  const LIMIT = 9;
  const WINDOW_S = 3600;
  const NOW = Date.parse('2030-06-01T12:00:00.000Z');
  const EXPIRES = NOW + 1000;
  const setClock = (now: number): unknown => jest.spyOn(Date, 'now').mockReturnValue(now);
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Two keys of an account, of which the first has been asked with before, and is to die. */
  const open = async (): Promise<TestApp & { dying: string; living: string }> => {
    setClock(NOW);
    const rateLimits = createRateLimits({ requests: LIMIT, seconds: WINDOW_S });
    const t = await openTestApp({ automations: [automation()] }, {}, undefined, { cacheBytes, rateLimits });
    const dying = newKey();
    const [createdAt, expiresAt] = [new Date(0).toISOString(), new Date(EXPIRES).toISOString()];
    await t.writer.createKey({ id: 'dying', account: 'main', label: '', createdAt, expiresAt }, keyHash(dying));
    for (const left of [8, 7, 6]) expect(await ask(t, dying)).toEqual([200, undefined, left]);
    return { ...t, dying, living: t.key };
  };
  const ENDS: Readonly<Record<string, (t: TestApp) => unknown>> = {
    'it is revoked': ({ writer }) => writer.revokeKey('dying', new Date(NOW).toISOString()),
    'it expires': () => setClock(EXPIRES),
  };

  test.each(Object.entries(ENDS))('%s: it costs its account nothing, and its address all', async (_end, end) => {
    const t = await open();
    await end(t);
    expect(await ask(t, t.dying)).toEqual([401, 'invalid_api_key', 8]);
    expect(await ask(t, t.living)).toEqual([200, undefined, 5]);
    // In each of the ways in which a request can be special.
    expect(await ask(t, t.dying, { target: '/automations?limit=7' })).toEqual([401, 'invalid_api_key', 7]);
    expect(await ask(t, t.dying, { target: '/automations?limit=0' })).toEqual([401, 'invalid_api_key', 6]);
    expect(await ask(t, t.dying, { head: true })).toEqual([401, undefined, 5]);
    const unknown = { target: '/automations?after=00000000-0000-4000-8000-000000000000' };
    expect(await ask(t, t.dying, unknown)).toEqual([401, 'invalid_api_key', 4]);
    for (const left of [3, 2, 1, 0]) expect(await ask(t, t.dying)).toEqual([401, 'invalid_api_key', left]);
    for (let at = 0; at < 3; at += 1) expect(await ask(t, t.dying)).toEqual([429, 'rate_limit_exceeded', 0]);
    expect(await ask(t, t.living)).toEqual([200, undefined, 4]);
    expect(await ask(t, t.living, unknown)).toEqual([404, 'not_found', 3]);
  });

  // The store may have verified the key at its previous request only.
  test.each([
    { target: '/automations?limit=0' },
    { target: '/automations?after=00000000-0000-4000-8000-000000000000' },
    { head: true },
    { match: '*' },
  ])('%j is the first request after its end', async (special) => {
    const t = await open();
    expect(await ask(t, t.living, { match: '*' })).toEqual([304, undefined, 5]);
    await t.writer.revokeKey('dying', new Date(NOW).toISOString());
    expect(await ask(t, t.dying, special)).toEqual([401, special.head ? undefined : 'invalid_api_key', 8]);
    expect(await ask(t, t.living)).toEqual([200, undefined, 4]);
  });

  test('its account is removed: it costs nothing of another of the same name', async () => {
    const t = await open();
    await t.writer.removeAccount('main');
    expect(await ask(t, t.dying)).toEqual([401, 'invalid_api_key', 8]);
    expect(await ask(t, t.living)).toEqual([401, 'invalid_api_key', 7]);
    await t.put({ automations: [automation()] });
    const fresh = await t.keyOf('main');
    const [status, , left] = await ask(t, fresh);
    expect(status).toBe(200);
    expect(await ask(t, t.dying)).toEqual([401, 'invalid_api_key', 6]);
    expect(await ask(t, fresh)).toEqual([200, undefined, left - 1]);
  });

  test('its account has no request left: it gets either error, and cannot hold the account there', async () => {
    const t = await open();
    for (let left = 5; left >= 0; left -= 1) expect((await ask(t, t.living))[2]).toBe(left);
    await t.writer.revokeKey('dying', new Date(NOW).toISOString());
    expect([401, 429]).toContain((await ask(t, t.dying))[0]);
    expect(await ask(t, t.living)).toEqual([429, 'rate_limit_exceeded', 0]);
    setClock(NOW + 1000 * WINDOW_S);
    expect(await ask(t, t.dying)).toEqual([401, 'invalid_api_key', 8]);
    expect(await ask(t, t.living)).toEqual([200, undefined, 8]);
  });

  test('many at once, of which none is counted for the account', async () => {
    const t = await open();
    await t.writer.revokeKey('dying', new Date(NOW).toISOString());
    const all = await Promise.all(Array.from({ length: 5 }, () => ask(t, t.dying)));
    expect(all.map(([status]) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(await ask(t, t.living)).toEqual([200, undefined, 5]);
    expect(await ask(t, t.dying)).toEqual([401, 'invalid_api_key', 3]);
  });
});

describe('a window', () => {
  const NOW = Date.parse('2030-06-01T12:00:00.000Z');
  const setClock = (ms: number): unknown => jest.spyOn(Date, 'now').mockReturnValue(NOW + ms);
  const limitsOf = (requests: number): RateLimits => createRateLimits({ requests, seconds: 3600 });
  beforeEach(() => {
    setClock(0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('ends in seconds that are rounded up', async () => {
    const t = await openTestApp({}, {}, undefined, { rateLimits: limitsOf(1) });
    await get(t, '/automations');
    const ends = [
      [0, '3600'],
      [1, '3600'],
      [1000, '3599'],
      [3_598_999, '2'],
      [3_599_999, '1'],
    ] as const;
    for (const [ms, seconds] of ends) {
      setClock(ms);
      const { headers } = await get(t, '/automations');
      expect([ms, headers]).toMatchObject([ms, { 'ratelimit-reset': seconds, 'retry-after': seconds }]);
    }
  });

  test('never ends later than its length from now, although the clock was set back', async () => {
    const t = await openTestApp({}, {}, undefined, { rateLimits: limitsOf(1) });
    await get(t, '/automations');
    expect(await ask(t, WRONG)).toEqual([401, 'invalid_api_key', 0]);
    setClock(-86_400_000);
    const exceeded = { 'ratelimit-reset': '3600', 'retry-after': '3600' };
    expect((await get(t, '/automations')).headers).toMatchObject(exceeded);
    expect((await get({ ...t, key: WRONG }, '/automations')).headers).toMatchObject(exceeded);
    expect((await get(t, '/nope')).headers).toMatchObject({ 'ratelimit-reset': '3600' });
  });

  test('gets back the points that were taken from it, and none of an earlier window', async () => {
    const account = 1 as Account; // Of no store.
    for (const ms of [3_599_999, 3_600_000]) {
      setClock(0);
      const limits = limitsOf(9);
      const exchange = { req: { socket: { remoteAddress: '127.0.0.1' } } } as unknown as Exchange; // All that is read of it.
      await limits.spend(exchange, account);
      setClock(ms);
      await limits.spendFailure(exchange);
      await limits.spend(exchange, account);
      expect([ms, exchange.rateHeaders]).toEqual([ms, expect.arrayContaining(['RateLimit-Remaining', '8'])]);
    }
  });

  test('that has ended is not shown by errors before any key', async () => {
    const t = await openTestApp({}, {}, undefined, { rateLimits: limitsOf(2) });
    expect(await ask(t, WRONG)).toEqual([401, 'invalid_api_key', 1]);
    setClock(3_599_999);
    expect(await ask(t, undefined)).toEqual([401, 'missing_api_key', 1]);
    setClock(3_600_000);
    expect(await ask(t, undefined)).toEqual([401, 'missing_api_key', 2]);
  });
});

test('errors before any key show what is left of the address, and count nothing', async () => {
  const rateLimits = createRateLimits({ requests: 5, seconds: 3600 });
  const busy = await openTestApp({}, {}, undefined, { rateLimits, limits: { ...LIMITS, requestsInFlight: 0 } });
  const { app } = await openTestApp({}, {}, undefined, { rateLimits });
  const responses = [
    await request(busy.app).get('/automations'),
    await request(app).post('/automations'),
    await request(app).options('/automations'),
    await request(app).get('/automations'),
    await request(app).get('/nope'),
  ];
  expect(responses.map((it) => it.status)).toEqual([503, 405, 204, 401, 404]);
  const left = responses.map((it) => (it.headers as Record<string, unknown>)['ratelimit-remaining']);
  expect(left).toEqual(['5', '5', '5', '5', '5']);
});
