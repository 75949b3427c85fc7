/** The client in TanStack Query: a list as `queryFn`, and the options of an infinite query. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CancelledError, InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { ApiError, createClient } from '../../client/index.ts';
import type { Automation, Page, RollcallClient } from '../../client/index.ts';
import { infiniteList } from '../../client/tanstack-query.ts';
import { automation, startRollcall } from '../../server/testing/index.ts';
import type { TestServer } from '../../server/testing/index.ts';
import { afterFile } from '../support/after-test.ts';
import { series } from '../support/series.ts';

const RECORDS = series(12, (it) => automation({ ...it, status: 'enabled' }));
const idAt = (at: number): string => String(RECORDS[at]?.id);

let server: TestServer;
let client: RollcallClient;
let queries: QueryClient;
beforeAll(async () => {
  server = await startRollcall({ automations: RECORDS });
  afterFile(() => server.close());
  client = createClient({ baseUrl: server.url, apiKey: server.apiKey });
});
beforeEach(() => {
  queries = new QueryClient();
});
afterEach(() => {
  queries.clear();
  return server.reset();
});

const items = (data: { readonly pages: readonly { readonly data: Automation[] }[] } | undefined): Automation[][] =>
  (data?.pages ?? []).map((it) => it.data);

describe('a list as `queryFn`', () => {
  const options = (): {
    queryKey: string[];
    queryFn: (context: { signal: AbortSignal }) => Promise<Page<Automation>>;
  } => ({
    queryKey: ['automations'],
    queryFn: ({ signal }) => client.automations.list({ signal, limit: 5 }),
  });

  test('gives a page, whose methods still exist after a refetch', async () => {
    const observer = new QueryObserver(queries, options());
    await observer.refetch();
    await server.put('automations', [automation({ created_at: '2027-01-01 00:00:00+00', status: 'disabled' })]);
    const { data: page } = await observer.refetch({ throwOnError: true });
    if (page === undefined) throw new Error('No page.');
    expect(page.data.slice(1)).toEqual(RECORDS.slice(0, 4));
    expect((await page.nextPage()).data).toEqual(RECORDS.slice(4, 9));
  });

  test('is aborted with its query', async () => {
    server.fail({ delayMs: 5000 });
    const fetching = queries.query(options()).catch((error: unknown) => error);
    await queries.cancelQueries();
    expect(await fetching).toBeInstanceOf(CancelledError);
  });
});

describe('infiniteList', () => {
  test('goes to older items, page by page, to the end', async () => {
    const observer = new InfiniteQueryObserver(queries, infiniteList(client, 'automations', { limit: 5 }));
    const stop = observer.subscribe(() => undefined);
    const first = await observer.fetchNextPage();
    expect([items(first.data), first.hasNextPage, first.hasPreviousPage]).toEqual([[RECORDS.slice(0, 5)], true, false]);
    await observer.fetchNextPage();
    const last = await observer.fetchNextPage();
    expect(items(last.data)).toEqual([RECORDS.slice(0, 5), RECORDS.slice(5, 10), RECORDS.slice(10)]);
    expect([last.hasNextPage, last.hasPreviousPage]).toEqual([false, false]);
    stop();
  });

  test.each([
    ['after', 4, RECORDS.slice(5, 8)],
    ['before', 8, RECORDS.slice(5, 8)],
  ] as const)('from `%s` on goes to newer items too', async (cursor, at, start) => {
    const options = { limit: 3, [cursor]: idAt(at) } as { limit: number; after: string };
    const observer = new InfiniteQueryObserver(queries, infiniteList(client, 'automations', options));
    const stop = observer.subscribe(() => undefined);
    let result = await observer.fetchPreviousPage(); // It waits for the first page.
    expect(items(result.data)).toEqual([start]);
    expect([result.hasNextPage, result.hasPreviousPage]).toEqual([true, true]);
    while (result.hasPreviousPage) result = await observer.fetchPreviousPage();
    expect(items(result.data)).toEqual([RECORDS.slice(0, 2), RECORDS.slice(2, 5), start]);
    while (result.hasNextPage) result = await observer.fetchNextPage();
    expect(items(result.data).flat()).toEqual(RECORDS);
    stop();
  });

  test('caches plain data: unchanged items stay the same objects after a refetch', async () => {
    const observer = new InfiniteQueryObserver(queries, infiniteList(client, 'automations', { status: 'enabled' }));
    const { data: before } = await observer.refetch();
    expect(JSON.parse(JSON.stringify(before?.pages))).toEqual([{ object: 'list', has_more: false, data: RECORDS }]);
    await server.put('automations', [automation({ created_at: '2027-01-01 00:00:00+00', status: 'disabled' })]);
    const { data: after, isSuccess } = await observer.refetch();
    expect([after === before, isSuccess]).toEqual([true, true]);
  });

  test('reports an error of the client immediately, because the client has already retried', async () => {
    const wrong = createClient({ baseUrl: server.url, apiKey: 'nonsense' });
    const failed = queries.infiniteQuery(infiniteList(wrong, 'contactImports'));
    await expect(failed).rejects.toBeInstanceOf(ApiError);
  });

  test('has a separate key for each collection, filter, cursor and account', () => {
    const keys = [
      infiniteList(client, 'automations'),
      infiniteList(client, 'contactImports'),
      infiniteList(client, 'automations', { status: 'enabled' }),
      infiniteList(client, 'automations', { status: 'disabled' }),
      infiniteList(client, 'automations', { after: idAt(1) }),
      infiniteList(client, 'automations', { before: idAt(1) }),
      infiniteList(client, 'automations', { account: 'acme' }),
    ].map((it) => JSON.stringify(it.queryKey));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys[0]).toBe('["rollcall","automations",{}]');
  });

  test('aborts the request with its query', async () => {
    server.fail({ delayMs: 5000 });
    const controller = new AbortController();
    const call = infiniteList(client, 'automations').queryFn({ pageParam: {}, signal: controller.signal });
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
  });
});
