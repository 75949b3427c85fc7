/** Accounts that change during a run, and servers whose replicas differ: only the latter fail. */
import { describe, expect, test } from '@jest/globals';
import type { Item } from '../../../audit/conform/records.ts';
import type { Result } from '../../../audit/conform/conform.ts';
import { createRandom } from '../../../audit/conform/sample.ts';
import { automation, contactImport } from '../../../testkit/index.ts';
import { startProxy } from '../mutants/proxy.ts';
import { openTestApp } from '../../support/app.ts';
import { pageOf } from './pages.ts';
import { recordsOf } from './records.ts';
import { RECORDS, open, openBehind, results } from './target.ts';

const AUTOMATIONS = { automations: RECORDS.automations ?? [] };
const ofAutomations = (all: readonly Result[]): readonly Result[] =>
  all.filter((it) => it.operation === 'listAutomations');

/** How many requests come between two changes. */
const CHANGE_EVERY = 20;

test('in an account that changes with every few requests no rule fails', async () => {
  const imports = RECORDS.contactImports ?? [];
  let count = 0;
  // At the head, in the middle, and of what filters look at.
  const server = await openBehind(async (_req, _res, t) => {
    count += 1;
    if (count % CHANGE_EVERY > 0) return;
    const created_at = `2026-06-01 00:00:${String(count % 60).padStart(2, '0')}+00`;
    const moved = imports[(count * 7) % imports.length];
    const changed = moved && { ...moved, status: 'failed' as const, completed_at: created_at };
    await t.put({ contactImports: [contactImport({ created_at }), ...(changed === undefined ? [] : [changed])] });
  });
  const all = await results(server, { requests: 10_000 });
  expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
  expect(all.filter((it) => it.outcome === 'passed').length).toBeGreaterThan(100);
});

test('a record that two keys of one account get during a run fails no rule', async () => {
  let count = 0;
  const server = await openBehind(async (_req, _res, t) => {
    count += 1;
    if (count === 60) await t.put({ automations: [automation({ created_at: '2026-06-01 00:00:00+00' })] });
  });
  const all = await results({ ...server, otherKey: server.key });
  expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
});

test('records that change between a GET and the HEAD that follows it fail no rule', async () => {
  let count = 0;
  const server = await openBehind(async (req, _res, t) => {
    if (req.method !== 'HEAD' || req.url?.startsWith('/automations?') !== true) return;
    count += 1;
    if (count === 1) await t.put({ automations: AUTOMATIONS.automations.map((it) => ({ ...it, name: 'Other' })) });
  });
  const all = await results(server, { only: ['http.head'] });
  expect([count, new Set(all.map((it) => it.outcome))]).toEqual([2, new Set(['passed'])]);
});

// A change between other requests.
test.each([0, 10])('long lists that change all the time leave requests for all rules, from %i', async (from) => {
  let count = from;
  const server = await openBehind(
    async (_req, _res, t) => {
      count += 1;
      if (count % CHANGE_EVERY > 0) return;
      const created_at = `2026-06-01 00:${String(Math.floor(count / 60)).padStart(2, '0')}:${String(count % 60).padStart(2, '0')}+00`;
      await t.put({ automations: [automation({ created_at })], contactImports: [contactImport({ created_at })] });
    },
    recordsOf('own', 990),
  );
  const all = await results(server); // It throws if the requests of the run are used up.
  expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
  expect(all.filter((it) => it.outcome === 'passed').length).toBeGreaterThan(130);
});

describe('a server that ignores one limit fails', () => {
  const only = ['list.limit'];
  const ignoreLimit = (url = ''): string => url.replace(/[?]limit=1$/, '?limit=2');

  test('although other records change', async () => {
    let count = 0;
    const server = await openBehind(async (req, _res, t) => {
      count += 1;
      req.url = ignoreLimit(req.url);
      if (count % 10 === 0) await t.put({ contactProperties: [] });
    });
    const failed = (await results(server, { only })).filter((it) => it.outcome === 'failed');
    expect(failed.map((it) => it.operation)).toEqual([
      ...['listAutomations', 'listContactProperties', 'listContactImports'],
    ]);
  });

  test('although a second attempt would pass', async () => {
    let isFirst = true;
    const server = await openBehind((req) => {
      if (req.url === ignoreLimit(req.url)) return;
      if (isFirst) req.url = ignoreLimit(req.url);
      isFirst = false;
    }, AUTOMATIONS);
    expect(ofAutomations(await results(server, { only }))).toMatchObject([{ outcome: 'failed' }]);
  });

  test('although its records cannot be listed again', async () => {
    let isListed = true;
    const server = await openBehind((req, res) => {
      if (req.url !== ignoreLimit(req.url)) isListed = false;
      if (!isListed && req.url?.endsWith('limit=100') === true) res.writeHead(500).end();
      req.url = ignoreLimit(req.url);
    }, AUTOMATIONS);
    expect(ofAutomations(await results(server, { only: ['list.limit'] }))).toMatchObject([{ outcome: 'failed' }]);
  });

  test('but is not checked where these records change each time, which is said', async () => {
    let changes = 0;
    const server = await openBehind(async (req, _res, t) => {
      if (req.url === ignoreLimit(req.url)) return;
      req.url = ignoreLimit(req.url);
      changes += 1;
      const created_at = `2026-06-01 00:00:${String(changes).padStart(2, '0')}+00`;
      await t.put({ contactImports: [contactImport({ created_at })] });
    });
    const all = await results(server, { only });
    expect(all.find((it) => it.operation === 'listContactImports')).toMatchObject({
      outcome: 'not_checked',
      reason: 'the account changed during each of 5 attempts',
    });
  });
});

describe('two replicas behind one address, which responds from either at random, fail 10 of 10 times', () => {
  const NOT_FOUND = JSON.stringify({ statusCode: 404, name: 'not_found', message: 'Not found.' });
  const tied = (a: Item, b: Item): number => (a.created_at === b.created_at && a.id > b.id ? 1 : -1);

  test.each<[string, (items: readonly Item[]) => readonly Item[]]>([
    ['in the opposite order', (items) => items.toReversed()],
    [
      'with ties in another order',
      (items) => items.map((it) => it).sort((a, b) => (a.created_at === b.created_at ? tied(a, b) : 0)),
    ],
    ['one of which lacks the newest records', (items) => items.slice(30)],
    ['one of which has an old value', (items) => items.map((it, at) => (at === 5 ? { ...it, name: 'old' } : it))],
  ])('%s', async (_, change) => {
    const { url, key } = await open(await openTestApp(AUTOMATIONS));
    const page = async (after: string): Promise<{ data: Item[]; has_more: boolean }> => {
      const response = await fetch(`${url}/automations?limit=100${after}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return (await response.json()) as { data: Item[]; has_more: boolean };
    };
    const { data } = await page('');
    const items = [...data, ...(await page(`&after=${String(data.at(-1)?.id)}`)).data];
    const replicas = [items, change(items)];
    const green: number[] = [];
    for (let seed = 1; seed <= 10; seed += 1) {
      const random = createRandom(seed);
      await using proxy = await startProxy(url, [key, key], [new Map(), new Map()], {
        reply: (reply, { path, query }) => {
          if (path !== '/automations' || reply.status !== 200) return;
          const found = pageOf(replicas[random(2)] ?? [], query);
          if (found === undefined) reply.status = 404;
          reply.body = found === undefined ? NOT_FOUND : JSON.stringify({ object: 'list', ...found });
        },
      });
      const all = await results({ url: proxy.url, key }, { only: ['list'], seed });
      if (!ofAutomations(all).some((it) => it.outcome === 'failed')) green.push(seed);
    }
    expect(green).toEqual([]); // The seeds with which nothing failed.
  });
});
