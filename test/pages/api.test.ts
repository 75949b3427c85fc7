/** The outcomes of requests of the console. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { createSend, Failure } from '../../server/pages/assets/console/api.ts';

const BASE = 'http://127.0.0.1:3000/behind/';
const open = (): AbortSignal => new AbortController().signal;

afterEach(() => {
  jest.restoreAllMocks();
});

/** Mocks the response to the next request. */
function respond(make: (init: RequestInit) => Response | Promise<Response>): jest.SpiedFunction<typeof fetch> {
  return jest.spyOn(globalThis, 'fetch').mockImplementation(async (_, init = {}) => make(init));
}
const failureOf = async (asked: Promise<unknown>): Promise<Failure> => {
  const error: unknown = await asked.catch((it: unknown) => it);
  if (!(error instanceof Failure)) throw new Error(`This is no failure: ${String(error)}`);
  return error;
};

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
  expect(await createSend(BASE, () => '')('/automations', { signal: open(), etag: 'W/"1"' })).toBeUndefined();
  expect(sent.mock.lastCall?.[1]?.headers).toEqual({ 'if-none-match': 'W/"1"' });
});

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ['7', 7],
  ['0', 0],
  ['soon', undefined],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
])('an error with Retry-After %j', async (value, seconds) => {
  const body = JSON.stringify({ statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many.' });
  const headers = { 'x-request-id': 'r1', ...(value === undefined ? {} : { 'retry-after': value }) };
  respond(() => new Response(body, { status: 429, headers }));
  const failure = await failureOf(createSend(BASE, () => '')('/automations', { signal: open() }));
  expect(failure).toMatchObject({ title: 'rate_limit_exceeded', message: 'Too many.', status: 429, requestId: 'r1' });
  expect(failure.retryAfter).toBe(seconds);
  expect([failure.isPassing, failure.isUnauthorized]).toEqual([true, false]);
});

test('an instant in Retry-After is so many seconds away', async () => {
  const retryAfter = new Date(Date.now() + 60_000).toUTCString();
  respond(() => new Response('{}', { status: 503, headers: { 'retry-after': retryAfter } }));
  const failure = await failureOf(createSend(BASE, () => '')('/automations', { signal: open() }));
  expect(failure.retryAfter).toBeGreaterThanOrEqual(58);
  expect(failure.retryAfter).toBeLessThanOrEqual(60);
});

test.each([
  [200, '<html>', false],
  [200, '[]', false],
  [200, '1.0', false],
  [200, '', false],
  [502, '<html>', true],
  [404, '{"error":"no"}', false],
])('a %i with the body %j is no response of the API', async (status, body, isPassing) => {
  respond(() => new Response(body, { status }));
  const failure = await failureOf(createSend(BASE, () => '')('/automations', { signal: open() }));
  expect(failure).toMatchObject({ status, excerpt: body, requestId: undefined });
  expect(failure.isPassing).toBe(isPassing);
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
  respond(() => new Response(endless));
  const failure = await failureOf(createSend(BASE, () => '')('/automations', { signal: open() }));
  expect(failure.title).toBe('Too large');
  expect(pulled).toBeLessThan(20);
});

test('a server that does not respond is not waited for', async () => {
  const timeout = new AbortController();
  const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
  respond(
    ({ signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          reject(new Error('aborted'));
        });
        timeout.abort();
      }),
  );
  const failure = await failureOf(createSend(BASE, () => '')('/automations', { signal: open() }));
  expect(failure).toMatchObject({ title: 'No response', status: undefined, isPassing: true });
  expect(limit).toHaveBeenCalledWith(30_000);
});

test('a network that is down', async () => {
  respond(() => Promise.reject(new TypeError('Failed to fetch')));
  const failure = await failureOf(createSend(BASE, () => '')('/automations', { signal: open() }));
  expect(failure).toMatchObject({ title: 'Network failure', isPassing: true });
});

test('a request that was aborted reports no failure', async () => {
  const controller = new AbortController();
  respond(() => {
    controller.abort(new Error('gone'));
    throw new TypeError('Failed to fetch');
  });
  await expect(createSend(BASE, () => '')('/automations', { signal: controller.signal })).rejects.toThrow('gone');
});
