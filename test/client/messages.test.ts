/** Error messages of the client: request, status and body; short, on one line, and without secrets. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc, { CHARACTER } from '../support/fast-check.ts';
import { NetworkError, createClient } from '../../client/index.ts';
import type { RollcallClient } from '../../client/index.ts';
import { afterTest } from '../support/after-test.ts';
import { start } from '../support/kit.ts';
import { failure as rejection, problem, scripted } from '../support/scripted-client.ts';
import { serve } from '../support/served.ts';

const KEY = 'rollcall_0123456789abcdef+/=';
const REQUEST = 'GET http://api.test/contacts/imports/x';

/** A client whose every request gets this response. */
const meeting = (response: () => Response, apiKey = KEY): RollcallClient =>
  scripted([response], { baseUrl: 'http://api.test', apiKey, retry: false });
const failure = (call: PromiseLike<unknown>): Promise<Error> => rejection(call) as Promise<Error>; // Of no other kind.
const messageFor = async (response: () => Response, id = 'x', apiKey = KEY): Promise<string> =>
  (await failure(meeting(response, apiKey).contactImports.get(id))).message;
const fail = (): never => {
  throw new TypeError('Failed to fetch');
};
const html =
  (body: string, status = 502) =>
  (): Response =>
    new Response(body, { status });

describe('an error that does not match the contract', () => {
  const head = 'The response is an error that does not match the contract: ';
  test.each([
    ['HTML', '<h1>Bad gateway</h1>', '"<h1>Bad gateway</h1>"'],
    ['nothing', '', 'an empty body'],
    ['lines and control characters', 'a\r\nb\u0000\u001b[31m', '"a\\u{d}\\u{a}b\\u{0}\\u{1b}[31m"'],
    ['what turns the direction of writing', 'a\u202eb\u2028c', '"a\\u{202e}b\\u{2028}c"'],
    ['text of any script', 'Ошибка 😀', '"Ошибка 😀"'],
    ['much', 'x'.repeat(100_000), `"${'x'.repeat(200)}…"`],
    [
      'another problem',
      '{"statusCode":404,"name":"not_found","message":"no"}',
      '"{"statusCode":404,"name":"not_found","message":"no"}"',
    ],
  ])('with %s shows the start of it', async (_, body, reported) => {
    expect(await messageFor(html(body))).toBe(`${head}${reported} (502 from ${REQUEST})`);
  });

  test('has the complete body in its response', async () => {
    const error = await failure(meeting(html('x'.repeat(1000))).contactImports.get('x'));
    expect(error).toMatchObject({ name: 'application_error', problem: undefined });
    expect(await (error as Error & { response: Response }).response.text()).toBe('x'.repeat(1000));
  });
});

describe('the key is in no message', () => {
  test.each([
    ['a body that repeats the request', html(`Authorization: Bearer ${KEY}`), 'x'],
    ['a body that has it percent-encoded', html(`?key=${encodeURIComponent(KEY)}`), 'x'],
    ['a body that has it where it is cut', html('x'.repeat(175) + KEY), 'x'],
    ['a JSON response', () => Response.json({ key: KEY }), 'x'],
    ['a response that is not JSON', html(KEY, 200), 'x'],
    [
      'an error of the contract',
      () => Response.json({ statusCode: 400, name: 'x', message: KEY }, { status: 400 }),
      'x',
    ],
    ['an id', html(''), KEY],
    ['an id that has it where the URL is cut', html(''), 'x'.repeat(240) + KEY],
    ['no response', fail, KEY],
  ])('with %s', async (_, response, id) => {
    const message = await messageFor(response, id);
    expect(message).not.toContain('0123456789');
    expect(message).toContain('GET http://api.test/contacts/imports/');
  });

  test.each([
    ['secret78', '[apiKey]'],
    ['secret7', 'secret7'],
  ])('if it has eight characters: %s becomes %s', async (key, shown) => {
    expect(await messageFor(html(key), 'x', key)).toContain(`"${shown}" (502 from ${REQUEST})`);
  });
});

test('a message is one short line, whatever the body', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: CHARACTER, maxLength: 600 }),
      fc.string({ unit: CHARACTER, minLength: 1 }),
      async (body, id) => {
        const message = await messageFor(html(body), id);
        expect(message.length).toBeLessThan(200 * 10 + 300 + 120);
        expect(message).not.toMatch(/[\p{C}\u2028\u2029]/u);
      },
    ),
  );
});

test('a long URL is truncated', async () => {
  expect(await messageFor(html(''), 'x'.repeat(5000))).toBe(
    `The response is an error that does not match the contract: an empty body (502 from GET http://api.test/contacts/imports/${'x'.repeat(300 - 'http://api.test/contacts/imports/'.length)}…)`,
  );
});

describe('an id that cannot be part of a URL is a TypeError, before a request is sent', () => {
  const client = meeting(fail);
  const unsent =
    'The request cannot be written: a parameter must be a number or well-formed text, and a header valid in HTTP.';
  const empty = '`id` must be a non-empty string.';
  test.each<[string, () => PromiseLike<unknown>, string]>([
    ['get', () => client.contactImports.get('\ud800'), unsent],
    ['waitUntilEnded', () => client.contactImports.waitUntilEnded('\ud800'), unsent],
    ['a list', () => client.contactImports.list({ after: '\udc00' }), unsent],
    ['GET', () => client.GET('/contacts/imports/{id}', { params: { path: { id: '\ud800' } } }), unsent],
    ['an empty id', () => client.contactImports.get(''), empty],
    ['no id', () => client.contactImports.get(undefined as unknown as string), empty],
  ])('%s', async (_, call, message) => {
    const error = await failure(call());
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(message);
  });
});

describe('no response', () => {
  const cut = meeting(fail);
  const reported = 'No response arrived: Failed to fetch.';
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'location');
  });
  const onPage = (href: string): void => {
    Object.defineProperty(globalThis, 'location', { value: new URL(href), configurable: true });
  };

  test('names the request', async () => {
    const error = await failure(cut.contactImports.get('x'));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toBe(`${reported} (${REQUEST})`);
  });

  test('in a page of another origin mentions CORS', async () => {
    onPage('http://page.test/');
    expect((await failure(cut.contactImports.get('x'))).message).toBe(
      `${reported} The server may also not allow the origin of this page (CORS): see the console of the browser. (${REQUEST})`,
    );
  });

  test('in a page of the same origin does not', async () => {
    onPage('http://api.test/page');
    expect((await failure(cut.contactImports.get('x'))).message).toBe(`${reported} (${REQUEST})`);
    const relative = scripted([fail], { baseUrl: '/v1', retry: false });
    expect((await failure(relative.automations.list())).message).toBe(
      `${reported} (GET http://api.test/v1/automations)`,
    );
  });

  test('in a page no User-Agent is sent, because another origin would have to allow it', async () => {
    onPage('http://page.test/');
    const sent: string[] = [];
    const client = createClient({
      baseUrl: 'http://api.test',
      apiKey: KEY,
      fetch: (_url, { headers }) => {
        sent.push(...new Headers(headers).keys());
        return Promise.resolve(Response.json({ id: 'x' }));
      },
    });
    await client.contactImports.get('x');
    expect(sent).toEqual(['authorization']);
  });
});

test.each([
  'http://user:password@api.test',
  'http://user@api.test',
  'http://api.test?key=secret',
  'http://api.test#secret',
])('a baseUrl of %s is rejected without repeating it', (baseUrl) => {
  expect(() => createClient({ baseUrl, apiKey: KEY })).toThrow(
    new TypeError('baseUrl must have neither a user name, a password, a query nor a fragment.'),
  );
});

describe('the cause of no response is in the message', () => {
  const from = (cause: Error): Promise<string> => messageFor(() => Promise.reject(cause) as never);
  const chain = (...messages: readonly string[]): Error =>
    messages.reduceRight<Error | undefined>((cause, it) => new Error(it, { cause }), undefined) ?? new Error();

  test.each([
    [chain('fetch failed', 'connect ECONNREFUSED 127.0.0.1:9'), 'fetch failed: connect ECONNREFUSED 127.0.0.1:9'],
    [
      new TypeError('fetch failed', { cause: new AggregateError([chain('refused ::1'), chain('refused 127.0.0.1')]) }),
      'fetch failed: refused 127.0.0.1',
    ],
    [
      chain('fetch failed', 'error:SSL:wrong version number:x.c:77:\n'),
      'the port does not speak TLS, which https: needs: fetch failed: error:SSL:wrong version number:x.c:77:',
    ],
    [chain('a\u001bb', KEY), 'a\\u{1b}b: [apiKey]'],
  ])('%s', async (cause, reason) => {
    expect(await from(cause)).toBe(`No response arrived: ${reason}. (${REQUEST})`);
  });

  test('but not without end', async () => {
    const endless = new Error('a');
    endless.cause = endless;
    expect(await from(endless)).toBe(`No response arrived: a: a: a: a: a. (${REQUEST})`);
  });

  test('of a real server that refuses connections, and of one without TLS', async () => {
    const server = await start();
    const message = async (baseUrl: string): Promise<string> =>
      (await failure(createClient({ baseUrl, apiKey: KEY, retry: false }).contactImports.get('x'))).message;
    expect(await message(server.url.replace('http:', 'https:'))).toContain('the port does not speak TLS');
    await server.close();
    expect(await message(server.url)).toContain('ECONNREFUSED');
  });
});

describe('a request that `fetch` refuses before it is sent is a TypeError, and not retried', () => {
  const { AbortController: real } = globalThis;
  afterEach(() => {
    Object.assign(globalThis, { AbortController: real });
  });

  test('because of an AbortSignal of another realm, as in jsdom', async () => {
    // The signal that jsdom puts in place of the platform's.
    class Signal extends EventTarget {
      aborted = false;
    }
    Object.assign(globalThis, {
      AbortController: class {
        signal = new Signal();
      },
    });
    const { message } = await failure(
      createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: KEY }).contactImports.get('x'),
    );
    expect(message).toMatch(/^`fetch` refuses the request before it is sent: .*AbortSignal/);
  });

  test.each(['Connection-', 'Keep-Alive', 'Transfer-Encoding', 'Upgrade', 'Expect', 'Content-Length'])(
    'because of a header: %s',
    async (name) => {
      const sent: unknown[] = [];
      const client = createClient({
        baseUrl: 'http://api.test',
        apiKey: KEY,
        fetch: (...request) => {
          sent.push(request);
          return Promise.resolve(Response.json({ id: 'x' }));
        },
      });
      const error = await failure(client.contactImports.get('x', { headers: { [name]: '1' } }));
      if (name === 'Connection-') {
        expect([error, sent.length]).toEqual([undefined, 1]);
        return;
      }
      expect(error).toEqual(
        new TypeError(`The header \`${name.toLowerCase()}\` cannot be sent: \`fetch\` refuses it.`),
      );
      expect(sent).toEqual([]);
    },
  );

  test.each(['fetch', 'Headers', 'Response'] as const)('because the platform has no %s', async (name) => {
    const { [name]: was } = globalThis;
    Reflect.deleteProperty(globalThis, name);
    afterTest(() => void Object.assign(globalThis, { [name]: was }));
    const client = createClient({ baseUrl: 'http://api.test', apiKey: KEY });
    expect(await failure(client.contactImports.get('x'))).toEqual(
      new TypeError(`This platform has no \`${name}\`. In Jest, use the environment \`node\` or jest-fixed-jsdom.`),
    );
  });
});

test('the package can be imported where there is no TextDecoder, as in Jest with jsdom', async () => {
  const { TextDecoder: was } = globalThis;
  Reflect.deleteProperty(globalThis, 'TextDecoder');
  afterTest(() => void Object.assign(globalThis, { TextDecoder: was }));
  await jest.isolateModulesAsync(async () => {
    await expect(import('../../client/index.ts')).resolves.toHaveProperty('createClient');
  });
});

test('a baseUrl with blanks around it, or escapes, is a URL all the same', async () => {
  for (const baseUrl of [' http://api.test ', 'http://api.test/?', '\thttp://api.test\n']) {
    const client = scripted([fail], { baseUrl, retry: false });
    expect((await failure(client.contactImports.get('x'))).message).toContain(`(${REQUEST})`);
  }
});

describe('a 404 of a path that the contract does not have', () => {
  test('asks for the path of the baseUrl', async () => {
    const { url, key } = await serve({});
    const client = createClient({ baseUrl: `${url}/v1`, apiKey: key });
    expect((await failure(client.automations.list())).message).toBe(
      `This path does not exist. Is the path of \`baseUrl\` right, /v1? (404 from GET ${url}/v1/automations)`,
    );
    expect((await failure(createClient({ baseUrl: url, apiKey: key }).contactImports.get('x'))).message).not.toContain(
      'baseUrl',
    );
  });

  test.each([
    ['http://api.test/v1', () => new Response('', { status: 404 }), true],
    ['http://api.test', () => new Response('', { status: 404 }), false],
    ['http://api.test/v1', () => new Response('', { status: 502 }), false],
    ['http://api.test/v1', problem(404), false],
  ])('%s, %p', async (baseUrl, response, isAsked) => {
    const { message } = await failure(scripted([response], { baseUrl, retry: false }).contactImports.get('x'));
    expect(message.includes('Is the path of `baseUrl` right, /v1?')).toBe(isAsked);
  });
});
