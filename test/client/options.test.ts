/** Options of a call, hooks, and environment variables. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { NetworkError, createClient, rateLimitOf } from '../../client/index.ts';
import type { CallOptions, ClientOptions, RollcallClient } from '../../client/index.ts';
import { USER_AGENT } from '../../client/headers.ts';
import { contactImport } from '../../testkit/builders.ts';
import { readFileSync } from 'node:fs';
import { BASE_URL, KEY, failure } from '../support/scripted-client.ts';

const RECORD = contactImport();
const URL_OF_ONE = `${BASE_URL}/contacts/imports/${RECORD.id}`;
const PAGE = { object: 'list', has_more: false, data: [RECORD] };

let sent: Record<string, string>[];
beforeEach(() => {
  sent = [];
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A client whose requests get `statuses` in order, then the last one repeatedly; 0 is a network failure. */
function clientOf(statuses: readonly number[] = [200], options: Partial<ClientOptions> = {}): RollcallClient {
  return createClient({
    baseUrl: BASE_URL,
    apiKey: KEY,
    fetch: (url, { headers }) => {
      const status = statuses[Math.min(sent.length, statuses.length - 1)] ?? 200;
      sent.push(Object.fromEntries(new Headers(headers)));
      if (status === 0) return Promise.reject(new TypeError('no network'));
      const body = url.includes('/imports/') ? RECORD : PAGE;
      return Promise.resolve(Response.json(body, { status, headers: { 'x-request-id': 'one' } }));
    },
    ...options,
  });
}
type Ask = (client: RollcallClient, options: CallOptions) => PromiseLike<unknown>;
const walk: Ask = async ({ contactImports }, options) => {
  for await (const _ of contactImports.list(options));
};
const CALLS: readonly [string, Ask][] = [
  ['get', ({ contactImports }, options) => contactImports.get(RECORD.id, options)],
  ['a list', ({ contactImports }, options) => contactImports.list(options)],
  ['a walk', walk],
  ['waitUntilEnded', ({ contactImports }, options) => contactImports.waitUntilEnded(RECORD.id, options)],
];
const UNWRITABLE =
  'The request cannot be written: a parameter must be a number or well-formed text, and a header valid in HTTP.';
const GET: Ask = (client, options) =>
  client.GET('/contacts/imports/{id}', { params: { path: { id: RECORD.id } }, ...(options as object) });

test('a `fetch` may change the headers of a request: those of other calls stay', async () => {
  const fetch: ClientOptions['fetch'] = (_url, { headers }) => {
    sent.push({ ...(headers as Record<string, string>) }); // As the client sends them.
    return Promise.resolve(Response.json(Object.assign(headers as object, RECORD)));
  };
  const client = clientOf([], { fetch });
  await client.contactImports.get(RECORD.id);
  await client.contactImports.get(RECORD.id);
  expect(sent[1]).toEqual({ authorization: `Bearer ${KEY}`, 'user-agent': USER_AGENT });
});

describe.each(CALLS)('%s', (_, ask) => {
  test('sends its own headers, besides the client’s', async () => {
    await ask(clientOf(), { headers: { Traceparent: '00-1', 'User-Agent': 'mine' } });
    expect(sent).toEqual([{ authorization: `Bearer ${KEY}`, 'user-agent': 'mine', traceparent: '00-1' }]);
    await ask(clientOf(), { headers: new Headers({ 'x-request-id': 'one' }) });
    expect(sent[1]).toEqual({ authorization: `Bearer ${KEY}`, 'user-agent': USER_AGENT, 'x-request-id': 'one' });
  });

  test.each([
    [
      { authorization: 'Bearer other' },
      '`headers` must not contain Authorization: the client sends its `apiKey` there.',
    ],
    [{ 'no name': 'x' }, UNWRITABLE],
    [{ name: 'secret\nx' }, UNWRITABLE],
  ])('rejects the headers %j, before a request is sent', async (headers, message) => {
    expect(await failure(ask(clientOf(), { headers }))).toEqual(new TypeError(message));
    expect(sent).toEqual([]);
  });
});

describe.each([...CALLS, ['GET', GET] as const])('%s', (_, ask) => {
  test.each([
    [{ retry: false }, 1],
    [{ retry: { retries: 1 } }, 2],
    [{ retry: undefined }, 3],
  ] as const)('has its own retry: %j', async (options, requests) => {
    jest.useFakeTimers();
    const call = failure(ask(clientOf([0], { retry: { retries: 2 } }), options));
    await jest.runAllTimersAsync();
    await call;
    expect(sent).toHaveLength(requests);
  });

  test.each([
    [{ timeoutMs: '5' }, '`timeoutMs`'],
    [{ timeoutMs: NaN }, '`timeoutMs`'],
    [{ retry: { retries: -1 } }, '`retries`'],
    [{ retry: { totalMs: null } }, '`totalMs`'],
  ])('rejects %j', async (options, name) => {
    const error = await failure(ask(clientOf(), options as unknown as CallOptions));
    expect(error).toEqual(new TypeError(`${name} must be a number, 0 or more.`));
    expect(sent).toEqual([]);
    expect(() => clientOf([], options as unknown as ClientOptions)).toThrow(error);
  });
});

describe.each([...CALLS.slice(0, 3), ['GET', GET] as const])('%s', (_, ask) => {
  test('has its own time limit for one attempt', async () => {
    jest.useFakeTimers();
    const hang = (): Promise<Response> => new Promise(() => undefined);
    const call = failure(ask(clientOf([], { fetch: hang, timeoutMs: 9000, retry: false }), { timeoutMs: 700 }));
    await jest.advanceTimersByTimeAsync(699);
    expect(jest.getTimerCount()).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await call).toMatchObject({
      name: 'TimeoutError',
      message: expect.stringContaining('No response arrived within 700 ms.') as unknown,
    });
  });
});

test.each([NaN, -1, '5', null])('`pollMs` of %p is rejected', async (pollMs) => {
  const call = clientOf().contactImports.waitUntilEnded(RECORD.id, { pollMs: pollMs as number });
  expect(await failure(call)).toEqual(new TypeError('`pollMs` must be a number, 0 or more.'));
});

describe('the hooks', () => {
  test('are called for each attempt, response and retry', async () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const reported: unknown[] = [];
    const client = clientOf([503, 0, 200], {
      onRequest: (event) => reported.push(['request', event]),
      onResponse: (event) => reported.push(['response', event]),
      onRetry: (event) => reported.push(['retry', event]),
    });
    const call = failure(client.contactImports.get(RECORD.id));
    await jest.runAllTimersAsync();
    expect(await call).toBeUndefined();
    const about = (attempt: number): object => ({ method: 'GET', url: URL_OF_ONE, attempt });
    const response = { headers: expect.any(Headers), durationMs: expect.any(Number) };
    const error: unknown = expect.any(NetworkError);
    expect(reported).toEqual([
      ['request', { ...about(1), headers: expect.any(Headers) }],
      ['response', { ...about(1), ...response, status: 503 }],
      ['retry', { ...about(1), status: 503, error: undefined, pauseMs: 250 }],
      ['request', { ...about(2), headers: expect.any(Headers) }],
      ['retry', { ...about(2), status: undefined, error, pauseMs: 500 }],
      ['request', { ...about(3), headers: expect.any(Headers) }],
      ['response', { ...about(3), ...response, status: 200 }],
    ]);
  });

  test('never see the key; what `onRequest` sets is sent', async () => {
    const seen: unknown[] = [];
    const client = clientOf([200], {
      onRequest: ({ headers }) => {
        seen.push(Object.fromEntries(headers));
        headers.set('traceparent', '00-2');
        headers.set('authorization', 'Bearer other');
      },
    });
    for (const ask of [CALLS[0]?.[1], GET]) await ask?.(client, { headers: { 'x-request-id': 'one' } });
    expect(seen).toEqual(Array(2).fill({ 'user-agent': USER_AGENT, 'x-request-id': 'one' }));
    const headers = { 'user-agent': USER_AGENT, 'x-request-id': 'one', traceparent: '00-2' };
    expect(sent).toEqual(Array(2).fill({ ...headers, authorization: `Bearer ${KEY}` }));
  });

  test('can read the rate limit, as `rateLimitOf` does of any response', async () => {
    const limits: unknown[] = [];
    const policy = '10;w=1';
    const headers = { 'ratelimit-limit': '10', 'ratelimit-remaining': '7', 'ratelimit-reset': '1' };
    const client = clientOf([], {
      fetch: () => Promise.resolve(Response.json(RECORD, { headers: { ...headers, 'ratelimit-policy': policy } })),
      onResponse: (event) => void limits.push(rateLimitOf(event)),
    });
    const { response } = await client.contactImports.get(RECORD.id).withResponse();
    expect([...limits, rateLimitOf(response)]).toEqual(Array(2).fill({ limit: 10, remaining: 7, reset: 1, policy }));
    expect(rateLimitOf(new Response(null, { headers }))?.policy).toBeUndefined();
    expect(rateLimitOf(new Response())).toBeUndefined();
    expect(rateLimitOf(new Response(null, { headers: { ...headers, 'ratelimit-reset': 'soon' } }))).toBeUndefined();
    const withRule = { ...headers, 'ratelimit-limit': '100, 100;w=60' }; // As other servers send it.
    expect(rateLimitOf(new Response(null, { headers: withRule }))).toMatchObject({ limit: 100, remaining: 7 });
  });

  const reason = new Error('no');
  const throwing = (): never => {
    throw reason;
  };
  test.each([
    ['onRequest', () => Promise.reject(reason), 0],
    ['onRequest', throwing, 0],
    ['onResponse', () => Promise.reject(reason), 1],
    ['onRetry', () => Promise.reject(reason), 1],
  ] as const)('end a call with what %s throws, and nothing is tried again', async (hook, run, requests) => {
    const client = clientOf([503], { [hook]: run });
    expect(await failure(client.contactImports.get(RECORD.id))).toBe(reason);
    expect(sent).toHaveLength(requests);
  });

  test.each(['onRequest', 'onResponse', 'onRetry'])('are awaited within the time limits: %s', async (hook) => {
    jest.useFakeTimers();
    const options = {
      timeoutMs: 900,
      retry: { retries: 1, totalMs: 2000 },
      [hook]: () => new Promise(() => undefined),
    };
    const call = failure(clientOf([503], options).contactImports.get(RECORD.id));
    await jest.advanceTimersByTimeAsync(2000);
    expect(await call).toMatchObject({ name: 'TimeoutError' });
    expect(jest.getTimerCount()).toBe(0);
  });

  test('are ended by the signal of the call', async () => {
    const controller = new AbortController();
    const client = clientOf([200], {
      onRequest: () => {
        controller.abort(reason);
      },
    });
    expect(await failure(client.contactImports.get(RECORD.id, { signal: controller.signal }))).toBe(reason);
  });
});

test('the User-Agent of the client has its version', async () => {
  const manifest = readFileSync(new URL('../../client/package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { readonly version: string };
  expect(USER_AGENT).toBe(`rollcall-client/${version}`);
  await GET(clientOf(), {});
  expect(sent[0]).toMatchObject({ 'user-agent': USER_AGENT });
});

describe('the environment', () => {
  const env = { ...process.env };
  afterEach(() => {
    process.env = { ...env };
    Reflect.deleteProperty(globalThis, 'Deno');
  });
  const asked = async (options: ClientOptions): Promise<unknown> => {
    const requests: unknown[] = [];
    const client = createClient({
      ...options,
      fetch: (url, { headers }) => {
        requests.push([url, new Headers(headers).get('authorization')]);
        return Promise.resolve(Response.json(PAGE));
      },
    });
    await client.contactImports.list();
    return requests[0];
  };

  test('provides URL and key, if the options do not', async () => {
    process.env['ROLLCALL_BASE_URL'] = 'http://env.test/';
    process.env['ROLLCALL_API_KEY'] = KEY;
    expect(await asked({})).toEqual(['http://env.test/contacts/imports', `Bearer ${KEY}`]);
    expect(await asked({ baseUrl: 'http://x', apiKey: 'k' })).toEqual(['http://x/contacts/imports', 'Bearer k']);
  });

  test('is not read in Deno without a permission', () => {
    process.env['ROLLCALL_BASE_URL'] = 'http://env.test/';
    process.env['ROLLCALL_API_KEY'] = KEY;
    const state = { now: 'prompt' };
    Object.assign(globalThis, { Deno: { permissions: { querySync: () => ({ state: state.now }) } } });
    expect(() => createClient()).toThrow(TypeError);
    state.now = 'granted';
    expect(() => createClient()).not.toThrow();
  });
});
