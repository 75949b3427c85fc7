/** Rate limits: of accounts and of failed keys, the same with and without remembered answers. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import { automation } from '../../server/testing/builders.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { undeclared } from '../support/undeclared.ts';

const WRONG = `Bearer rollcall_${'0'.repeat(40)}`;

describe.each([
  ['remembered', 1_000_000],
  ['not remembered', 0],
])('answers are %s', (_, cacheBytes) => {
  const open = (requests: number): Promise<TestApp> =>
    openTestApp({ automations: [automation()] }, {}, undefined, {
      cacheBytes,
      rateLimits: createRateLimits({ requests, seconds: 3600 }), // No test lasts for so long.
    });
  /** @returns status, name of the error, and what is left. */
  const ask = async (
    { app }: TestApp,
    target: string,
    headers: Record<string, string>,
  ): Promise<readonly [number, string | undefined, string | undefined]> => {
    const answer = await request(app).get(target).set(headers);
    const operation = contract.operation('listAutomations');
    const all = new Map(Object.entries(answer.headers as Record<string, string>));
    expect(undeclared(operation, { status: answer.status, headers: all, text: answer.text })).toEqual([]);
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': expect.stringMatching(/^\d+$/) as unknown,
      'ratelimit-reset': expect.stringMatching(/^\d+$/) as unknown,
      'ratelimit-policy': expect.stringMatching(/^\d+;w=3600$/) as unknown,
    });
    if (answer.status === 429) expect(answer.headers['retry-after']).toMatch(/^3(600|59\d)$/);
    else expect(answer.headers).not.toHaveProperty('retry-after');
    return [answer.status, (answer.body as { name?: string }).name, all.get('ratelimit-remaining')];
  };

  test('an account has so many requests, whatever they ask and whichever of its keys', async () => {
    const t = await open(8);
    const authorization = `Bearer ${t.key}`;
    const same = { authorization: `Bearer ${await t.keyOf('main')}` };
    expect(await ask(t, '/automations', { authorization })).toEqual([200, undefined, '7']);
    expect(await ask(t, '/automations', { authorization })).toEqual([200, undefined, '6']);
    expect(await ask(t, '/automations', { authorization })).toEqual([200, undefined, '5']);
    expect(await ask(t, '/automations', { authorization, 'if-none-match': '*' })).toEqual([304, undefined, '4']);
    expect(await ask(t, '/automations?limit=0', { authorization })).toEqual([422, 'validation_error', '3']);
    const unknown = '/automations?after=00000000-0000-4000-8000-000000000000';
    expect(await ask(t, unknown, { authorization })).toEqual([404, 'not_found', '2']);
    expect(await ask(t, '/automations', same)).toEqual([200, undefined, '1']);
    expect(await ask(t, unknown, same)).toEqual([404, 'not_found', '0']);
    // Before the parameters are checked, and for what is remembered too.
    for (const target of ['/automations', '/automations?limit=0', unknown]) {
      expect(await ask(t, target, { authorization })).toEqual([429, 'rate_limit_exceeded', '0']);
    }
    const other = { authorization: `Bearer ${await t.keyOf('other')}` };
    expect(await ask(t, '/automations', other)).toEqual([200, undefined, '7']);
  });

  test('path and method are checked before it, and cost nothing', async () => {
    const t = await open(1);
    const authorization = `Bearer ${t.key}`;
    expect(await ask(t, '/automations', { authorization })).toEqual([200, undefined, '0']);
    expect((await ask(t, '/nope', { authorization })).slice(0, 2)).toEqual([404, 'not_found']);
    expect((await request(t.app).post('/automations').set({ authorization })).status).toBe(405);
  });

  test('an address has so many failed keys, and good ones go on', async () => {
    const t = await open(2);
    expect(await ask(t, '/automations', {})).toEqual([401, 'missing_api_key', '2']);
    expect(await ask(t, '/automations', { authorization: WRONG })).toEqual([401, 'invalid_api_key', '1']);
    expect(await ask(t, '/automations', { authorization: `${WRONG}1` })).toEqual([401, 'invalid_api_key', '0']);
    for (let at = 0; at < 3; at += 1) {
      expect(await ask(t, '/automations', { authorization: WRONG })).toEqual([429, 'rate_limit_exceeded', '0']);
    }
    expect(await ask(t, '/automations', {})).toEqual([401, 'missing_api_key', '0']);
    expect(await ask(t, '/automations', { authorization: `Bearer ${t.key}` })).toEqual([200, undefined, '1']);
  });
});

test('a window ends', async () => {
  const t = await openTestApp({}, {}, undefined, { rateLimits: createRateLimits({ requests: 1, seconds: 1 }) });
  const ask = (): Promise<request.Response> =>
    Promise.resolve(request(t.app).get('/automations').set('authorization', `Bearer ${t.key}`));
  expect((await ask()).status).toBe(200);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-policy': '1;w=1' });
  while ((await ask()).status === 429); // A second at most.
  expect((await ask()).status).toBe(429);
});

test('without a limit nothing is said of one', async () => {
  const { app, key } = await openTestApp();
  const { headers } = await request(app).get('/automations').set('authorization', `Bearer ${key}`);
  expect(Object.keys(headers as object).filter((it) => it.startsWith('ratelimit'))).toEqual([]);
});
