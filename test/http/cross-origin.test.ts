/** Cross-origin use (CORS): off unless origins are given, and then for exactly those. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { automation } from '../../server/testing/builders.ts';
import { openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';

const MINE = 'https://app.example';
const ALSO_MINE = 'http://localhost:5173';
const open = (corsOrigins: readonly string[]): Promise<TestApp> =>
  openTestApp({ automations: [automation()] }, {}, undefined, { corsOrigins });
const PREFLIGHT = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };

/** @returns the headers of an answer that are about origins. */
const about = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'));

test('without origins nothing is said of them', async () => {
  const { app, key } = await open([]);
  const authorization = `Bearer ${key}`;
  const answer = await request(app).get('/automations').set({ authorization, origin: MINE });
  expect(about(answer.headers)).toEqual({ vary: 'Authorization' });
  const preflight = await request(app)
    .options('/automations')
    .set({ origin: MINE, ...PREFLIGHT });
  expect(preflight.status).toBe(204);
  expect(about(preflight.headers)).toEqual({});
});

describe('with origins', () => {
  const EXPOSED =
    'ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy';

  test.each([MINE, ALSO_MINE])('%s may read every answer: fresh, remembered, unchanged, refused', async (origin) => {
    const { app, key } = await open([MINE, ALSO_MINE]);
    const authorization = `Bearer ${key}`;
    const expected = {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': EXPOSED,
      vary: 'Authorization, Origin',
    };
    let etag = '';
    for (let at = 0; at < 4; at += 1) {
      const answer = await request(app).get('/automations').set({ authorization, origin });
      expect(answer.status).toBe(200);
      expect(about(answer.headers)).toEqual(expected);
      etag = answer.headers['etag'] ?? '';
    }
    const unchanged = await request(app).get('/automations').set({ authorization, origin, 'if-none-match': etag });
    expect(unchanged.status).toBe(304);
    expect(about(unchanged.headers)).toEqual(expected);
    for (const [target, headers, status] of [
      ['/automations', {}, 401],
      ['/nope', { authorization }, 404],
      ['/automations?limit=0', { authorization }, 422],
    ] as const) {
      const refused = await request(app)
        .get(target)
        .set({ origin, ...headers });
      expect(refused.status).toBe(status);
      expect(about(refused.headers)).toEqual(expected);
    }
    const other = await request(app).post('/automations').set({ origin });
    expect(other.status).toBe(405);
    expect(about(other.headers)).toEqual(expected);
  });

  test.each(['/automations', '/contacts/imports/x', '/nope'])('a preflight of %s is answered', async (path) => {
    const { app } = await open([MINE]);
    const answer = await request(app)
      .options(path)
      .set({ origin: MINE, ...PREFLIGHT });
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(about(answer.headers)).toEqual({
      'access-control-allow-origin': MINE,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-Request-Id',
      'access-control-max-age': '600',
      vary: 'Origin',
    });
  });

  test.each(['https://evil.example', 'https://app.example.evil', 'http://app.example', `${MINE}/`, 'null', ''])(
    '%j may not',
    async (origin) => {
      const { app, key } = await open([MINE]);
      const answer = await request(app)
        .get('/automations')
        .set({ authorization: `Bearer ${key}`, origin });
      expect(answer.status).toBe(200);
      expect(about(answer.headers)).toEqual({ vary: 'Authorization, Origin' });
      const preflight = await request(app)
        .options('/automations')
        .set({ origin, ...PREFLIGHT });
      expect(about(preflight.headers)).toEqual({ vary: 'Origin' });
    },
  );
});

test('with * every origin may, and caches need not tell them apart', async () => {
  const { app, key } = await open(['*']);
  const answer = await request(app)
    .get('/automations')
    .set({ authorization: `Bearer ${key}`, origin: 'https://any.example' });
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers['vary']).toBe('Authorization');
});
