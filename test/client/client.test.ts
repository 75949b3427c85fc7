/** The client against a server on a port. */
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { automation, contactImport } from '../../testkit/builders.ts';
import { serve } from '../support/served.ts';

test('a page, typed from the contract', async () => {
  const record = automation();
  const { url, key } = await serve({ records: { automations: [record] } });
  for (const baseUrl of [url, `${url}/`]) {
    const { data, error, response } = await createClient({ baseUrl, apiKey: key }).GET('/automations', {
      params: { query: { status: 'enabled', limit: 5 } },
    });
    expect(error).toBeUndefined();
    expect(data?.data satisfies (typeof record)[] | undefined).toEqual([record]);
    expect(response.headers.get('etag')).toMatch(/^"/);
  }
});

test('get an import by id, and the declared error for an unknown id', async () => {
  const record = contactImport();
  const { url, key } = await serve({ records: { contactImports: [record] } });
  const client = createClient({ baseUrl: url, apiKey: key });
  const get = (id: string) => client.GET('/contacts/imports/{id}', { params: { path: { id } } });
  expect((await get(record.id)).data).toEqual(record);
  const { data, error } = await get('00000000-0000-4000-8000-000000000000');
  expect(data).toBeUndefined();
  expect(error?.name satisfies string | undefined).toBe('not_found');
});

describe('GET passes a real Request', () => {
  const page = { object: 'list', has_more: false, data: [] };
  const client = createClient({
    baseUrl: 'http://api.test/v1',
    apiKey: 'k',
    timeoutMs: 1000,
    fetch: (url, { method, headers }) =>
      Promise.resolve(Response.json({ ...page, asked: [method, url, new Headers(headers).get('x-from')] })),
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('to a `fetch` of the call, which is retried like any other', async () => {
    jest.useFakeTimers();
    const inputs: Request[] = [];
    const call = client.GET('/automations', {
      params: { query: { limit: 1 } },
      headers: { 'if-none-match': '"one"' },
      cache: 'no-store',
      fetch: (input) => {
        inputs.push(input);
        return Promise.resolve(inputs.length === 1 ? new Response(null, { status: 503 }) : Response.json(page));
      },
    });
    await jest.runAllTimersAsync();
    expect((await call).data).toEqual(page);
    expect(inputs).toHaveLength(2);
    for (const input of inputs) {
      expect(input).toBeInstanceOf(Request);
      const { method, url, headers, cache } = input;
      expect({ method, url, cache, headers: Object.fromEntries(headers) }).toEqual({
        method: 'GET',
        url: 'http://api.test/v1/automations?limit=1',
        cache: 'no-store',
        headers: { authorization: 'Bearer k', 'if-none-match': '"one"', 'user-agent': 'rollcall-client/0.1.0' },
      });
    }
  });

  test('to a `fetch` of the call, and aborts it after a timeout and when the caller aborts', async () => {
    jest.useFakeTimers();
    const signals: AbortSignal[] = [];
    const fetch = ({ signal }: Request): Promise<Response> => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const late = client.GET('/automations', { fetch }).catch((it: unknown) => it);
    await jest.runAllTimersAsync();
    expect(await late).toMatchObject({
      name: 'TimeoutError',
      message: 'No response arrived within 1000 ms. (GET http://api.test/v1/automations)',
    });
    expect(signals.map((it) => it.aborted)).toEqual([true, true, true, true]);

    const controller = new AbortController();
    const ended = client.GET('/automations', { fetch, signal: controller.signal }).catch((it: unknown) => it);
    await jest.advanceTimersByTimeAsync(0);
    controller.abort('enough');
    expect(await ended).toBe('enough');
    expect(signals[4]?.aborted).toBe(true);
  });

  test('to a middleware, which may change or replace it', async () => {
    const { data } = await client.GET('/automations', {
      middleware: [
        {
          onRequest: ({ request }) => {
            expect(request).toBeInstanceOf(Request);
            request.headers.set('x-from', 'changed');
          },
        },
        { onRequest: ({ request }) => new Request(`${request.url}?limit=2`, request) },
      ],
    });
    expect(data).toMatchObject({ asked: ['GET', 'http://api.test/v1/automations?limit=2', 'changed'] });
  });

  test('and options that are not standard in `fetch` to the `fetch` of the client', async () => {
    const seen: unknown[] = [];
    const other = createClient({
      baseUrl: 'http://api.test',
      apiKey: 'k',
      fetch: (_url, init) => {
        const { method, cache, next } = { ...init } as RequestInit & { cache?: unknown; next?: unknown };
        seen.push([method, cache, next, new Headers({ ...init }.headers).get('authorization')]);
        return Promise.resolve(Response.json(page));
      },
    });
    await other.GET('/automations', { cache: 'no-store', next: { revalidate: 5 } });
    expect(seen).toEqual([['GET', 'no-store', { revalidate: 5 }, 'Bearer k']]);
  });
});
