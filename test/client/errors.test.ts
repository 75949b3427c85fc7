/** Errors, retries and abort signals of calls, against a failing server, in virtual time where a call waits. */
import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ApiError, NetworkError, TimeoutError, createClient, rateLimitOf } from '../../client/index.ts';
import type { ClientOptions, RollcallClient } from '../../client/index.ts';
import { contactImport, startRollcall } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';

const RECORD = contactImport();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
let requests: number;
beforeEach(async () => {
  server = await startRollcall({ contactImports: [RECORD] });
  requests = 0;
});
afterEach(async () => {
  jest.useRealTimers();
  await server.close();
});

/** A client of the server that counts its requests. */
function clientOf(options: Partial<ClientOptions> = {}): RollcallClient {
  return createClient({
    baseUrl: server.url,
    apiKey: server.apiKey,
    fetch: (url, init) => {
      requests += 1;
      return fetch(url, init);
    },
    ...options,
  });
}

/** A client whose requests get `responses` in order, then the last one repeatedly, without a network. */
function scripted(
  responses: readonly (() => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
): RollcallClient {
  return clientOf({
    ...options,
    fetch: async (_url, { signal }) => {
      const response = responses[Math.min(requests, responses.length - 1)];
      requests += 1;
      signal?.throwIfAborted();
      return (await response?.()) ?? Response.error();
    },
  });
}
const problem =
  (status: number, headers: Record<string, string> = {}): (() => Response) =>
  () =>
    Response.json({ statusCode: status, name: 'service_unavailable', message: 'Later.' }, { status, headers });
const good = (): Response => Response.json(RECORD);
/** A `fetch` that never responds, and rejects with an error of its own when its request is aborted. */
const hang: NonNullable<ClientOptions['fetch']> = (_url, { signal }) => {
  requests += 1;
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      reject(new DOMException('aborted', 'AbortError'));
    });
  });
};
/** A `fetch` that never responds, not even when its request is aborted. */
const hangForGood = (): Promise<Response> => new Promise(() => undefined);

const failure = (call: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(call).then(
    () => undefined,
    (it: unknown) => it,
  );
/** How a message names the request for one import. */
const request = (id = 'x'): string => `GET ${server.url}/contacts/imports/${id}`;
/** The state of a call; `undefined` while it is pending. */
function watch(call: PromiseLike<unknown>): { readonly now: unknown } {
  const seen: { now: unknown } = { now: undefined };
  call.then(
    () => (seen.now = 'fulfilled'),
    (it: unknown) => (seen.now = it),
  );
  return seen;
}
const noRetry = { retry: false } as const;

describe('ApiError', () => {
  test('has the contract’s name, the status, the message and the id of the request', async () => {
    const error = await failure(clientOf().contactImports.get(UNKNOWN));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'not_found',
      status: 404,
      message: `There is no contact import with this \`id\`. (404 from ${request(UNKNOWN)})`,
      problem: { statusCode: 404, name: 'not_found', message: 'There is no contact import with this `id`.' },
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
      retryAfter: undefined,
    });
    expect(requests).toBe(1);
  });

  test.each([
    ['a wrong key', { apiKey: 'nonsense' }, RECORD.id, 'invalid_api_key', 401],
    ['a malformed id', {}, 'x', 'validation_error', 422],
  ])('%s', async (_, options, id, name, status) => {
    const error = await failure(clientOf(options).contactImports.get(id));
    expect(error).toMatchObject({ name, status });
    expect(String((error as Error).stack)).not.toContain(server.apiKey);
    expect(requests).toBe(1);
  });

  test('of an exceeded rate limit has the time of the next retry', async () => {
    server.fail({ status: 429, retryAfter: 9 });
    expect(await failure(clientOf(noRetry).contactImports.get(RECORD.id))).toMatchObject({
      name: 'rate_limit_exceeded',
      status: 429,
      retryAfter: 9,
    });
  });

  test.each([
    ['HTML of a proxy', () => new Response('<h1>Bad gateway</h1>', { status: 502 }), 502],
    ['an empty body', () => new Response(null, { status: 500, headers: { 'content-length': '0' } }), 500],
    ['JSON of another kind', () => Response.json({ error: 'no' }, { status: 400 }), 400],
  ])('of %s is an application_error', async (_, response, status) => {
    expect(await failure(scripted([response], noRetry).contactImports.get('x'))).toMatchObject({
      name: 'application_error',
      status,
    });
  });
});

describe('no response', () => {
  test('from an unreachable server is a NetworkError with its cause', async () => {
    await server.close();
    const error = await failure(clientOf(noRetry).contactImports.get(RECORD.id));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: 'NetworkError', cause: { message: 'fetch failed' } });
    server = await startRollcall();
  });

  test('but a cut connection is a NetworkError', async () => {
    server.fail({ disconnect: true });
    expect(await failure(clientOf(noRetry).contactImports.get(RECORD.id))).toBeInstanceOf(NetworkError);
  });

  test('in time is a TimeoutError', async () => {
    server.fail({ delayMs: 5000 });
    const error = await failure(clientOf({ ...noRetry, timeoutMs: 30 }).contactImports.get(RECORD.id));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      name: 'TimeoutError',
      message: `No response arrived within 30 ms. (${request(RECORD.id)})`,
    });
  });

  test('whose body stalls in time is a TimeoutError, and a body that is cut a NetworkError', async () => {
    const body = (end: (controller: ReadableStreamDefaultController) => void) => (): Response =>
      new Response(
        new ReadableStream({
          start: (controller) => {
            controller.enqueue(Buffer.from('{"object":'));
            end(controller);
          },
        }),
      );
    const cut = body((controller) => {
      controller.error(new TypeError('terminated'));
    });
    expect(await failure(scripted([cut], noRetry).contactImports.get('x'))).toBeInstanceOf(NetworkError);
    const stalled = body(() => undefined);
    const client = scripted([stalled], { ...noRetry, timeoutMs: 30 });
    expect(await failure(client.contactImports.get('x'))).toMatchObject({
      name: 'TimeoutError',
      message: `No response arrived within 30 ms. (${request()})`,
    });
  });

  test.each([
    ['<h1>Please sign in to this network</h1>', '"<h1>Please sign in to this network</h1>"'],
    ['', 'an empty body'],
  ])('that is JSON is a NetworkError: %j', async (body, reported) => {
    expect(await failure(scripted([() => new Response(body)]).contactImports.get('x'))).toMatchObject({
      name: 'NetworkError',
      message: `The response is not JSON: ${reported} (200 from ${request()})`,
      cause: { name: 'SyntaxError' },
    });
    expect(requests).toBe(1);
  });
});

describe('a response that does not match the contract is a NetworkError that says so', () => {
  const item = { id: 'x' };
  test.each([
    [{}],
    [[]],
    [null],
    ['text'],
    [{ has_more: false }],
    [{ data: [] }],
    [{ has_more: 'no', data: [] }],
    [{ has_more: false, data: {} }],
    [{ has_more: false, data: [null] }],
    [{ has_more: false, data: [item, { ...item, id: undefined }] }],
    [{ has_more: false, data: [{ ...item, id: 7 }] }],
  ])('%j for a list', async (body) => {
    const list = scripted([() => Response.json(body)]).contactImports.list();
    const walk = async (items: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of items);
    };
    for (const error of await Promise.all([list, walk(list), walk(list.pages())].map(failure))) {
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        message:
          'The response is not a list of the contract, which has `has_more`, and `data` of items with an `id`: ' +
          `"${JSON.stringify(body)}" (200 from GET ${server.url}/contacts/imports)`,
      });
    }
  });

  test('for a page that is not the first', async () => {
    const first = (): Response => Response.json({ object: 'list', has_more: true, data: [item] });
    const walk = async (): Promise<void> => {
      for await (const _ of scripted([first, () => Response.json({})]).contactImports.list());
    };
    expect(await failure(walk())).toBeInstanceOf(NetworkError);
    expect(requests).toBe(2);
  });

  test.each([[null], [[]], [7], ['text'], [{}], [{ id: 7 }]])('%j for an item', async (body) => {
    const { contactImports } = scripted([() => Response.json(body)]);
    const calls = [contactImports.get('x'), contactImports.waitUntilEnded('x')];
    for (const error of await Promise.all(calls.map(failure))) {
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        message:
          'The response is not an item of the contract, which has an `id`: ' +
          `"${JSON.stringify(body)}" (200 from ${request()})`,
      });
    }
  });

  test('for an import without a status, which would be polled forever', async () => {
    jest.useFakeTimers();
    const call = watch(scripted([() => Response.json({ id: 'x' })]).contactImports.waitUntilEnded('x'));
    await jest.advanceTimersByTimeAsync(0);
    expect(call.now).toBeInstanceOf(NetworkError);
    expect(call.now).toMatchObject({
      message:
        'The response is not a contact import of the contract, which has a `status`: ' +
        `"{"id":"x"}" (200 from ${request()})`,
    });
  });

  test('but a 304 to an unconditional request is an ApiError', async () => {
    jest.useFakeTimers();
    const { contactImports } = scripted([() => new Response(null, { status: 304 })]);
    const calls = [contactImports.get('x'), contactImports.waitUntilEnded('x')].map(watch);
    await jest.advanceTimersByTimeAsync(0);
    for (const call of calls) expect(call.now).toMatchObject({ name: 'application_error', status: 304 });
  });
});

describe('retries', () => {
  test.each([
    ['429', { status: 429 }],
    ['503', { status: 503 }],
  ] as const)('after %s of a real server', async (_, fault) => {
    server.fail(fault);
    expect(await clientOf().contactImports.get(RECORD.id)).toEqual(RECORD);
    expect(requests).toBe(2);
  });

  test('after a cut connection of a real server', async () => {
    server.fail({ disconnect: true });
    expect(await clientOf().contactImports.get(RECORD.id)).toEqual(RECORD);
    expect(requests).toBe(2);
  });

  test.each([429, 500, 502, 503, 504])('after %i, at most three times', async (status) => {
    jest.useFakeTimers();
    const call = failure(scripted([problem(status)]).contactImports.get('x'));
    await jest.runAllTimersAsync();
    expect(await call).toMatchObject({ status });
    expect(requests).toBe(4);
  });

  test.each([400, 401, 404, 422, 501])('but not after %i', async (status) => {
    expect(await failure(scripted([problem(status)]).contactImports.get('x'))).toMatchObject({ status });
    expect(requests).toBe(1);
  });

  test('pauses grow, and jitter shortens them by at most half', async () => {
    jest.useFakeTimers();
    for (const [chance, pauses] of [
      [0, [250, 500, 1000]],
      [1, [125, 250, 500]],
    ] as const) {
      requests = 0;
      jest.spyOn(Math, 'random').mockReturnValue(chance);
      const call = failure(scripted([problem(503)]).contactImports.get('x'));
      for (const [at, pause] of pauses.entries()) {
        await jest.advanceTimersByTimeAsync(pause - 1);
        expect(requests).toBe(at + 1);
        await jest.advanceTimersByTimeAsync(1);
        expect(requests).toBe(at + 2);
      }
      await call;
      jest.restoreAllMocks();
    }
  });

  test.each([
    ['in seconds', (): string => '7'],
    ['as a date', (): string => new Date(Date.now() + 7000).toUTCString()],
  ])('Retry-After %s is obeyed', async (_, value) => {
    jest.useFakeTimers({ now: 1_800_000_000_000 });
    const call = scripted([problem(429, { 'retry-after': value() }), good]).contactImports.get('x');
    await jest.advanceTimersByTimeAsync(6999);
    expect(requests).toBe(1);
    await jest.advanceTimersByTimeAsync(2);
    expect(await call).toEqual(RECORD);
  });

  test('a Retry-After beyond the total limit is not awaited', async () => {
    const error = await failure(scripted([problem(503, { 'retry-after': '61' })]).contactImports.get('x'));
    expect(error).toMatchObject({ status: 503, retryAfter: 61 });
    expect(requests).toBe(1);
  });

  test('the total limit includes all attempts', async () => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const call = failure(scripted([problem(503)], { retry: { retries: 100, totalMs: 2000 } }).contactImports.get('x'));
    await jest.advanceTimersByTimeAsync(2001);
    expect(await call).toMatchObject({ status: 503 });
    expect(requests).toBe(4); // At 0, 250, 750 and 1750 ms.
    jest.restoreAllMocks();
  });

  test.each([
    ['', hang],
    [', and of one that does not end when it is aborted', hangForGood],
  ])('the total limit aborts the request in flight%s', async (_, fetch) => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(1);
    const client = clientOf({ timeoutMs: 800, retry: { totalMs: 1000 }, fetch });
    const call = watch(client.contactImports.get('x')); // Requests at 0 and 925 ms.
    await jest.advanceTimersByTimeAsync(999);
    expect(call.now).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.now).toBeInstanceOf(TimeoutError);
    expect(call.now).toMatchObject({ message: `No response arrived within 1000 ms in all. (${request()})` });
    expect(jest.getTimerCount()).toBe(0);
    jest.restoreAllMocks();
  });

  test.each([{ retry: false }, { retry: { retries: 0 } }] as const)(
    'one try may take longer than a minute with %j, if its timeout says so',
    async (options) => {
      jest.useFakeTimers();
      const call = watch(clientOf({ timeoutMs: 120_000, ...options, fetch: hang }).contactImports.get('x'));
      await jest.advanceTimersByTimeAsync(119_999);
      expect(call.now).toBeUndefined();
      await jest.advanceTimersByTimeAsync(1);
      expect(call.now).toMatchObject({
        name: 'TimeoutError',
        message: `No response arrived within 120000 ms. (${request()})`,
      });
    },
  );

  test('time limits beyond the maximum of a timer mean no limit', async () => {
    jest.useFakeTimers();
    const endless = { timeoutMs: Infinity, retry: { totalMs: Infinity } };
    const hanging = watch(clientOf({ ...endless, fetch: hang }).contactImports.get('x'));
    const month = 30 * 24 * 3600;
    const pausing = watch(scripted([problem(503, { 'retry-after': String(month) })], endless).contactImports.get('x'));
    await jest.advanceTimersByTimeAsync(24 * 3600 * 1000);
    expect([hanging.now, pausing.now, requests]).toEqual([undefined, undefined, 2]);
  });

  test('a timeout is retried like a network failure', async () => {
    jest.useFakeTimers();
    const client = clientOf({
      timeoutMs: 1000,
      fetch: (url, init) => (requests === 0 ? hang(url, init) : Promise.resolve(good())),
    });
    const call = client.contactImports.get('x');
    await jest.advanceTimersByTimeAsync(1500);
    expect(await call).toEqual(RECORD);
  });

  test('apply to GET too', async () => {
    server.fail({ status: 500 });
    const { data, response } = await clientOf().GET('/contacts/imports/{id}', { params: { path: { id: RECORD.id } } });
    expect(data).toEqual(RECORD);
    expect(response.status).toBe(200);
    expect(requests).toBe(2);
  });
});

describe('aborting', () => {
  const reason = new Error('enough');

  test('before the call sends no request', async () => {
    expect(await failure(clientOf().contactImports.get('x', { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(requests).toBe(0);
  });

  test('during a request ends it', async () => {
    server.fail({ delayMs: 5000 });
    const controller = new AbortController();
    const client = clientOf({
      fetch: (url, init) => {
        setTimeout(() => {
          controller.abort(reason);
        }, 10);
        return fetch(url, init);
      },
    });
    expect(await failure(client.contactImports.get(RECORD.id, { signal: controller.signal }))).toBe(reason);
  });

  test('during a pause ends it immediately', async () => {
    jest.useFakeTimers();
    const controller = new AbortController();
    const call = failure(
      scripted([problem(503, { 'retry-after': '30' })]).contactImports.get('x', { signal: controller.signal }),
    );
    await jest.advanceTimersByTimeAsync(10);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(requests).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('of a page ends it', async () => {
    const list = clientOf().contactImports.list({ signal: AbortSignal.abort(reason) });
    expect(await failure(Promise.resolve(list))).toBe(reason);
  });
});

describe('neither a timer nor a listener on the signal remains after', () => {
  type Ask = (client: RollcallClient, options: { signal: AbortSignal }) => PromiseLike<unknown>;
  const list = (): Response => Response.json({ object: 'list', has_more: true, data: [RECORD] });
  const status = (value: string) => (): Response => Response.json({ ...RECORD, status: value });
  const get: Ask = ({ contactImports }, options) => contactImports.get('x', options);
  const wait: Ask = ({ contactImports }, options) => contactImports.waitUntilEnded('x', options);
  const lateWait: Ask = ({ contactImports }, options) =>
    contactImports.waitUntilEnded('x', { ...options, timeoutMs: 1 });
  const leaveLoop: Ask = async ({ contactImports }, options) => {
    for await (const _ of contactImports.list(options)) return;
  };
  const ownFetch: Ask = ({ GET }, options) =>
    GET('/automations', { ...options, fetch: () => Promise.resolve(Response.json({})) });
  const check = (signal: AbortSignal): void => {
    expect(jest.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  };

  test.each<[string, (() => Response | Promise<Response>)[], Ask]>([
    ['a call that is tried again', [problem(503), good], get],
    ['a call that fails', [problem(404)], get],
    ['a call that is late', [hangForGood], get],
    ['a page', [list], ({ contactImports }, options) => contactImports.list(options)],
    ['a loop that is left', [list], leaveLoop],
    ['a wait', [status('queued'), status('completed')], wait],
    ['a wait that is late', [status('queued')], lateWait],
    ['GET', [problem(503), list], ({ GET }, options) => GET('/automations', options)],
    ['GET with a fetch of its own', [], ownFetch],
  ])('%s', async (_, responses, ask) => {
    jest.useFakeTimers();
    const { signal } = new AbortController();
    const call = watch(ask(scripted(responses), { signal }));
    await jest.runAllTimersAsync();
    expect(call.now).toBeDefined();
    check(signal);
  });

  test.each<[string, () => Response | Promise<Response>, Ask]>([
    ['request', hangForGood, get],
    ['pause', problem(503), get],
    ['wait', status('queued'), wait],
  ])('a %s that is aborted', async (_, response, ask) => {
    jest.useFakeTimers();
    const controller = new AbortController();
    const call = watch(ask(scripted([response]), { signal: controller.signal }));
    await jest.advanceTimersByTimeAsync(0);
    controller.abort('enough');
    await jest.advanceTimersByTimeAsync(0);
    expect(call.now).toBe('enough');
    check(controller.signal);
  });
});

describe('waitUntilEnded', () => {
  const zero = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const queued = contactImport({ status: 'queued', completed_at: null, counts: zero });

  test.each(['completed', 'failed'] as const)('follows an import until it has %s', async (end) => {
    await server.put('contactImports', [queued]);
    const seen: string[] = [];
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    const done = { yet: false };
    const waiting = clientOf()
      .contactImports.waitUntilEnded(queued.id, {
        onProgress: ({ status }) => {
          seen.push(status);
          void server.moveImport(queued.id, { end });
        },
      })
      .finally(() => (done.yet = true));
    while (!done.yet) {
      await new Promise((resolve) => setImmediate(resolve)); // The network takes real time, the pauses do not.
      jest.advanceTimersByTime(50);
    }
    expect(await waiting).toMatchObject({ id: queued.id, status: end });
    expect(seen).toEqual(['queued', 'in_progress', end]);
  });

  test('sends conditional requests with growing pauses while nothing changes', async () => {
    jest.useFakeTimers();
    const asked: { at: number; match: string | null }[] = [];
    const start = Date.now();
    const client = clientOf({
      fetch: (_url, { headers }) => {
        asked.push({ at: Date.now() - start, match: new Headers(headers).get('if-none-match') });
        const isFirst = asked.length === 1;
        const init = { headers: { etag: '"one"' } };
        return Promise.resolve(isFirst ? Response.json(queued, init) : new Response(null, { ...init, status: 304 }));
      },
    });
    const progress: unknown[] = [];
    const options = { timeoutMs: 60_000, onProgress: (it: unknown) => progress.push(it) };
    const call = failure(client.contactImports.waitUntilEnded(queued.id, options));
    await jest.runAllTimersAsync();
    expect(await call).toMatchObject({
      name: 'TimeoutError',
      message: 'The contact import has not ended within 60000 ms.',
    });
    expect(progress).toEqual([queued]);
    expect(asked.map((it) => it.match)).toEqual([null, ...Array<string>(asked.length - 1).fill('"one"')]);
    const pauses = asked.slice(1).map(({ at }, index) => at - (asked[index]?.at ?? 0));
    expect(pauses.slice(0, 4)).toEqual([500, 750, 1125, 1687]);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000);
  });

  test('ends the pause at its time limit', async () => {
    jest.useFakeTimers();
    const call = watch(
      scripted([() => Response.json(queued)]).contactImports.waitUntilEnded(queued.id, { timeoutMs: 1000 }),
    );
    await jest.advanceTimersByTimeAsync(999);
    expect([call.now, requests]).toEqual([undefined, 2]); // At 0 and 500 ms; the next would be at 1250.
    await jest.advanceTimersByTimeAsync(1);
    expect(call.now).toBeInstanceOf(TimeoutError);
    expect(call.now).toMatchObject({ message: 'The contact import has not ended within 1000 ms.' });
    expect([requests, jest.getTimerCount()]).toEqual([2, 0]);
  });

  test('aborts the request in flight at its time limit', async () => {
    jest.useFakeTimers();
    const aborted: unknown[] = [];
    const client = clientOf({
      fetch: (url, init) => {
        init.signal?.addEventListener('abort', () => aborted.push(Date.now()));
        return hang(url, init);
      },
    });
    const end = Date.now() + 1000;
    const call = watch(client.contactImports.waitUntilEnded(queued.id, { timeoutMs: 1000 }));
    await jest.advanceTimersByTimeAsync(999);
    expect(call.now).toBeUndefined();
    await jest.advanceTimersByTimeAsync(1);
    expect(call.now).toMatchObject({
      name: 'TimeoutError',
      message: 'The contact import has not ended within 1000 ms.',
    });
    expect([requests, aborted, jest.getTimerCount()]).toEqual([1, [end], 0]);
  });

  test('ends immediately when it is aborted', async () => {
    jest.useFakeTimers();
    const controller = new AbortController();
    const reason = new Error('enough');
    const client = scripted([() => Response.json(queued)]);
    const call = failure(client.contactImports.waitUntilEnded(queued.id, { signal: controller.signal }));
    await jest.advanceTimersByTimeAsync(600);
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('rejects like get', async () => {
    expect(await failure(clientOf().contactImports.waitUntilEnded(UNKNOWN))).toMatchObject({ name: 'not_found' });
  });
});

describe('instanceof', () => {
  const errors = {
    ApiError: new ApiError('', new Response()),
    NetworkError: new NetworkError(),
    TimeoutError: new TimeoutError(),
  };
  const classes = { ApiError, NetworkError, TimeoutError };
  type Name = keyof typeof classes;
  const names = Object.keys(classes) as Name[];
  const matching = (from: Readonly<Record<Name, abstract new (...of: never[]) => unknown>>, value: unknown): Name[] =>
    names.filter((name) => value instanceof from[name]);

  test.each(names)('%s matches those of another copy of the package, and no other class', async (name) => {
    await jest.isolateModulesAsync(async () => {
      const copy = await import('../../client/errors.ts');
      expect(copy[name]).not.toBe(classes[name]);
      expect(matching(copy, errors[name])).toEqual([name]);
      expect(matching(classes, errors[name])).toEqual([name]);
      class Own extends copy.NetworkError {}
      expect(matching(classes, new Own())).toEqual(['NetworkError']);
    });
  });

  test('a subclass matches only its own instances', () => {
    class Mine extends NetworkError {}
    class Other extends NetworkError {}
    expect([new Mine() instanceof Mine, new Mine() instanceof NetworkError, new Mine() instanceof Error]).toEqual([
      true,
      true,
      true,
    ]);
    expect([new Mine() instanceof Other, errors.NetworkError instanceof Mine]).toEqual([false, false]);
  });

  test.each([undefined, null, 'NetworkError', { name: 'NetworkError' }, new Error('x'), NetworkError])(
    '%p is none',
    (value) => {
      expect(matching(classes, value)).toEqual([]);
    },
  );
});

test('rateLimitOf reads the rate-limit state of a response', async () => {
  const headers = {
    'ratelimit-limit': '10',
    'ratelimit-remaining': '7',
    'ratelimit-reset': '1',
    'ratelimit-policy': '10;w=1',
  };
  const list = (): Response => Response.json({ object: 'list', has_more: false, data: [] }, { headers });
  const { response } = await scripted([list]).automations.list();
  expect(rateLimitOf(response)).toEqual({ limit: 10, remaining: 7, reset: 1, policy: '10;w=1' });
  expect(rateLimitOf((await clientOf().automations.list()).response)).toBeUndefined();
});

describe('createClient rejects, without repeating it,', () => {
  // As from JavaScript.
  const errorOf = (options: object): unknown => {
    try {
      return createClient(options);
    } catch (error) {
      return error;
    }
  };

  test.each([undefined, null, 7, new URL('http://x'), '', 'nonsense', '/relative'])('baseUrl %p', (baseUrl) => {
    expect(errorOf({ baseUrl, apiKey: 'k' })).toEqual(
      new TypeError('baseUrl must be a string with a URL such as https://api.example.com; or set ROLLCALL_BASE_URL.'),
    );
  });

  test.each([undefined, null, 7, ['k'], '', 'two words', 'line\nbreak', 'ключ'])('apiKey %p', (apiKey) => {
    expect(errorOf({ baseUrl: 'http://x', apiKey })).toEqual(
      new TypeError('apiKey must be a string of printable ASCII without spaces; or set ROLLCALL_API_KEY.'),
    );
  });
});
