/** What the console shows, in whatever order responses arrive; and how it finds a record. */
import { describe, expect, jest, test } from '@jest/globals';
import { Failure } from '../../server/pages/assets/console/api.ts';
import type { ApiResponse } from '../../server/pages/assets/console/api.ts';
import { find } from '../../server/pages/assets/console/find.ts';
import { routeOf } from '../../server/pages/assets/console/links.ts';
import type { Route } from '../../server/pages/assets/console/links.ts';
import { changesOf, pageOf, refreshed } from '../../server/pages/assets/console/shown-page.ts';
import type { ShownPage } from '../../server/pages/assets/console/shown-page.ts';
import { LiveData } from '../../server/pages/assets/console/live-data.ts';
import { automation, contactImport } from '../../testkit/index.ts';
import { afterTest } from '../support/after-test.ts';
import { collections } from './collections.ts';

interface Sent {
  readonly target: string;
  readonly etag: string | undefined;
  readonly signal: AbortSignal;
  readonly respond: (response: ApiResponse | undefined) => Promise<void>;
  readonly fail: (failure: Failure) => Promise<void>;
}

/** Waits for all effects of a response. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Live data whose requests get their responses by hand, and whose pauses end by hand. */
function open(): {
  live: LiveData;
  sent: Sent[];
  rejections: Failure[];
  pauses: number[];
  /** Ends the pauses that are no longer than this. */
  wake: (maxMs?: number) => Promise<void>;
} {
  const sent: Sent[] = [];
  const rejections: Failure[] = [];
  const pauses: number[] = [];
  let sleeping: { readonly ms: number; readonly resume: () => void }[] = [];
  const live = new LiveData({
    send: (target, { signal, etag }) => {
      const { promise, resolve, reject } = Promise.withResolvers<ApiResponse | undefined>();
      const respond = async (it: ApiResponse | undefined): Promise<void> => {
        resolve(it);
        await settled();
      };
      const fail = async (failure: Failure): Promise<void> => {
        reject(failure);
        await settled();
      };
      sent.push({ target, etag, signal, respond, fail });
      return promise;
    },
    pause: (signal) => async (ms) => {
      pauses.push(ms);
      await new Promise<void>((resume) => sleeping.push({ ms, resume }));
      signal.throwIfAborted();
    },
    changed: () => undefined,
    unauthorized: (failure) => rejections.push(failure),
  });
  const wake = async (maxMs = 5000): Promise<void> => {
    const due = sleeping.filter(({ ms }) => ms <= maxMs);
    sleeping = sleeping.filter(({ ms }) => ms > maxMs);
    for (const { resume } of due) resume();
    await settled();
  };
  return { live, sent, rejections, pauses, wake };
}

const route = (hash: string): Route => {
  const found = routeOf(hash, collections);
  if (found === undefined) throw new Error(`${hash} is no route.`);
  return found;
};
const none = pageOf(route('#/automations'), { body: { data: [] }, etag: undefined });
const page = (data: readonly object[], hasMore = false, etag = '"1"'): ApiResponse => ({
  body: { object: 'list', has_more: hasMore, data: data.map((it) => ({ ...it })) },
  etag,
});
const one = (record: object, etag = '"1"'): ApiResponse => ({ body: { ...record }, etag });

test('a page requested later is shown, and no late response comes over it, even of a request that does not end', async () => {
  const { live, sent } = open();
  const [first, second] = [automation(), automation()];
  live.go(route('#/automations?limit=1'));
  live.go(route('#/automations?limit=2'));
  expect([...live.waiting]).toEqual(['/automations?limit=1', '/automations?limit=2']);
  expect(sent.map((it) => it.signal.aborted)).toEqual([true, false]);
  await sent[1]?.respond(page([second]));
  await sent[0]?.respond(page([first]));
  expect(live.page?.items).toEqual([second]);
  expect([...live.waiting]).toEqual([]);

  live.go(route('#/automations?limit=1'));
  live.go(route('#/automations?limit=2'));
  await sent[3]?.respond(page([second]));
  await sent[2]?.fail(new Failure('late', 'late'));
  expect(live.failures).toEqual({});
});

test('what is shown already is not requested again, unless that is wanted', async () => {
  const { live, sent } = open();
  const [only] = [automation()];
  live.go(route('#/automations'));
  await sent[0]?.respond(page([only]));
  live.go(route(`#/automations/${only.id}`));
  await settled();
  expect(live.record?.item).toEqual(only);
  live.go(route('#/automations'));
  expect(live.record).toBeUndefined();
  expect(sent).toHaveLength(1);
  live.reload(route('#/automations'));
  expect(sent).toHaveLength(2);
  // What was there stays until there is something new, or when there is not.
  await sent[1]?.fail(new Failure('down', 'down', { status: 500 }));
  expect(live.page?.items).toEqual([only]);
  expect(live.failures.page?.title).toBe('down');
});

test('a record that was left is not shown', async () => {
  const { live, sent } = open();
  const [a, b] = [contactImport(), contactImport()];
  live.go(route(`#/contacts/imports/${a.id}`));
  live.go(route(`#/contacts/imports/${b.id}`));
  const sentFor = (id: string): Sent | undefined => sent.find((it) => it.target.endsWith(id));
  await sentFor(b.id)?.respond(one(b));
  await sentFor(a.id)?.respond(one(a));
  expect(live.record?.item).toEqual(b);
});

test('a running import is polled with its tag until it has ended', async () => {
  const { live, sent, pauses, wake } = open();
  const [running, other] = [contactImport({ status: 'in_progress' }), contactImport()];
  live.go(route(`#/contacts/imports/${running.id}?limit=1`));
  await sent[0]?.respond(page([other]));
  await sent[1]?.respond(one(running, '"7"'));
  expect(pauses).toEqual([10_000, 1000]);
  await wake();
  expect(sent.slice(2).map((it) => [it.target, it.etag])).toEqual([[`/contacts/imports/${running.id}`, '"7"']]);
  await sent[2]?.respond(undefined);
  expect(live.record?.item).toEqual(running);
  await wake();
  await sent[3]?.respond(one({ ...running, status: 'completed', completed_at: '2026-04-16 13:49:40+00' }));
  await wake();
  expect(sent).toHaveLength(4);
});

test('a running import that its page has is polled once, with the page', async () => {
  const { live, sent, wake } = open();
  const [running, other] = [contactImport({ status: 'in_progress' }), contactImport()];
  live.go(route(`#/contacts/imports/${running.id}`));
  await sent[0]?.respond(page([running, other], false, '"8"'));
  await sent[1]?.respond(one(running));
  await wake();
  expect(sent.slice(2).map((it) => [it.target, it.etag])).toEqual([['/contacts/imports', '"8"']]);
  const moved = { ...running, counts: { ...running.counts, created: 1 } };
  await sent[2]?.respond(page([moved, other]));
  expect(live.record?.item).toEqual(moved);
});

test('a page refreshes by itself; new rows wait until they are wanted', async () => {
  const { live, sent, pauses, wake } = open();
  const [a, b, c, d] = [automation(), automation(), automation(), automation()];
  live.go(route('#/automations?limit=2'));
  await sent[0]?.respond(page([b, c], true, '"1"'));
  expect(pauses).toEqual([10_000]);
  await wake(10_000);
  expect(sent[1]).toMatchObject({ target: '/automations?limit=2', etag: '"1"' });
  await sent[1]?.respond(undefined);
  expect(pauses).toEqual([10_000, 10_000]);

  // Both are where they were: they change in their places.
  const renamed = { ...b, name: 'renamed' };
  await wake(10_000);
  await sent[2]?.respond(page([renamed, c], true, '"2"'));
  expect(live.page?.items).toEqual([renamed, c]);
  expect(changesOf(live.page ?? none)).toBe('');

  await wake(10_000);
  await sent[3]?.respond(page([a, { ...b, name: 'again' }], true, '"3"'));
  expect(live.page?.items).toEqual([{ ...b, name: 'again' }, c]);
  expect(live.page?.body).toMatchObject({ data: [{ ...b, name: 'again' }, c] });
  expect(changesOf(live.page ?? none)).toBe('1 new');
  await wake(10_000);
  expect(sent[4]?.etag).toBe('"3"');
  await sent[4]?.respond(page([d, a], true, '"4"'));
  expect(live.page?.items.map((it) => it.id)).toEqual([b.id, c.id]);
  expect(changesOf(live.page ?? none)).toBe('2+ new');
  live.showNext();
  expect(live.page?.items).toEqual([d, a]);
  expect(changesOf(live.page ?? none)).toBe('');
});

test.each<[string, string[], string[], string]>([
  ['rows below the last', ['a', 'b'], ['a', 'b', 'c'], ''],
  ['the first rows of an empty list', [], ['a'], ''],
  ['a row that is gone', ['a', 'b'], ['b'], 'List changed'],
  ['all rows gone', ['a', 'b'], [], 'List changed'],
  ['another order', ['a', 'b'], ['b', 'a'], 'List changed'],
])('the refresh of a page that has %s', (_, before, after, text) => {
  const at = (ids: string[]): ShownPage => pageOf(route('#/automations'), page(ids.map((id) => ({ id }))));
  const shown = refreshed(at(before), at(after));
  expect(changesOf(shown)).toBe(text);
  expect(shown.items.map((it) => it.id)).toEqual(text === '' ? after : before);
});

test('a page that the server has no room for is requested again after Retry-After', async () => {
  const { live, sent, pauses, wake } = open();
  const [only] = [automation()];
  live.go(route('#/automations'));
  await sent[0]?.fail(new Failure('rate_limit_exceeded', 'Too many.', { status: 429, retryAfter: 7 }));
  expect(live.failures.page?.title).toBe('rate_limit_exceeded');
  expect(pauses).toEqual([7000]);
  await wake(7000);
  await sent[1]?.respond(page([only]));
  expect(live.failures.page).toBeUndefined();
  expect(live.page?.items).toEqual([only]);

  // Without that header a person decides.
  live.go(route('#/contact-properties'));
  await sent[2]?.fail(new Failure('application_error', 'No.', { status: 500 }));
  await wake(300_000);
  expect(sent).toHaveLength(3);
});

test('while there is no server, a page and a record are requested again, less and less often, with the time of the next request', async () => {
  jest.spyOn(performance, 'now').mockReturnValue(0);
  afterTest(() => {
    jest.restoreAllMocks();
  });
  const { live, sent, pauses, wake } = open();
  const [only] = [contactImport()];
  live.go(route(`#/contacts/imports/${only.id}`));
  const silent = (): Failure => new Failure('Network failure', 'No.', { isSilent: true });
  await sent[0]?.fail(silent());
  await sent[1]?.fail(new Failure('Unexpected response', 'No.', { status: 502, excerpt: '<html>' }));
  expect([live.failures.page?.secondsLeft, live.failures.record?.secondsLeft]).toEqual([2, 2]);
  await wake(2000);
  await sent[2]?.fail(silent());
  await sent[3]?.respond(one(only));
  expect(live.failures.page?.secondsLeft).toBe(4);
  expect([live.failures.record, live.record?.item]).toEqual([undefined, only]);
  expect(pauses).toEqual([2000, 2000, 4000]);
  await wake(4000);
  await sent[4]?.respond(page([only]));
  expect(live.failures).toEqual({ page: undefined, record: undefined });
  expect(live.page?.items).toEqual([only]);
});

test('a malformed id is not sent', async () => {
  const { live, sent } = open();
  live.go(route('#/contacts/imports/nonsense'));
  await sent[0]?.respond(page([]));
  live.go(route('#/automations/nonsense'));
  await sent[1]?.respond(page([]));
  expect(sent.map((it) => it.target)).toEqual(['/contacts/imports', '/automations']);
  expect(live.failures.record?.title).toBe('Malformed id');
});

test('what has been left is not followed', async () => {
  const { live, sent, wake } = open();
  live.go(route('#/contacts/imports'));
  await sent[0]?.respond(page([contactImport({ status: 'queued' })]));
  live.leave();
  await wake();
  expect(sent).toHaveLength(1);
  // And is requested when somebody comes back.
  live.go(route('#/contacts/imports'));
  expect(sent).toHaveLength(2);
});

test('a rejected key is reported, and is no error of a page', async () => {
  const { live, sent, rejections } = open();
  live.go(route('#/automations'));
  const failure = new Failure('invalid_api_key', 'No.', { status: 401 });
  await sent[0]?.fail(failure);
  expect(rejections).toEqual([failure]);
  expect(live.failures.page).toBeUndefined();
});

test('a fault of the page itself is shown too', async () => {
  const { live, sent } = open();
  live.go(route('#/automations'));
  await sent[0]?.respond({ body: { data: [{ id: 1 }] }, etag: undefined });
  expect(live.failures.page?.title).toBe('Unexpected response');
});

describe('a record of a list without retrieval is found by its id alone, whatever its position:', () => {
  const ALL = ['a', 'b', 'c'].map((id) => ({ id }));

  /** A list of the contract. */
  function list(items: readonly { id: string }[]): (query: URLSearchParams) => Promise<{ id: string }[]> {
    return (query) => {
      const limit = Number(query.get('limit'));
      const cursor = query.get('after') ?? query.get('before');
      const at = items.findIndex((it) => it.id === cursor?.toLowerCase());
      if (cursor !== null && at === -1) return Promise.reject(new Error('404'));
      if (query.has('before')) return Promise.resolve(items.slice(Math.max(0, at - limit), at));
      return Promise.resolve(items.slice(at + 1, at + 1 + limit));
    };
  }

  test.each([
    ['a', 'limit=1&before=b'],
    ['b', 'limit=1&before=c'],
    ['B', 'limit=1&before=c'],
    ['c', 'limit=1&after=b'],
  ])('%s', async (id, query) => {
    const found = await find(id, 1, list(ALL));
    expect(found?.item).toEqual({ id: id.toLowerCase() });
    expect(found?.query.toString()).toBe(query);
  });

  test('the only one there is', async () => {
    const found = await find('a', 1, list([{ id: 'a' }]));
    expect([found?.item, found?.query.toString()]).toEqual([{ id: 'a' }, 'limit=1']);
  });

  test('one there is not', async () => {
    await expect(find('d', 1, list(ALL))).rejects.toThrow('404');
  });

  test('a list that moves meanwhile', async () => {
    let asked = 0;
    const found = await find('b', 1, (query) => list((asked += 1) === 1 ? ALL : [{ id: 'a' }, { id: 'c' }])(query));
    expect(found).toBeUndefined();
  });
});
