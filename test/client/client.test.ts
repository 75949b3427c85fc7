/** The client against a server on a port. */
import { afterEach, expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import { listen } from '../../server/http/listener.ts';
import type { Listener } from '../../server/http/listener.ts';
import { openTestApp, contract } from '../support/app.ts';
import { automation, contactImport } from '../../server/testing/builders.ts';

let listener: Listener | undefined;
afterEach(() => listener?.stop());

async function open(records: Parameters<typeof openTestApp>[0]): Promise<{ url: string; key: string }> {
  const { app, key } = await openTestApp(records);
  listener = await listen(app, contract, { host: '127.0.0.1', port: 0 });
  return { url: listener.url, key };
}

test('a page, typed from the contract', async () => {
  const record = automation();
  const { url, key } = await open({ automations: [record] });
  for (const baseUrl of [url, `${url}/`]) {
    const { data, error, response } = await createClient({ baseUrl, apiKey: key }).GET('/automations', {
      params: { query: { status: 'enabled', limit: 5 } },
    });
    expect(error).toBeUndefined();
    expect(data?.data satisfies (typeof record)[] | undefined).toEqual([record]);
    expect(response.headers.get('etag')).toMatch(/^"/);
  }
});

test('one import by its id, and the declared error for one that is not there', async () => {
  const record = contactImport();
  const { url, key } = await open({ contactImports: [record] });
  const client = createClient({ baseUrl: url, apiKey: key });
  const get = (id: string) => client.GET('/contacts/imports/{id}', { params: { path: { id } } });
  expect((await get(record.id)).data).toEqual(record);
  const { data, error } = await get('00000000-0000-4000-8000-000000000000');
  expect(data).toBeUndefined();
  expect(error?.name satisfies string | undefined).toBe('not_found');
});

test('a wrong key is a declared error', async () => {
  const { url } = await open({});
  const { error, response } = await createClient({ baseUrl: url, apiKey: 'nonsense' }).GET('/contact-properties');
  expect(response.status).toBe(401);
  expect(error).toMatchObject({ statusCode: 401, name: 'invalid_api_key' });
});

test('requests go through the fetch that is handed in', async () => {
  const seen: string[] = [];
  const client = createClient({
    baseUrl: 'http://api.test/v1',
    apiKey: 'k',
    fetch: (url, { method, headers }) => {
      seen.push(`${String(method)} ${url} ${String(new Headers(headers).get('authorization'))}`);
      return Promise.resolve(Response.json({ object: 'list', has_more: false, data: [] }));
    },
  });
  await client.GET('/contacts/imports', { params: { query: { limit: 1 } } });
  expect(seen).toEqual(['GET http://api.test/v1/contacts/imports?limit=1 Bearer k']);
});
