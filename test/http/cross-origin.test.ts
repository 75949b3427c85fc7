/** Cross-origin use (CORS): off unless origins are given, and then for exactly those. */
import { describe, expect, test } from '@jest/globals';
import request from 'supertest';
import { ProblemError } from '../../contract/problems.ts';
import type { Parts } from '../../server/http/pipeline.ts';
import { LIMITS } from '../../server/http/connections.ts';
import { createRateLimits } from '../../server/http/rate-limits.ts';
import { StoreUnavailable } from '../../server/store/store.ts';
import type { Store } from '../../server/store/store.ts';
import { openTestApp } from '../support/app.ts';
import { exchange, parseResponse } from '../support/raw.ts';
import { get } from '../support/requests.ts';
import { serve } from '../support/served.ts';

const MINE = 'https://app.example';
const ALSO_MINE = 'http://localhost:5173';
const OTHERS = ['https://evil.example', 'https://app.example.evil', 'http://app.example', `${MINE}/`, 'null', ''];
const PREFLIGHT = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' };
const EXPOSED =
  'ETag, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy';

const OF_PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type, If-None-Match, X-Request-Id',
  'access-control-max-age': '600',
};

/** @returns the headers of a response that are about origins. */
const about = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-') || name === 'vary'));

test('exactly the origins of the list may read a page, cached or not, and send a preflight', async () => {
  const t = await openTestApp({}, {}, undefined, { corsOrigins: [MINE, ALSO_MINE] });
  for (const origin of [MINE, ALSO_MINE, ...OTHERS]) {
    const isMine = [MINE, ALSO_MINE].includes(origin);
    const read = isMine ? { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED } : {};
    for (let at = 0; at < 4; at += 1) {
      const response = await get(t, '/automations', { origin });
      expect(response.status).toBe(200);
      expect(about(response.headers)).toEqual({ ...read, vary: 'Authorization, Origin' });
    }
    // To those also of a path that leads nowhere.
    for (const path of ['/automations', '/contacts/imports/x', ...(isMine ? ['/nope'] : [])]) {
      const preflight = await request(t.app)
        .options(path)
        .set({ origin, ...PREFLIGHT });
      expect([preflight.status, preflight.text]).toEqual([204, '']);
      expect(preflight.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      const allowed = isMine ? { 'access-control-allow-origin': origin, ...OF_PREFLIGHT } : {};
      expect(about(preflight.headers)).toEqual({ ...allowed, vary: 'Origin' });
    }
  }
});

const PREFLIGHT_OF_LIST = {
  line: 'OPTIONS /automations HTTP/1.1',
  headers: ['Access-Control-Request-Method: GET'],
  isPreflight: true,
} as const;
const OF_WRONG_KEY = ['Authorization: Bearer x'];
const NO_REQUESTS = { rateLimits: createRateLimits({ requests: 0, seconds: 3600 }) };
const BUSY = { limits: { ...LIMITS, requestsInFlight: 0 } };
const asBrowser = { line: 'GET / HTTP/1.1', headers: ['Accept: text/html'] };

/** What comes with a response, and what it takes to get that. */
interface Kind {
  readonly status: number;
  /** The first line of the request, unless it is that of a page of automations. */
  readonly line?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  /** Whether the server has read the headers of the request when it responds. */
  readonly isUnread?: true;
  readonly isPreflight?: true;
  readonly settings?: Partial<Parts>;
  readonly overrides?: Partial<Store>;
}

const failing = (error: Error): Partial<Store> => ({
  list: () => {
    throw error;
  },
});
/** Every kind of response that a server makes; where one is new, it belongs here. */
const KINDS: Readonly<Record<string, Kind>> = {
  'a page': { status: 200 },
  'a page that is not cached': { status: 200, settings: { cacheBytes: 0 } },
  'a page without its body': { status: 200, line: 'HEAD /automations HTTP/1.1' },
  'what has not changed': { status: 304, headers: ['If-None-Match: *'] },
  'the methods of a path': { status: 204, line: 'OPTIONS /automations HTTP/1.1' },
  'a preflight': { status: 204, ...PREFLIGHT_OF_LIST },
  'a missing key': { status: 401, headers: ['Authorization: Basic x'] },
  'a wrong key': { status: 401, headers: OF_WRONG_KEY },
  'a path that leads nowhere': { status: 404, line: 'GET /nope HTTP/1.1' },
  'an unknown cursor': {
    status: 404,
    line: 'GET /automations?after=00000000-0000-4000-8000-000000000000 HTTP/1.1',
  },
  'a method of a path that it does not have': { status: 405, line: 'POST /automations HTTP/1.1' },
  CONNECT: { status: 405, line: 'CONNECT x:1 HTTP/1.1' },
  'a method that nobody has': { status: 405, line: 'FETCH /automations HTTP/1.1', isUnread: true },
  'a parameter that is not allowed': { status: 422, line: 'GET /automations?limit=0 HTTP/1.1' },
  'too many headers': { status: 422, headers: Array.from({ length: 101 }, (_, at) => `X-${String(at)}: x`) },
  'two Host headers': { status: 422, headers: ['Host: x'] },
  'HTTP/0.9': { status: 422, line: 'GET /automations HTTP/0.9' },
  'headers that are too long': { status: 422, headers: [`X: ${'x'.repeat(20_000)}`], isUnread: true },
  'a header that is none': { status: 422, headers: ['A B: c'], isUnread: true },
  'a TLS hello': { status: 422, line: '\x16\x03\x01', isUnread: true },
  'a body that is malformed': { status: 200, headers: ['Transfer-Encoding: chunked'], body: 'zz\r\n' },
  'too many requests of an account': { status: 429, settings: NO_REQUESTS },
  'too many failed keys of an address': { status: 429, headers: OF_WRONG_KEY, settings: NO_REQUESTS },
  'a fault of the server': { status: 500, overrides: failing(new Error('broken')) },
  'a store that is out of reach': { status: 503, overrides: failing(new StoreUnavailable('busy')) },
  'a fault of a test kit': {
    status: 503,
    settings: {
      intercept: () => {
        throw new ProblemError('service_unavailable', 'As was asked for.', { retryAfter: 1 });
      },
    },
  },
  'too many requests in flight': { status: 503, settings: BUSY },
  'a preflight among too many requests': { status: 503, ...PREFLIGHT_OF_LIST, settings: BUSY },
  'too many connections': { status: 503, settings: { limits: { ...LIMITS, connections: 0 } } },
  'the console': { status: 200, ...asBrowser },
  'the way to the reference': { status: 302, ...asBrowser, settings: { pages: { console: false, reference: true } } },
  'the reference': { status: 200, line: 'GET /docs HTTP/1.1' },
  'a page that has not changed': { status: 304, line: 'GET /docs HTTP/1.1', headers: ['If-None-Match: *'] },
  'a method that a page does not have': { status: 405, line: 'POST /docs HTTP/1.1' },
  'a file of a page': { status: 200, line: 'GET /assets/console.js HTTP/1.1' },
  'the contract': { status: 200, line: 'GET /openapi.yaml HTTP/1.1' },
};

interface Named {
  readonly its: Readonly<Record<string, string>>;
  /** How often `Vary` names the origin. */
  readonly varies: number;
}

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  const { status, line = 'GET /automations HTTP/1.1', headers = [], body = '', settings = {}, overrides = {} } = kind;
  const { isUnread = false, isPreflight = false } = kind;

  /** @returns the headers of such responses that are about origins, for a request of each origin. */
  const ask = async (corsOrigins: readonly string[], ...origins: (string | undefined)[]): Promise<Named[]> => {
    const { url, key } = await serve({ overrides, corsOrigins, ...settings });
    const own = headers.some((it) => it.startsWith('Authorization')) ? [] : [`Authorization: Bearer ${key}`];
    const all: Named[] = [];
    for (const origin of origins) {
      const of = origin === undefined ? [] : [`Origin: ${origin}`];
      const lines = [line, 'Host: x', 'Connection: close', ...of, ...own, ...headers];
      const text = await exchange(url, `${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
      expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual([`HTTP/1.1 ${String(status)}`]);
      const { vary = '', ...its } = about(parseResponse(text).headers);
      all.push({ its, varies: vary.split(', ').filter((it) => it === 'Origin').length });
    }
    return all;
  };
  const forAny = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
  const read = isPreflight ? OF_PREFLIGHT : { 'access-control-expose-headers': EXPOSED };

  test('is for those origins that may read it', async () => {
    const its = { 'access-control-allow-origin': '*', ...read };
    // Caches need not tell origins apart, and a request may have none.
    const expected = [its, its, forAny].map((it) => ({ its: it, varies: 0 }));
    expect(await ask(['*'], MINE, 'null', undefined)).toEqual(expected);

    const mine = isUnread ? {} : { 'access-control-allow-origin': MINE, ...read };
    const all = await ask([ALSO_MINE, MINE], MINE, 'https://evil.example', undefined);
    expect(all.map((it) => it.its)).toEqual([mine, {}, {}]);
    if (!isUnread) expect(all.map((it) => it.varies)).toEqual([1, 1, 1]);

    expect(await ask([], MINE)).toEqual([{ its: {}, varies: 0 }]);
  });
});
