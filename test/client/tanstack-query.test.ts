/** The client in TanStack Query: a list as `queryFn`, an infinite query, and a contact import that is polled. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  CancelledError,
  InfiniteQueryObserver,
  QueryClient,
  QueryObserver,
  environmentManager,
} from '@tanstack/query-core';
import type { QueryObserverResult } from '@tanstack/query-core';
import { ApiError, createClient } from '../../client/index.ts';
import type { Automation, ContactImport, Page, RollcallClient } from '../../client/index.ts';
import { contactImportUntilEnded, infiniteList } from '../../client/tanstack-query.ts';
import { automation, contactImport, startRollcall } from '../../testkit/index.ts';
import type { TestServer } from '../../testkit/index.ts';
import { afterFile, afterTest } from '../support/after-test.ts';
import { series } from '../support/series.ts';

const RECORDS = series(12, (it) => automation({ ...it, status: 'enabled' }));
const QUEUED = contactImport({ status: 'queued' });
const idAt = (at: number): string => String(RECORDS[at]?.id);

let server: TestServer;
let client: RollcallClient;
let queries: QueryClient;
beforeAll(async () => {
  server = await startRollcall({ automations: RECORDS, contactImports: [QUEUED] });
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
    server.fail({ delayMs: 600_000 });
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

  describe('continues if an item is removed:', () => {
    const open = async (options: object, pages: number) => {
      const observer = new InfiniteQueryObserver(
        queries,
        infiniteList(client, 'automations', { limit: 3, ...options }),
      );
      afterTest(observer.subscribe(() => undefined));
      while ((observer.getCurrentResult().data?.pages.length ?? 0) < pages) await observer.fetchNextPage();
      return observer;
    };
    const without = (...removed: number[]): Automation[] => RECORDS.filter((_, at) => !removed.includes(at));

    test.each([[[5]], [[5, 4]], [[5, 4, 3, 2, 1, 0]]])(
      'the last ones shown, %j, and the next page',
      async (removed) => {
        const observer = await open({}, 2);
        await server.remove('automations', removed.map(idAt));
        const { data, error } = await observer.fetchNextPage();
        expect([error, items(data).at(-1)]).toEqual([null, RECORDS.slice(6, 9)]);
      },
    );

    test.each([[[6]], [[6, 7]]])('the newest ones shown, %j, and the previous page', async (removed) => {
      const observer = await open({ after: idAt(5) }, 1);
      await server.remove('automations', removed.map(idAt));
      const { data, error } = await observer.fetchPreviousPage();
      expect([error, items(data)[0]]).toEqual([null, RECORDS.slice(3, 6)]);
    });

    test.each([
      ['after', [4], RECORDS.slice(5, 8)],
      ['after', [4, 5], RECORDS.slice(6, 9)],
      ['after', [0, 1, 2, 3, 4], RECORDS.slice(5, 8)],
      ['before', [8], RECORDS.slice(5, 8)],
      ['before', [8, 9, 10, 11], RECORDS.slice(5, 8)],
      ['before', [8, 0, 1, 2, 3, 4], RECORDS.slice(5, 8)],
    ] as const)('the item of the first page, `%s`, with %j, and refetches', async (cursor, removed, expected) => {
      const observer = await open({ [cursor]: idAt(cursor === 'after' ? 4 : 8) }, 1);
      await server.remove('automations', removed.map(idAt));
      for (let times = 0; times < 3; times += 1) {
        const { data, error } = await observer.refetch();
        expect([error, items(data)]).toEqual([null, [expected]]);
      }
      let result = observer.getCurrentResult();
      while (result.hasPreviousPage) result = await observer.fetchPreviousPage();
      while (result.hasNextPage) result = await observer.fetchNextPage();
      expect(items(result.data).flat()).toEqual(without(...removed));
      expect((await observer.refetch()).error).toBeNull();
    });

    test('but the cursor of a list that never showed a page is an error, and so is a list of which nothing is left', async () => {
      await server.remove('automations', [idAt(4)]);
      const observer = new InfiniteQueryObserver(queries, infiniteList(client, 'automations', { after: idAt(4) }));
      expect((await observer.refetch()).error).toMatchObject({ name: 'not_found' });
      const shown = await open({ after: idAt(8) }, 1);
      await server.remove('automations', [8, 9, 10, 11].map(idAt));
      expect((await shown.refetch()).error).toMatchObject({ name: 'not_found' });
    });
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
    server.fail({ delayMs: 600_000 });
    const controller = new AbortController();
    const call = infiniteList(client, 'automations').queryFn({ pageParam: {}, signal: controller.signal });
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
  });
});

describe('contactImportUntilEnded', () => {
  // TanStack Query takes Node for a server that renders pages, where it does not poll.
  const { isServer } = environmentManager;
  const isServerHere = isServer();
  beforeEach(() => {
    environmentManager.setIsServer(() => false);
  });
  afterEach(() => {
    environmentManager.setIsServer(() => isServerHere);
  });

  /** Observes a query until a result satisfies a condition. @returns the statuses and errors that it had. */
  const observe = async (id: string, isLast: (result: QueryObserverResult<ContactImport>) => boolean) => {
    const observer = new QueryObserver(queries, contactImportUntilEnded(client, id, { pollMs: 1 }));
    const seen: unknown[] = [];
    const stop = await new Promise<() => void>((resolve) => {
      const unsubscribe = observer.subscribe((result) => {
        const current = result.error?.name ?? result.data?.status;
        if (current !== undefined && current !== seen.at(-1)) seen.push(current);
        if (isLast(result)) resolve(unsubscribe);
      });
    });
    return { observer, seen, stop };
  };
  /** @returns the pause before the next refetch, as TanStack Query asks for it. */
  const pauseOf = (data: ContactImport | undefined, status: string, pollMs?: number) =>
    contactImportUntilEnded(client, 'id', { pollMs }).refetchInterval({ state: { data, status } });

  test.each(['completed', 'failed'] as const)('refetches an import until it is %s, and no longer', async (end) => {
    server.cue({ when: { nth: 3 }, then: [{ moveImport: { id: QUEUED.id, end } }], times: 2 });
    const { seen, stop } = await observe(QUEUED.id, ({ data, isFetching }) => data?.status === end && !isFetching);
    expect(seen).toEqual(['queued', 'in_progress', end]);
    stop();
    expect(server.requests.map((it) => it.status)).toEqual([200, 200, 200, 200]);
  });

  test('stops at an error, which is reported immediately, and resumes after a successful refetch', async () => {
    server.fail({ error: 'not_found' });
    server.cue({ when: { nth: 3 }, then: [{ moveImport: { id: QUEUED.id, toEnd: true } }] });
    const { observer, seen, stop } = await observe(QUEUED.id, ({ isError }) => isError);
    expect([seen, server.requests.length]).toEqual([['not_found'], 1]);
    const ended = new Promise((resolve) => {
      observer.subscribe(({ data }) => {
        if (data?.status === 'completed') resolve(undefined);
      });
    });
    await observer.refetch();
    await ended;
    expect(server.requests.map((it) => it.status)).toEqual([404, 200, 200]);
    stop();
  });

  test.each([
    ['a query without data', undefined, 'pending', undefined, 2000],
    ['a queued import', contactImport({ status: 'queued' }), 'success', undefined, 2000],
    ['an import in progress', contactImport({ status: 'in_progress' }), 'success', 50, 50],
    ['an import in progress, after an error', contactImport({ status: 'in_progress' }), 'error', 50, false],
    ['a completed import', contactImport({ status: 'completed' }), 'success', 50, false],
    ['a failed import', contactImport({ status: 'failed' }), 'success', 50, false],
  ] as const)('the next refetch of %s', (_, data, status, pollMs, pause) => {
    expect(pauseOf(data, status, pollMs)).toBe(pause);
  });

  test('passes on the options of the call, and aborts the request with its query', async () => {
    const { queryFn } = contactImportUntilEnded(client, QUEUED.id, { headers: { 'X-Request-Id': 'poll-1' } });
    expect(await queryFn({ signal: new AbortController().signal })).toEqual(QUEUED);
    expect(server.requests.map((it) => it.headers['x-request-id'])).toEqual(['poll-1']);
    server.fail({ delayMs: 600_000 });
    const controller = new AbortController();
    const call = queryFn({ signal: controller.signal });
    controller.abort('enough');
    await expect(call).rejects.toBe('enough');
  });

  test('has a separate key for each import and account, next to the lists of imports', () => {
    const keys = [
      infiniteList(client, 'contactImports'),
      contactImportUntilEnded(client, 'a'),
      contactImportUntilEnded(client, 'b'),
      contactImportUntilEnded(client, 'a', { account: 'acme' }),
    ].map((it) => JSON.stringify(it.queryKey));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys[1]).toBe('["rollcall","contactImports","a",{}]');
  });
});
