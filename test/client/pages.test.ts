/** A list as a promise, its pages and arrays, and the response of every call. */
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { replaceEqualDeep } from '@tanstack/query-core';
import { createClient } from '../../client/index.ts';
import type { Automation, Page, RollcallClient } from '../../client/index.ts';
import { automation, contactImport, startRollcall } from '../../testkit/index.ts';
import type { TestServer } from '../../testkit/index.ts';
import { afterFile } from '../support/after-test.ts';
import { counted, requests } from '../support/scripted-client.ts';
import { series } from '../support/series.ts';

const RECORDS = series(12, (it) => automation(it));
const IMPORT = contactImport();

let server: TestServer;
let client: RollcallClient;
beforeAll(async () => {
  server = await startRollcall({ automations: RECORDS, contactImports: [IMPORT] });
  afterFile(() => server.close());
  client = counted(server);
});
afterEach(() => server.reset());

const wrongKey = (): RollcallClient => createClient({ baseUrl: server.url, apiKey: 'nonsense' });

describe('a list is a promise', () => {
  test('that sends one request, however often it is awaited', async () => {
    const list = client.automations.list({ limit: 5 });
    expect(list).toBeInstanceOf(Promise);
    expect(Object.prototype.toString.call(list)).toBe('[object Promise]');
    expect(requests).toBe(0);
    const pages = [await list, ...(await Promise.all([list, list])), await Promise.resolve(list)];
    expect(pages.map((it) => it === pages[0])).toEqual([true, true, true, true]);
    expect((await list.withResponse()).data).toBe(pages[0]);
    expect(requests).toBe(1);
  });

  test('with `catch` and `finally`, which return promises and not lists', async () => {
    const order: unknown[] = [];
    const list = wrongKey().automations.list();
    const caught = list
      .finally(() => order.push('finally'))
      .catch((error: unknown) => {
        order.push((error as Error).name);
        return 'caught';
      });
    expect(await caught).toBe('caught');
    expect(order).toEqual(['finally', 'invalid_api_key']);
    expect(caught.constructor).toBe(Promise);
    expect((await client.automations.list({ limit: 1 }).finally(() => undefined)).data).toEqual([RECORDS[0]]);
  });

  test('that treats `undefined` options as absent', async () => {
    const page = await client.automations.list({ after: undefined, limit: undefined, status: undefined });
    expect(page.data).toEqual(RECORDS);
  });

  test('that sends both cursors, as JavaScript may pass them, for the server to reject', async () => {
    const both = { after: RECORDS[1]?.id, before: RECORDS[2]?.id } as { after: string };
    await expect(client.automations.list(both)).rejects.toMatchObject({ name: 'validation_error', status: 422 });
    await expect(client.automations.list(both).toArray({ max: 5 })).rejects.toMatchObject({ status: 422 });
  });
});

describe('nextPage', () => {
  async function through(first: Page<Automation>): Promise<Automation[][]> {
    const all = [first.data];
    let page = first;
    while (page.hasNextPage()) {
      page = await page.nextPage();
      all.push(page.data);
    }
    return all;
  }
  const ids = (pages: readonly Automation[][]): string[][] => pages.map((page) => page.map((it) => it.id));

  test('goes to older items, with the limit of the list', async () => {
    const pages = await through(await client.automations.list({ limit: 5 }));
    expect(pages).toEqual([RECORDS.slice(0, 5), RECORDS.slice(5, 10), RECORDS.slice(10)]);
    expect(requests).toBe(3);
  });

  test('goes to newer items with `before`', async () => {
    const before = String(RECORDS[11]?.id);
    const pages = await through(await client.automations.list({ limit: 5, before }));
    expect(pages).toEqual([RECORDS.slice(6, 11), RECORDS.slice(1, 6), RECORDS.slice(0, 1)]);
  });

  test('keeps the filter', async () => {
    const off = { ...automation({ status: 'disabled' }), created_at: '2027-01-01 00:00:00+00' };
    await server.put('automations', [off]);
    const pages = await through(await client.automations.list({ limit: 10, status: 'enabled' }));
    expect(pages.flat()).toEqual(RECORDS.filter((it) => it.status === 'enabled'));
  });

  test('continues if the last item, or all of the page, is removed meanwhile', async () => {
    const first = await client.automations.list({ limit: 3 });
    const second = await first.nextPage();
    await server.remove('automations', ids([second.data])[0] ?? []);
    expect((await second.nextPage()).data).toEqual(RECORDS.slice(6, 9));
  });

  test('exists on the pages of a traversal too, also on the last one of its `max`', async () => {
    const pages: Page<Automation>[] = [];
    for await (const page of client.automations.list({ max: 4 }).pages()) pages.push(page);
    expect(pages.map((it) => it.data)).toEqual([RECORDS.slice(0, 4)]);
    expect((await pages[0]?.nextPage())?.data).toEqual(RECORDS.slice(4));
  });

  test('is a RangeError after the last page', async () => {
    const page = await client.automations.list();
    expect(page.hasNextPage()).toBe(false);
    await expect(page.nextPage()).rejects.toThrow(new RangeError('There is no next page: check hasNextPage() first.'));
    expect(requests).toBe(1);
  });

  test('works through a proxy object, as in Vue', async () => {
    const page = new Proxy(await client.automations.list({ limit: 11 }), {
      get: (target, name, proxy): unknown => {
        const value: unknown = Reflect.get(target, name, proxy);
        return typeof value === 'function' ? value.bind(proxy) : value;
      },
    });
    expect((await page.nextPage()).data).toEqual(RECORDS.slice(11));
    expect(page.response.status).toBe(200);
    expect(page.response).toBe(page.response);
  });

  test('is not lost where TanStack Query merges a page into the one before', async () => {
    const page = await client.automations.list();
    expect(replaceEqualDeep(await client.automations.list({ limit: 5 }), page)).toBe(page);
  });
});

test('a page is the envelope of the contract, as JSON and as a clone', async () => {
  const page = await client.automations.list();
  const envelope = { object: 'list', has_more: false, data: RECORDS };
  expect(JSON.parse(JSON.stringify(page))).toEqual(envelope);
  expect(structuredClone(page)).toEqual(envelope);
  expect({ ...page }).toEqual(envelope);
  expect(Object.keys(page)).toEqual(Object.keys(envelope));
});

describe('toArray', () => {
  test.each([
    [0, 0],
    [7, 2],
    [12, 3],
    [100, 3],
    [Infinity, 3],
  ])('of at most %d items takes %d requests', async (max, expected) => {
    expect(await client.automations.list({ limit: 5 }).toArray({ max })).toEqual(RECORDS.slice(0, max));
    expect(requests).toBe(expected);
  });

  test('is limited by the `max` of the list too, and goes from the nearest item to newer ones with `before`', async () => {
    expect(await client.automations.list({ max: 3 }).toArray({ max: 5 })).toEqual(RECORDS.slice(0, 3));
    const list = client.automations.list({ before: String(RECORDS[5]?.id) });
    expect(await list.toArray({ max: 2 })).toEqual([RECORDS[4], RECORDS[3]]);
  });

  const invalid = new TypeError('`max` must be a whole number, 0 or more.');
  test.each([[], [{}], ...[NaN, -1, 2.5, null, '5'].map((max) => [{ max }])])('rejects %j', async (...bound) => {
    await expect(client.automations.list().toArray(...(bound as [{ max: number }]))).rejects.toThrow(invalid);
    expect(requests).toBe(0);
  });

  test.each([NaN, -1, 2.5, null, '5'])('so does every use of a list with a `max` of %p', async (max) => {
    const list = client.automations.list({ limit: 10, max: max as number });
    await expect(list).rejects.toThrow(invalid);
    for (const items of [list, list.pages()])
      await expect(items[Symbol.asyncIterator]().next()).rejects.toThrow(invalid);
    await expect(list.toArray({ max: 5 })).rejects.toThrow(invalid);
    expect(requests).toBe(0);
  });
});

describe('withResponse', () => {
  test.each([
    ['a list', () => client.automations.list(), (it: unknown) => (it as Page<Automation>).data, RECORDS],
    ['get', () => client.contactImports.get(IMPORT.id), (it: unknown) => it, IMPORT],
    ['waitUntilEnded', () => client.contactImports.waitUntilEnded(IMPORT.id), (it: unknown) => it, IMPORT],
  ])('of %s has the response, whose body is not consumed', async (_, call, dataOf, expected) => {
    const { data, response } = await call().withResponse();
    expect(dataOf(data)).toEqual(expected);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('etag')).toMatch(/^"/);
    expect(dataOf(await response.json())).toEqual(expected);
    expect(requests).toBe(1);
  });

  test.each(['get', 'waitUntilEnded'] as const)(
    'of a `%s` that is also awaited sends one request, then',
    async (method) => {
      const call = client.contactImports[method](IMPORT.id);
      await new Promise(setImmediate); // It would be an unhandled rejection, if it had been sent and failed.
      expect(requests).toBe(0);
      expect(call).toBeInstanceOf(Promise);
      expect([await call, (await call.withResponse()).data]).toEqual([IMPORT, IMPORT]);
      expect(requests).toBe(1);
    },
  );

  test('rejects like the call, with a response that can be read', async () => {
    const call = wrongKey().contactImports.get(IMPORT.id);
    await expect(call.withResponse()).rejects.toMatchObject({ name: 'invalid_api_key', status: 401 });
    const error: unknown = await call.catch((it: unknown) => it);
    expect(await (error as { response: Response }).response.json()).toMatchObject({ name: 'invalid_api_key' });
  });
});
