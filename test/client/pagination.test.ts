/** Pagination of the client over a real server: complete, in order, whatever is added or removed meanwhile. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createClient } from '../../client/index.ts';
import type { Automation, RollcallClient } from '../../client/index.ts';
import { automation, startRollcall } from '../../testkit/index.ts';
import type { TestServer } from '../../testkit/index.ts';
import { afterFile, afterTest } from '../support/after-test.ts';
import { requests as asked, resetRequests, scripted } from '../support/scripted-client.ts';

// Of each timestamp there are five.
const RECORDS: readonly Automation[] = Array.from({ length: 200 }, (_, at) => {
  const time = new Date(Date.UTC(2026, 3, 16) + Math.floor(at / 5) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  return automation({ created_at: `${time}.000+00`, status: at % 3 === 0 ? 'disabled' : 'enabled' });
});
const newestFirst = (all: readonly Automation[]): Automation[] =>
  all.toSorted((a, b) => (a.created_at + a.id < b.created_at + b.id ? 1 : -1));
const SORTED = newestFirst(RECORDS);
const ids = (all: readonly { id: string }[]): string[] => all.map((it) => it.id);
const idAt = (at: number): string => String(SORTED[at]?.id);

let server: TestServer;
let client: RollcallClient;
let requests: string[];
beforeAll(async () => {
  server = await startRollcall({ automations: RECORDS });
  afterFile(() => server.close());
});
beforeEach(() => {
  requests = [];
  client = createClient({
    baseUrl: server.url,
    apiKey: server.apiKey,
    fetch: (url, init) => {
      requests.push(url.replace(server.url, ''));
      return fetch(url, init);
    },
  });
});

async function collect<T>(items: AsyncIterable<T>, each?: (item: T, at: number) => Promise<void> | void): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    await each?.(item, all.length);
    all.push(item);
  }
  return all;
}

describe('a list that does not change', () => {
  test.each([undefined, 1, 7])('forward, limit %p', async (limit) => {
    const options = limit === undefined ? {} : { limit };
    const max = limit === 1 ? 60 : 200; // A request each.
    expect(await collect(client.automations.list({ ...options, max }))).toEqual(SORTED.slice(0, max));
  });

  test('backward from the oldest item', async () => {
    const list = client.automations.list({ limit: 7, before: idAt(199) });
    expect(await collect(list)).toEqual(SORTED.slice(0, -1).reverse());
  });

  test('with a filter', async () => {
    const expected = SORTED.filter((it) => it.status === 'disabled');
    expect(await collect(client.automations.list({ status: 'disabled', limit: 100 }))).toEqual(expected);
    expect(requests[0]).toBe('/automations?status=disabled&limit=100');
  });

  test('from a cursor', async () => {
    expect(ids(await collect(client.automations.list({ after: idAt(189) })))).toEqual(ids(SORTED.slice(190)));
    expect(ids(await collect(client.automations.list({ before: idAt(10) })))).toEqual(
      ids(SORTED.slice(0, 10)).reverse(),
    );
  });
});

test('one page ignores options that apply only to a traversal', async () => {
  const { signal } = new AbortController();
  const page = await client.automations.list({ limit: 3, max: 2, signal, status: 'enabled', before: idAt(9) });
  expect(page.data).toHaveLength(3);
  expect(requests).toEqual([`/automations?status=enabled&before=${idAt(9)}&limit=3`]);
});

describe('pages', () => {
  test('are requested one by one', async () => {
    const pages = await collect(client.automations.list({ limit: 70 }).pages());
    expect(pages.map((it) => [it.data.length, it.has_more])).toEqual([
      [70, true],
      [70, true],
      [60, false],
    ]);
    expect(requests).toHaveLength(3);
  });

  test('an empty list is one empty page', async () => {
    afterTest(() => server.reset());
    await server.remove('automations', ids(RECORDS));
    expect((await collect(client.automations.list().pages())).map((it) => it.data)).toEqual([[]]);
  });
});

describe('max', () => {
  const limits = (): (string | null)[] => requests.map((it) => new URLSearchParams(it.split('?')[1]).get('limit'));

  test.each([
    [undefined, 0, []],
    [undefined, 3, ['3']],
    [undefined, 100, ['100']],
    [undefined, 150, ['100', '50']],
    [undefined, 1000, ['100', '100']], // The list ends.
    [undefined, Infinity, Array<null>(10).fill(null)],
    [10, 0, []],
    [10, 5, ['5']],
    [10, 25, ['10', '10', '5']],
    [100, 1000, ['100', '100']],
    [70, Infinity, ['70', '70', '70']],
  ])('with the limit %p, at most %p items: no more are requested', async (limit, max, expected) => {
    const forward = client.automations.list({ limit, max });
    expect(await collect(forward)).toEqual(SORTED.slice(0, max));
    expect(limits()).toEqual(expected);
    requests = [];
    expect(await client.automations.list({ limit }).toArray({ max })).toEqual(SORTED.slice(0, max));
    expect(limits()).toEqual(expected);
    requests = [];
    const backward = client.automations.list({ limit, max, before: idAt(199) });
    expect(await collect(backward)).toEqual(SORTED.slice(0, -1).reverse().slice(0, max));
    expect(limits()).toEqual(expected);
  });

  // The server, or a proxy, ignores `limit`.
  test.each([
    ['after', SORTED.slice(0, 3)],
    ['before', SORTED.slice(7, 10)],
  ] as const)('cuts a page that is larger on the far side, with `%s`', async (cursor, expected) => {
    const larger = scripted([() => Response.json({ object: 'list', has_more: false, data: SORTED.slice(0, 10) })]);
    const pages = await collect(larger.automations.list({ max: 3, [cursor]: idAt(150) }).pages());
    expect(pages.map((it) => [it.data, it.has_more])).toEqual([[expected, true]]);
    expect((await pages[0]?.nextPage())?.data).toHaveLength(10);
    expect(asked).toBe(2);
  });
});

describe('a list that changes during a traversal', () => {
  afterEach(() => server.reset());

  test.each(['the last item', 'the whole page', 'half of the remaining items'])('%s is removed', async (what) => {
    const page = (at: number): string[] => ids(SORTED.slice(at - 9, at + 1));
    const gone = new Set<string>();
    const seen = await collect(client.automations.list({ limit: 10 }), async ({ id }, at) => {
      if (at % 50 !== 9) return;
      const here = ids(SORTED).indexOf(id); // Not `at`, once items before it have been removed.
      const targets =
        what === 'the last item'
          ? [idAt(at)]
          : what === 'the whole page'
            ? page(at)
            : ids(SORTED.slice(here + 11, here + 31)).filter((_id, index) => index % 2 === 0);
      await server.remove('automations', targets);
      for (const id of targets) gone.add(id);
    });
    const expected = what === 'half of the remaining items' ? SORTED.filter((it) => !gone.has(it.id)) : SORTED;
    expect(ids(seen)).toEqual(ids(expected));
  });

  test('page by page of one item, each removed as soon as it is seen', async () => {
    const seen = await collect(client.automations.list({ limit: 1, max: 30 }), ({ id }) =>
      server.remove('automations', [id]),
    );
    expect(ids(seen)).toEqual(ids(SORTED.slice(0, 30)));
  });

  test('two of the largest pages are removed, except the first item', async () => {
    const oldest = automation({ created_at: '2020-01-01 00:00:00+00' });
    await server.put('automations', [oldest]);
    const seen = await collect(client.automations.list({ limit: 100 }), async (_, at) => {
      if (at === 199) await server.remove('automations', ids(SORTED.slice(1)));
    });
    expect(ids(seen)).toEqual([...ids(SORTED), oldest.id]);
  });

  test('added items neither repeat nor skip others', async () => {
    const seen = await collect(client.automations.list({ limit: 50 }), async (_, at) => {
      if (at % 50 === 49) await server.put('automations', [automation({ created_at: '2027-01-01 00:00:00+00' })]);
    });
    expect(ids(seen)).toEqual(ids(SORTED));
  });

  test('backward, the item at the cursor is removed', async () => {
    const seen = await collect(client.automations.list({ limit: 10, before: idAt(100) }), async ({ id }, at) => {
      if (at % 10 === 9) await server.remove('automations', [id]);
    });
    expect(ids(seen)).toEqual(ids(SORTED.slice(0, 100)).reverse());
  });

  test('an unknown cursor is an error', async () => {
    const list = client.automations.list({ after: '00000000-0000-4000-8000-000000000000' });
    await expect(collect(list)).rejects.toMatchObject({ name: 'not_found', status: 404 });
    await expect(list).rejects.toMatchObject({ name: 'not_found' });
  });
});

describe('a server that ignores cursors', () => {
  const standsStill = { name: 'NetworkError', status: 200, message: expect.stringContaining('does not advance') };

  test.each(['after', 'before'] as const)('does not cause an endless traversal with `%s`', async (direction) => {
    const data = SORTED.slice(0, 10);
    const stuck = scripted([() => Response.json({ object: 'list', has_more: true, data })]);
    const start = direction === 'before' ? { before: idAt(150) } : {};
    const seen: string[] = [];
    const walk = collect(stuck.automations.list({ limit: 10, ...start }), ({ id }) => void seen.push(id));
    await expect(walk).rejects.toMatchObject(standsStill);
    expect(seen).toEqual(direction === 'after' ? ids(data) : ids(data).reverse());
    expect(asked).toBe(2);
  });

  test('nor does a server that sends empty pages with `has_more`', async () => {
    const empty = scripted([() => Response.json({ object: 'list', has_more: true, data: [] })]);
    await expect(collect(empty.automations.list())).rejects.toMatchObject(standsStill);
    expect(asked).toBe(1);
  });
});

describe('a server whose pages come again', () => {
  const page = (from: number) => (): Response =>
    Response.json({ object: 'list', has_more: true, data: SORTED.slice(from, from + 2) });

  // Requests go to `before` pages that come once, then to a cycle.
  test.each([
    [0, 2, 4],
    [0, 3, 7],
    [1, 2, 6],
    [5, 1, 7],
    [3, 20, 52],
  ])('%i before a cycle of %i', async (before, length, expected) => {
    const pages = Array.from({ length: before + length * 5 }, (_, at) =>
      page(2 * (at < before ? at : before + ((at - before) % length))),
    );
    for (const direction of ['after', 'before'] as const) {
      resetRequests();
      const repeating = scripted(pages);
      const start = direction === 'before' ? { before: idAt(190) } : {};
      await expect(collect(repeating.automations.list(start))).rejects.toMatchObject({ name: 'NetworkError' });
      expect(asked).toBe(expected);

      resetRequests();
      const walk = async (): Promise<void> => {
        let current = await repeating.automations.list(start);
        while (current.hasNextPage()) current = await current.nextPage();
      };
      await expect(walk()).rejects.toMatchObject({ name: 'NetworkError' });
      expect(asked).toBe(expected);
    }
  });

  test('is not one whose items come again at other places', async () => {
    const pages = [page(0), page(2), page(1), page(3), page(2)];
    const last = (): Response => Response.json({ object: 'list', has_more: false, data: SORTED.slice(7, 8) });
    expect(await collect(scripted([...pages, last]).automations.list())).toHaveLength(11);
  });
});

test('an aborted traversal ends immediately, with the reason', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const seen: string[] = [];
  const walk = collect(client.automations.list({ limit: 10, signal: controller.signal }), ({ id }, at) => {
    seen.push(id);
    if (at === 24) controller.abort(reason);
  });
  await expect(walk).rejects.toBe(reason);
  expect(seen).toHaveLength(30);
  expect(requests).toHaveLength(3);
});

describe('after an error', () => {
  const responses = [
    (): Response => Response.json({ object: 'list', has_more: true, data: SORTED.slice(0, 2) }),
    (): Response => new Response('Bad gateway', { status: 502 }),
    (): Response => Response.json({ object: 'list', has_more: false, data: SORTED.slice(2, 6) }),
  ];
  const failing = (): { readonly client: RollcallClient; readonly asked: string[] } => {
    const asked: string[] = [];
    const fetch = (url: string): Promise<Response> => {
      asked.push(url.replace(/^.*\?/, ''));
      return Promise.resolve(responses[asked.length - 1]?.() ?? Response.error());
    };
    return { client: createClient({ baseUrl: 'http://api.test', apiKey: 'k', retry: false, fetch }), asked };
  };
  const failed = { name: 'application_error', status: 502 };

  test('an iterator is done; a new list `after` the last item has the rest', async () => {
    const { client, asked } = failing();
    const seen: Automation[] = [];
    const items = client.automations.list({ limit: 2 })[Symbol.asyncIterator]();
    const next = async (): Promise<boolean> => {
      const { done, value } = await items.next();
      if (value) seen.push(value);
      return done === true;
    };
    expect([await next(), await next()]).toEqual([false, false]);
    await expect(next()).rejects.toMatchObject(failed);
    expect(await next()).toBe(true);
    expect(asked).toHaveLength(2);
    const rest = await collect(client.automations.list({ limit: 2, after: String(seen.at(-1)?.id) }));
    expect([...seen, ...rest]).toEqual(SORTED.slice(0, 6));
    expect(asked).toEqual(['limit=2', `after=${idAt(1)}&limit=2`, `after=${idAt(1)}&limit=2`]);
  });

  test('so are pages; a page is not, and `nextPage()` can be called again', async () => {
    const iterated = failing().client.automations.list({ limit: 2 }).pages();
    await iterated.next();
    await expect(iterated.next()).rejects.toMatchObject(failed);
    expect(await iterated.next()).toEqual({ done: true, value: undefined });

    const { client, asked } = failing();
    const page = await client.automations.list({ limit: 2 });
    await expect(page.nextPage()).rejects.toMatchObject(failed);
    expect((await page.nextPage()).data).toEqual(SORTED.slice(2, 6));
    expect(asked).toEqual(['limit=2', `after=${idAt(1)}&limit=2`, `after=${idAt(1)}&limit=2`]);
  });
});
