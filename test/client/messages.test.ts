/** Error messages of the client: request, status and body; short, on one line, and without secrets. */
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from '../support/fast-check.ts';
import { NetworkError, createClient } from '../../client/index.ts';
import type { RollcallClient } from '../../client/index.ts';
import { failure as rejection, scripted } from '../support/scripted-client.ts';

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

  test('but a placeholder for a key is not redacted', async () => {
    expect(await messageFor(html('kein'), 'x', 'k')).toContain(
      '"kein" (502 from GET http://api.test/contacts/imports/x)',
    );
  });
});

test('a message is one short line, whatever the body', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.string({ unit: 'binary', minLength: 1 }),
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
  const unsent = 'A parameter cannot be encoded in a URL: it must be a number or well-formed text.';
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
  const reported = 'No response arrived: the server is unreachable or closed the connection.';
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
    const relative = scripted([() => Promise.reject(new TypeError('no'))], { baseUrl: '/v1', retry: false });
    expect((await failure(relative.automations.list())).message).toBe(`${reported} (GET /v1/automations)`);
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
