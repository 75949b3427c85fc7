/** The outcomes of requests of the console, and how often it polls. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Failure, createSend, poll } from '../../server/pages/assets/console/api.ts';
import type { Outcome as Polled } from '../../server/pages/assets/console/api.ts';

const BASE = 'http://127.0.0.1:3000/behind/';
const open = (): AbortSignal => new AbortController().signal;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Mocks the response to the next request. */
function respond(make: (init: RequestInit) => Response | Promise<Response>): jest.SpiedFunction<typeof fetch> {
  return jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init = {}) => make(init));
}
const request = (options: { readonly signal?: AbortSignal; readonly etag?: string } = {}): Promise<unknown> =>
  createSend(BASE, () => '')('/automations', { signal: open(), ...options });
/** @returns how a request fails that gets such a response. */
async function failureOf(...response: Parameters<typeof respond>): Promise<Failure> {
  respond(...response);
  const error: unknown = await request().catch((it: unknown) => it);
  if (!(error instanceof Failure)) throw new Error(`This is no failure: ${String(error)}`);
  return error;
}

test('asks below the prefix, with the key, and keeps nothing', async () => {
  const sent = respond(() => new Response('{"data":[1.0]}', { headers: { etag: '"1"' } }));
  const send = createSend(BASE, () => 'rollcall_1');
  expect(await send('/automations?limit=1', { signal: open() })).toMatchObject({ etag: '"1"' });
  const [url, init] = sent.mock.calls[0] ?? [];
  expect(String(url as URL)).toBe('http://127.0.0.1:3000/behind/automations?limit=1');
  expect(init).toMatchObject({ headers: { authorization: 'Bearer rollcall_1' }, cache: 'no-store' });
});

test('nothing leads to another origin', async () => {
  const sent = respond(() => new Response('{}'));
  for (const target of ['//elsewhere.example/x', '/\\elsewhere.example', '/@elsewhere.example']) {
    await createSend(BASE, () => '')(target, { signal: open() });
    expect(new URL(String(sent.mock.lastCall?.[0] as URL)).host).toBe('127.0.0.1:3000');
  }
  expect(sent.mock.lastCall?.[1]?.headers).toEqual({});
});

test('a response that has not changed is undefined', async () => {
  const sent = respond(() => new Response(null, { status: 304 }));
  expect(await request({ etag: 'W/"1"' })).toBeUndefined();
  expect(sent.mock.lastCall?.[1]?.headers).toEqual({ 'if-none-match': 'W/"1"' });
});

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['7', 7],
  ['0', 0],
  ['soon', undefined],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Thu Jan  1 00:00:00 1970', 0],
])('an error with Retry-After %j', async (value, seconds) => {
  const body = JSON.stringify({ statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many.' });
  const headers = { 'x-request-id': 'r1', ...(value === undefined ? {} : { 'retry-after': value }) };
  const failure = await failureOf(() => new Response(body, { status: 429, headers }));
  expect(failure).toMatchObject({ title: 'rate_limit_exceeded', message: 'Too many.', status: 429, requestId: 'r1' });
  expect(failure.retryAfter).toBe(seconds);
  expect([failure.isPassing, failure.isUnauthorized]).toEqual([true, false]);
});

test('an instant in Retry-After is so many seconds away', async () => {
  const now = Date.UTC(2026, 0, 1);
  jest.spyOn(Date, 'now').mockReturnValue(now);
  const retryAfter = new Date(now + 60_000).toUTCString();
  const failure = await failureOf(() => new Response('{}', { status: 503, headers: { 'retry-after': retryAfter } }));
  expect(failure.retryAfter).toBe(60);
});

test('the seconds that are left go by although the clock is set back', async () => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  const failure = await failureOf(() => new Response('{}', { status: 503, headers: { 'retry-after': '60' } }));
  jest.spyOn(Date, 'now').mockReturnValue(0);
  jest.spyOn(performance, 'now').mockReturnValue(10_000);
  expect(failure.secondsLeft).toBe(50);
});

test.each([
  [200, '<html>', false, false],
  [200, '[]', false, false],
  [200, '1.0', false, false],
  [200, '', false, false],
  [500, '<html>', true, false],
  [502, '<html>', true, true],
  [503, '<html>', true, true],
  [504, '<html>', true, true],
  [404, '{"error":"no"}', false, false],
])('a %i with the body %j is no response of the API', async (status, body, isPassing, isUnreachable) => {
  const failure = await failureOf(() => new Response(body, { status }));
  expect(failure).toMatchObject({ status, excerpt: body, requestId: undefined });
  expect([failure.isPassing, failure.isUnreachable]).toEqual([isPassing, isUnreachable]);
});

test('a body without end is read so far and no further', async () => {
  let pulled = 0;
  const chunk = new Uint8Array(2 ** 22).fill(0x20);
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      pulled += 1;
      controller.enqueue(chunk);
    },
  });
  expect((await failureOf(() => new Response(endless))).title).toBe('Too large');
  expect(pulled).toBeLessThan(20);
});

test('a server that does not respond is not waited for', async () => {
  const timeout = new AbortController();
  const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  const failure = await failureOf(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
        timeout.abort();
      }),
  );
  expect(failure).toMatchObject({ title: 'No response', status: undefined, isPassing: true, isUnreachable: true });
  expect(limit).toHaveBeenCalledWith(30_000);
});

test('a network that is down', async () => {
  const failure = await failureOf(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(failure).toMatchObject({ title: 'Network failure', isPassing: true, isUnreachable: true });
});

test('a request that was aborted reports no failure', async () => {
  const controller = new AbortController();
  respond(() => {
    controller.abort(new Error('gone'));
    throw new TypeError('Failed to fetch');
  });
  await expect(request({ signal: controller.signal })).rejects.toThrow('gone');
});

describe('it polls', () => {
  type Outcome = Polled | Error;

  /** @returns the pauses and the reports, until the outcomes are used up. */
  async function run(
    ...outcomes: Outcome[]
  ): Promise<{ pauses: number[]; reports: (string | undefined)[]; end: unknown }> {
    const pauses: number[] = [];
    const reports: (string | undefined)[] = [];
    const ended = new Error('It is to end.');
    const send = (): Promise<Exclude<Outcome, Error>> => {
      const next = outcomes.shift();
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next ?? 'unchanged');
    };
    const sleep = (ms: number): Promise<void> => {
      pauses.push(ms);
      return outcomes.length === 0 ? Promise.reject(ended) : Promise.resolve();
    };
    const end: unknown = await poll(send, (it) => reports.push(it?.message), sleep).catch((error: unknown) => error);
    return { pauses, reports, end: end === ended ? 'stopped' : end };
  }
  const failure = (status: number, retryAfter?: number): Failure =>
    new Failure('it', String(status), { status, retryAfter });

  test('less and less often while nothing changes, at once when it does', async () => {
    const same = (count: number): Outcome[] => Array.from({ length: count }, () => 'unchanged');
    const { pauses, end } = await run(...same(6), 'changed', 'unchanged', 'over');
    expect(pauses).toEqual([1000, 1500, 2250, 3375, 5000, 5000, 5000, 1000, 1500]);
    expect(end).toBeUndefined();
  });

  test('seldom while nothing is running', async () => {
    const { pauses } = await run('idle', 'idle', 'changed', 'unchanged', 'over');
    expect(pauses).toEqual([1000, 10_000, 10_000, 1000, 1500]);
  });

  test('goes on after what passes, and says when it has passed', async () => {
    const { pauses, reports, end } = await run(
      failure(503),
      failure(500),
      new Failure('network', 'cut'),
      'unchanged',
      'over',
    );
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 5000]);
    expect(reports).toEqual(['503', '500', 'cut', undefined]);
    expect(end).toBeUndefined();
  });

  test('waits as long as the server says', async () => {
    const failures = [failure(429, 30), failure(429, 1)];
    jest.spyOn(performance, 'now').mockReturnValue(0);
    expect((await run(...failures, 'over')).pauses).toEqual([1000, 30_000, 60_000]);
    // And counts down as long as it waits.
    expect(failures.map((it) => it.secondsLeft)).toEqual([30, 60]);
    // But does not sleep for a day.
    expect((await run(failure(429, 86_400), 'over')).pauses).toEqual([1000, 300_000]);
  });

  test.each([401, 404, 422])('ends with a %i', async (status) => {
    const { reports, end } = await run(failure(status), 'over');
    expect(end).toEqual(failure(status));
    expect(reports).toEqual([]);
  });

  test('ends with what is no failure of a request', async () => {
    const bug = new TypeError('a bug');
    expect((await run(bug, 'over')).end).toBe(bug);
  });

  test('ends when it is told to', async () => {
    expect((await run('unchanged')).end).toBe('stopped');
  });
});
