/** Errors of calls: what the server says, no response, and responses that do not match the contract. */
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ApiError, NetworkError, TimeoutError, createClient } from '../../client/index.ts';
import type { ClientOptions, RollcallClient } from '../../client/index.ts';
import { contactImport, startRollcall } from '../../testkit/index.ts';
import type { TestServer } from '../../testkit/index.ts';
import { afterFile } from '../support/after-test.ts';
import { start } from '../support/kit.ts';
import { BASE_URL, counted, failure, request, requests, scripted, watch } from '../support/scripted-client.ts';

const RECORD = contactImport();
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let server: TestServer;
beforeAll(async () => {
  server = await startRollcall({ contactImports: [RECORD] });
  afterFile(() => server.close());
});
afterEach(async () => {
  jest.useRealTimers();
  await server.reset();
});
const clientOf = (options: Partial<ClientOptions> = {}): RollcallClient => counted(server, options);
const noRetry = { retry: false } as const;

describe('ApiError', () => {
  test('has the contract’s name, the status, the message and the id of the request', async () => {
    const error = await failure(clientOf().contactImports.get(UNKNOWN));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name: 'not_found',
      status: 404,
      message: `There is no contact import with this \`id\`. (404 from ${request(UNKNOWN, server.url)})`,
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
    ['an item', () => Response.json(RECORD, { status: 400 }), 400],
  ])('of %s is an application_error', async (_, response, status) => {
    expect(await failure(scripted([response], noRetry).contactImports.get('x'))).toMatchObject({
      name: 'application_error',
      status,
    });
  });
});

describe('no response', () => {
  test('from an unreachable server is a NetworkError with its cause', async () => {
    const closed = await start();
    await closed.close();
    const error = await failure(counted(closed, noRetry).contactImports.get(RECORD.id));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ name: 'NetworkError', cause: { message: 'fetch failed' } });
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
  const lists = [[], {}, [null], [item, {}], [{ id: 7 }]].map((data) => ({ has_more: false, data }));
  const bodies = [
    ...lists.slice(1),
    {},
    [],
    null,
    'text',
    { has_more: false },
    { data: [] },
    { ...lists[0], has_more: 'no' },
  ];
  test.each(bodies.map((it) => [it]))('%j for a list', async (body) => {
    const list = scripted([() => Response.json(body)]).contactImports.list();
    const walk = async (items: AsyncIterable<unknown>): Promise<void> => {
      for await (const _ of items);
    };
    for (const error of await Promise.all([list, walk(list), walk(list.pages())].map(failure))) {
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        message:
          'The response is not a list of the contract, with `has_more`, and `data` whose items have an `id`: ' +
          `"${JSON.stringify(body)}" (200 from GET ${BASE_URL}/contacts/imports)`,
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
    const calls = [contactImports.get('x'), contactImports.waitUntilEnded('x')].map(failure);
    const kinds = [
      'an item of the contract, with an `id`',
      'a contact import of the contract, with an `id` and a `status`',
    ];
    for (const [at, error] of (await Promise.all(calls)).entries()) {
      expect(error).toBeInstanceOf(NetworkError);
      expect(error).toMatchObject({
        message: `The response is not ${String(kinds[at])}: "${JSON.stringify(body)}" (200 from ${request()})`,
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
        'The response is not a contact import of the contract, with an `id` and a `status`: ' +
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
      const copy = await import('../../client/client-errors.ts');
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
    const [mine, matched] = [new Mine(), [Mine, NetworkError, Error, Other]];
    expect(matched.filter((it) => mine instanceof it)).toEqual([Mine, NetworkError, Error]);
    expect(errors.NetworkError instanceof Mine).toBe(false);
  });

  test.each([undefined, null, 'NetworkError', { name: 'NetworkError' }, new Error('x'), NetworkError])(
    '%p is none',
    (value) => {
      expect(matching(classes, value)).toEqual([]);
    },
  );
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

  const hint = (value: unknown): string => (value === undefined ? ' It is undefined: is an `await` missing?' : '');

  test('an option that is not given has no hint', () => {
    expect(errorOf({ baseUrl: 'http://x' })).toEqual(
      new TypeError(
        'apiKey must be a string of printable ASCII without spaces, not the … of an example; or set ROLLCALL_API_KEY.',
      ),
    );
  });

  test.each([undefined, null, 7, new URL('http://x'), '', 'nonsense', '/relative', 'ftp://x', 'localhost:3000'])(
    'baseUrl %p',
    (baseUrl) => {
      expect(errorOf({ baseUrl, apiKey: 'k' })).toEqual(
        new TypeError(
          `baseUrl must be an http: or https: URL such as https://api.example.com; or set ROLLCALL_BASE_URL.${hint(baseUrl)}`,
        ),
      );
    },
  );

  test.each([undefined, null, 7, ['k'], '', 'two words', 'line\nbreak', 'ключ'])('apiKey %p', (apiKey) => {
    expect(errorOf({ baseUrl: 'http://x', apiKey })).toEqual(
      new TypeError(
        `apiKey must be a string of printable ASCII without spaces, not the … of an example; or set ROLLCALL_API_KEY.${hint(apiKey)}`,
      ),
    );
  });
});
