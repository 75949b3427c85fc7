/** The session of a run: its pace, its bounds, what is requested again, and how it ends where the server is gone. */
import { describe, expect, jest, test } from '@jest/globals';
import { quote, say } from '../../../audit/rules/text.ts';
import { openSession } from '../../../audit/session/session.ts';
import type { Bounds, Received, Session } from '../../../audit/session/session.ts';
import { afterTest } from '../../support/after-test.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { said } from '../../support/text.ts';
import { serve } from '../conform/bad-servers.ts';

const NOW = Date.UTC(2026, 3, 16, 12, 0, 0);
const BOUNDS: Bounds = { requests: 100, requestMs: 10_000, runMs: 600_000, waitMs: 120_000 };

interface Asking {
  readonly session: Session;
  readonly get: (path: string, account?: string) => Promise<Received>;
  /** How long the session has waited, each time. */
  readonly pauses: readonly number[];
  readonly advance: (ms: number) => void;
  /** The requests that have come. */
  readonly requests: readonly string[];
}
/** `undefined` closes the connection without a response. */
type Answers = (count: number) => readonly [status: number, headers?: Readonly<Record<string, string>>] | undefined;

/** @returns a session with a server that answers the first, the second request and so on. */
async function sessionWith(answers: Answers, bounds: Partial<Bounds> = {}): Promise<Asking> {
  const requests: string[] = [];
  const url = await serve((req, res) => {
    requests.push(req.url ?? '');
    const answer = answers(requests.length);
    if (answer === undefined) res.destroy();
    else res.writeHead(...answer).end('{}');
  });
  const { clock, pauses, advance } = fakeClock();
  const session = openSession(url, { ...BOUNDS, ...bounds }, { clock });
  afterTest(session.close);
  const get: Asking['get'] = (path, account = 'own') =>
    session.send({ method: 'GET', path, headers: {}, line: say`GET ${quote(path)}`, account }, (response) => response);
  return { session, get, pauses, advance, requests };
}

/** @returns the name of the error of a request, and what it says. */
const errorOf = (sent: Promise<unknown>): Promise<readonly string[]> =>
  sent.then(
    () => [],
    (error: unknown) => [(error as Error).name, said(error)],
  );

describe('the pace:', () => {
  test('five a second: each request but the first waits, as long as the time of the one before lasts', async () => {
    const { get, pauses, advance } = await sessionWith(() => [200], { perSecond: 5 });
    for (let count = 0; count < 3; count += 1) await get('/a');
    advance(150);
    await get('/a');
    advance(1000);
    await get('/a');
    expect(pauses).toEqual([200, 200, 50]);
  });

  const reset = (value: string): Readonly<Record<string, string>> => {
    return { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': value };
  };
  test.each<[string, Readonly<Record<string, string>>, readonly number[]]>([
    ['RateLimit-Remaining: 0', { 'ratelimit-remaining': '0', 'ratelimit-reset': '7' }, [7000]],
    ['X-RateLimit-Remaining: 0', { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '7' }, [7000]],
    ['an instant in seconds', reset(String(NOW / 1000 + 9)), [9000]],
    ['an instant in fractions of a second', reset(String(NOW / 1000 + 8.5)), [8500]],
    ['an instant in milliseconds', reset(String(NOW + 9000)), [9000]],
    ['an instant in milliseconds that is over', reset(String(NOW - 9000)), []],
    ['a date', reset('Thu, 16 Apr 2026 12:00:09 GMT'), [9000]],
    ['no form of a time', reset('soon'), []],
    ['requests are left', { 'ratelimit-remaining': '1', 'ratelimit-reset': '7' }, []],
    ['the window ends now', { 'ratelimit-remaining': '0', 'ratelimit-reset': '0' }, []],
    ['no time', { 'ratelimit-remaining': '0' }, []],
    ['no header', {}, []],
  ])('%s', async (_, headers, expected) => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
    afterTest(() => {
      jest.restoreAllMocks();
    });
    const { get, pauses } = await sessionWith((count) => (count === 1 ? [200, headers] : [200]));
    await get('/a');
    await get('/b');
    await get('/c');
    expect(pauses).toEqual(expected);
  });

  const limit = (seconds: number) => ({ 'ratelimit-remaining': '0', 'ratelimit-reset': String(seconds) });
  test('the limit of an account is not that of another one', async () => {
    const { get, pauses, requests } = await sessionWith((count) => (count === 1 ? [200, limit(30)] : [200]));
    await get('/a');
    await get('/b', 'other');
    await get('/c', '');
    expect([requests.length, pauses]).toEqual([3, []]);
  });

  const TOO_LONG = 'The server asks to wait too long: ';
  const notWithin = (seconds: number): string => `The run did not end within ${String(seconds)} s (--timeout): `;

  test.each<[number, Partial<Bounds>, string]>([
    [121, {}, TOO_LONG],
    [60, { runMs: 60_000 }, notWithin(60)],
    [600, { waitMs: undefined }, notWithin(600)],
  ])('a window that ends in %i s ends the run with bounds of %j', async (seconds, bounds, why) => {
    const { get, pauses, requests } = await sessionWith(() => [200, limit(seconds)], bounds);
    await get('/a');
    expect(await errorOf(get('/b'))).toEqual([
      'Untestable',
      `${why}its rate limit allows no requests for ${String(seconds)} s.`,
    ]);
    expect([requests, pauses]).toEqual([['/a'], []]);
  });

  test.each<[string, Answers, readonly number[]]>([
    ['429 with Retry-After', (count) => (count < 3 ? [429, { 'retry-after': '3' }] : [200]), [3000, 3000]],
    ['429 without Retry-After', (count) => (count < 3 ? [429] : [200]), [1000, 1000]],
    [
      '429 and no request left',
      (count) => (count < 2 ? [429, { 'retry-after': '3', ...limit(5) }] : [200]),
      [3000, 2000],
    ],
    ['503', (count) => (count < 4 ? [503, { 'retry-after': '2' }] : [200]), [2000, 2000, 2000]],
  ])('%s is repeated', async (_, answers, expected) => {
    const { get, pauses, requests } = await sessionWith(answers);
    expect((await get('/a')).status).toBe(200);
    expect(pauses).toEqual(expected);
    expect(new Set(requests)).toEqual(new Set(['/a']));
  });

  test('every response is seen, also those after which the request is repeated', async () => {
    const { session } = await sessionWith((count) => (count < 3 ? [429] : [200]));
    const seen: number[] = [];
    await session.send({ method: 'GET', path: '/', headers: {}, line: say`GET /`, account: '' }, ({ status }) =>
      seen.push(status),
    );
    expect(seen).toEqual([429, 429, 200]);
  });

  test('a 503 that stays is a response', async () => {
    const { get, requests } = await sessionWith(() => [503]);
    expect((await get('/a')).status).toBe(503);
    expect(requests).toHaveLength(4);
  });

  test.each<[string, Partial<Bounds>, string]>([
    ['121', {}, TOO_LONG],
    ['30', { runMs: 30_000 }, notWithin(30)],
  ])('Retry-After: %s with bounds of %j ends the run', async (seconds, bounds, why) => {
    const { get, pauses } = await sessionWith(() => [429, { 'retry-after': seconds }], bounds);
    expect(await errorOf(get('/a'))).toEqual(['Untestable', `${why}GET /a returned 429, retry after ${seconds} s.`]);
    expect(pauses).toEqual([]);
  });

  test.each([
    ['0', 1],
    ['7', 7],
    ['Thu, 16 Apr 2026 12:00:09 GMT', 9],
    ['soon', 1],
  ])('Retry-After: %j of a 429 is a pause of %i seconds', async (value, seconds) => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
    afterTest(() => {
      jest.restoreAllMocks();
    });
    const { get } = await sessionWith(() => [429, { 'retry-after': value }], { runMs: 900 }); // Less than any pause.
    const why = `GET /a returned 429, retry after ${String(seconds)} s.`;
    expect((await errorOf(get('/a')))[1]).toContain(why);
  });
});

describe('the one guard: no request leads to another origin, whoever has made it:', () => {
  /** @returns a server that counts its requests. */
  async function counting(): Promise<{ readonly url: string; readonly requests: string[] }> {
    const requests: string[] = [];
    const url = await serve((req, res) => {
      requests.push(req.url ?? '');
      res.end('{}');
    });
    return { url, requests };
  }
  const send = (session: Session, path: string, isRaw: boolean): Promise<unknown> =>
    session.send(
      { method: 'GET', path, headers: {}, line: say`GET ${quote(path)}`, account: '', isRaw },
      () => undefined,
    );

  test.each([
    ['a port', ':PORT/list'],
    ['a host behind a user', '@127.0.0.1:PORT/list'],
    ['the end of a name', '.evil.example/list'],
    ['a host', 'evil.example/list'],
    ['a URL', 'http://127.0.0.1:PORT/list'],
    ['nothing', ''],
    ['a query', '?a=1'],
  ])('a path that begins with %s', async (_, path) => {
    const [own, other] = [await counting(), await counting()];
    const there = path.replace('PORT', new URL(other.url).port);
    const session = openSession(own.url, BOUNDS);
    afterTest(session.close);
    for (const isRaw of [false, true])
      expect(await errorOf(send(session, there, isRaw))).toEqual([
        'Untestable',
        `GET ${there} would lead away from ${own.url}, and was not sent.`,
      ]);
    expect([own.requests, other.requests, session.sent]).toEqual([[], [], {}]);
  });

  test('a URL that a document has made is at another origin than that of the run', async () => {
    const [own, other] = [await counting(), await counting()];
    const session = openSession(other.url, BOUNDS, { origin: own.url });
    afterTest(session.close);
    for (const isRaw of [false, true])
      expect(await errorOf(send(session, '/list', isRaw))).toEqual([
        'Untestable',
        `GET /list would lead away from ${own.url}, and was not sent.`,
      ]);
    expect([own.requests, other.requests]).toEqual([[], []]);
  });

  test.each(['//PLACE/list', '/\\PLACE/list', '/@PLACE/list', '/..//PLACE/list', '/%2f%2fPLACE/list'])(
    'a path that looks like a URL is one: %s',
    async (path) => {
      const [own, other] = [await counting(), await counting()];
      const target = path.replace('PLACE', new URL(other.url).host);
      const session = openSession(own.url, BOUNDS);
      afterTest(session.close);
      await send(session, target, false);
      expect([own.requests, other.requests]).toEqual([[target], []]);
    },
  );
});

describe('the bounds:', () => {
  test('the requests, also those that are repeated', async () => {
    const { session, get, requests } = await sessionWith(() => [429, { 'retry-after': '0' }], { requests: 3 });
    expect(await errorOf(get('/a'))).toEqual(['Untestable', 'The run requires more than 3 requests (--max-requests).']);
    expect([session.sent, session.left, requests.length]).toEqual([{ GET: 3 }, 0, 3]);
  });

  test('the time', async () => {
    const { get, advance, requests } = await sessionWith(() => [200], { runMs: 5000 });
    await get('/a');
    advance(5000);
    expect(await errorOf(get('/b'))).toEqual(['Untestable', 'The run did not end within 5 s (--timeout).']);
    expect(requests).toEqual(['/a']);
  });

  test('the time, where the server responds no more', async () => {
    const { clock, advance } = fakeClock();
    const url = await serve(() => undefined);
    const session = openSession(url, { ...BOUNDS, runMs: 5000 }, { clock });
    afterTest(session.close);
    advance(4900);
    const why = 'The run did not end within 5 s (--timeout); the last request was GET /a.';
    const request = { method: 'GET', path: '/a', headers: {}, line: say`GET /a`, account: '' };
    expect(await errorOf(session.send(request, () => undefined))).toEqual(['Untestable', why]);
  });
});

describe('requests without a response:', () => {
  const CLOSED = 'the connection was closed without a response';
  // What a kept connection is closed for is sent once more over a new one.
  const isTwice = 2;

  test('the first one is that, and nothing else is requested', async () => {
    const { get, requests, pauses } = await sessionWith(() => undefined);
    expect(await errorOf(get('/a'))).toEqual(['NoResponse', CLOSED]);
    expect([requests, pauses]).toEqual([['/a'], []]);
  });

  test('the server is there where it responds to a request that had a response', async () => {
    const { get, requests, pauses } = await sessionWith((count) =>
      count === 1 || count > 1 + isTwice ? [200] : undefined,
    );
    await get('/a');
    expect(await errorOf(get('/b'))).toEqual(['NoResponse', CLOSED]);
    expect([requests, pauses]).toEqual([['/a', '/b', '/b', '/a'], []]);
  });

  test('the server is gone where it does not', async () => {
    const { get, requests, pauses } = await sessionWith((count) => (count === 1 ? [200] : undefined));
    await get('/a');
    expect(await errorOf(get('/b'))).toEqual(['Untestable', `The server no longer responds: GET /b: ${CLOSED}.`]);
    expect([requests, pauses]).toEqual([
      ['/a', '/b', '/b', '/a', '/a', '/a'],
      [1000, 1000],
    ]);
  });
});

test('a body that nests 200,000 levels deep is no response', async () => {
  const url = await serve((_req, res) => void res.end(`${'['.repeat(200_000)}${']'.repeat(200_000)}`));
  const session = openSession(url, BOUNDS);
  afterTest(session.close);
  const sent = session.send({ method: 'GET', path: '/', headers: {}, line: say`GET /`, account: '' }, () => undefined);
  expect(await errorOf(sent)).toEqual(['NoResponse', 'the body nests more than 100 levels deep']);
});
