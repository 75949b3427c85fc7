/** What `conform` sends, what it makes of an account that changes meanwhile, and its texts. What it finds: `npm run test:e2e -- mutants`. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import type { Result } from '../../server/conform/conform.ts';
import { difference } from '../../server/conform/assertions.ts';
import { createResponseChecks } from '../../server/conform/response-rules.ts';
import { allRules, targetsOf } from '../../server/conform/rules.ts';
import { BOUNDS, openSession, redact } from '../../server/conform/session.ts';
import { automation, contactImport } from '../../server/testing/index.ts';
import { afterTest } from '../support/after-test.ts';
import { contract, openTestApp } from '../support/app.ts';
import type { TestApp } from '../support/app.ts';
import { series } from '../support/series.ts';
import { RECORDS, open, results } from './target.ts';

/** @returns the rules that fail where requests are changed first, or answered. */
async function failedOf(change: (req: IncomingMessage, res: ServerResponse, t: TestApp) => unknown): Promise<Result[]> {
  const t = await openTestApp(RECORDS);
  const app: RequestListener = (req, res) => {
    void Promise.resolve(change(req, res, t)).then(() => {
      if (!res.writableEnded) t.app(req, res);
    });
  };
  return (await results(await open({ ...t, app }))).filter((it) => it.outcome === 'failed');
}

test('it only reads: nothing but GET and HEAD is sent with a key', async () => {
  const sent = { with: new Set(), without: new Set() };
  await failedOf((req, _res, { key }) => {
    sent[JSON.stringify([req.headers, req.url]).includes(key) ? 'with' : 'without'].add(req.method);
  });
  const others = ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
  expect(sent).toEqual({ with: new Set(['GET', 'HEAD']), without: new Set(['GET', 'HEAD', ...others]) });
});

test('an error of the right status and another name fails', async () => {
  const failed = await failedOf(({ headers }) => {
    headers.authorization ??= 'Bearer nonsense';
  });
  expect(new Set(failed.map((it) => it.rule))).toEqual(new Set(['auth.missing']));
  expect(failed).toMatchObject(failed.map(() => ({ expected: '401 missing_api_key' })));
});

test('without Retry-After a 429 is repeated after a second', async () => {
  let requests = 0;
  const app: RequestListener = (_req, res) => {
    requests += 1;
    res.writeHead(429).end();
  };
  const server = await open({ app, key: 'key' });
  await expect(results(server, { runMs: 2500 })).rejects.toThrow(/: GET \/\S+ responded 429, retry after 1 s\.$/);
  expect(requests).toBeGreaterThan(1);
});

test('a redirect is not followed, so that the key does not leak', async () => {
  const urls: unknown[] = [];
  const failed = await failedOf((req, res) => {
    urls.push(req.url);
    if (req.url === '/automations?limit=0') res.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(failed).toMatchObject([{ rule: 'response.status', request: 'GET /automations?limit=0' }]);
  expect(failed).toMatchObject([{ actual: expect.stringMatching(/^status 302, which is not declared/) as unknown }]);
  expect(urls).not.toContain('/elsewhere');
});

test('in an account that changes all the time no rule fails', async () => {
  const t = await openTestApp(RECORDS);
  const { url, key } = await open(t);
  const over = new AbortController();
  const imports = RECORDS.contactImports ?? [];
  // A change with every few requests, as they come: at the head, in the middle, and of what filters look at.
  const writing = (async () => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      const created_at = `2026-06-01 00:00:${String(count % 60).padStart(2, '0')}+00`;
      const moved = imports[(count * 7) % imports.length];
      const changed = moved && { ...moved, status: 'failed' as const, completed_at: created_at };
      await t.put({ contactImports: [contactImport({ created_at }), ...(changed === undefined ? [] : [changed])] });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  afterTest(() => writing);
  const all = await results({ url, key });
  over.abort();
  expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
});

test('a rule that fails on unchanged records fails, although other records change', async () => {
  let count = 0;
  const failed = await failedOf(async (req, _res, t) => {
    count += 1;
    req.url = req.url?.replace('limit=25', 'limit=24') ?? '';
    if (count % 40 === 0) await t.put({ contactProperties: [] });
  });
  expect(failed.map((it) => `${it.operation} ${it.rule}`)).toEqual([
    'listAutomations list.limit',
    'listContactProperties list.limit',
    'listContactImports list.limit',
  ]);
});

test.each([
  ['three of a value and another one between them', 'passed', ['enabled', 'enabled', 'disabled', 'enabled']],
  ['two of a value', 'skipped', ['enabled', 'disabled', 'enabled']],
  ['three of a value, and none between them', 'skipped', ['disabled', 'enabled', 'enabled', 'enabled']],
] as const)('a cursor with a filter is tested with %s: %s', async (_, outcome, statuses) => {
  const automations = series(statuses.length, automation).map((it, at) => ({
    ...it,
    status: statuses[at] ?? it.status,
  }));
  const all = await results(await open(await openTestApp({ automations })), { only: ['list.filter_cursor'] });
  expect(all.filter((it) => it.operation === 'listAutomations').map((it) => it.outcome)).toEqual([outcome]);
});

test('every rule has an id and a title, by which docs/conform.md lists it', () => {
  const page = readFileSync(fileURLToPath(new URL('../../docs/conform.md', import.meta.url)), 'utf8');
  const rules = [...allRules(contract)];
  expect(rules.length).toBeGreaterThan(60);
  expect([...page.matchAll(/^- `(.+)`: (.+)$/gm)].map(([, id, title]) => [id, title])).toEqual(rules);
  const id = /^(list|get|auth|isolation|request|response|header|http|record)\.[a-z]+(_[a-z]+)*$/;
  expect(rules.filter((it) => !id.test(it[0]) || it[1].length <= 10)).toEqual([]);
});

test('a rule depends on rules that there are, and that run before it where they concern the same operation', () => {
  const session = openSession({ url: 'http://127.0.0.1:1', key: 'own', key2: 'other' }, BOUNDS, () => undefined);
  afterTest(session.close);
  const known = allRules(contract);
  const targets = targetsOf({ contract, session, checks: createResponseChecks(contract) }, true);
  expect(targets.length).toBeGreaterThan(3);
  for (const { target, rules } of targets) {
    const ids = rules.map((it) => it.id);
    const isWrong = (id: string, at: number): boolean => !known.has(id) || ids.indexOf(id) >= at;
    const pairs = rules.flatMap(({ id, dependsOn = [] }, at) => dependsOn.map((it) => ({ id, at, dependsOn: it })));
    expect(pairs.length).toBeGreaterThan(0);
    const wrong = pairs.filter((it) => isWrong(it.dependsOn, it.at));
    expect(wrong.map((it) => `${target.operation.id} ${it.id}: ${it.dependsOn}`)).toEqual([]);
  }
});

describe('how the items of lists are compared:', () => {
  test.each([
    [[], [], undefined],
    [['a'], ['a'], undefined],
    [['a', 'b'], ['b', 'a'], 'b a'],
    [['a'], ['a', 'b'], 'a b'],
    [['a', 'b'], ['a'], 'a'],
    [['a'], [], 'no items'],
  ])('items %j differ from %j', (expected, actual, shown) => {
    const items = (ids: readonly string[]): { readonly id: string }[] => ids.map((id) => ({ id }));
    expect(difference(items(expected), items(actual))).toBe(shown);
  });

  test('items of one id differ by their texts, not by the order of these', () => {
    expect(difference([{ id: 'a', ...{ x: 1, y: 2 } }], [{ ...{ y: 2, x: 1 }, id: 'a' }])).toBe(undefined);
    expect(difference([{ id: 'a', ...{ x: 1 } }], [{ id: 'a', ...{ x: 2 } }])).toBe('other values: {"id":"a","x":2}');
  });
});

describe('texts are without keys, and cut to a readable length:', () => {
  const server = { url: 'http://127.0.0.1:1', key: 'a-key+of/mine', key2: 'another-key' };

  test.each([
    ['Authorization: Bearer a-key+of/mine', 'Authorization: Bearer <key>'],
    ['?api_key=a-key%2Bof%2Fmine', '?api_key=<key>'],
    ['Bearer a-key+of/min1 and a-key+of/mine0', 'Bearer <key>1 and <key>0'],
    ['another-key', '<key2>'],
  ])('%s', (text, shown) => {
    expect(redact(text, server)).toBe(shown);
  });

  test('a key as short as a word does not take the words away', () => {
    expect(redact('the list cannot be paged through: Bearer k', { ...server, key: 'k' })).toBe(
      'the list cannot be paged through: Bearer <key>',
    );
  });

  test('a long text is cut, its keys hidden first', () => {
    const shown = redact(`${'x'.repeat(295)}${server.key}${'y'.repeat(1000)}`, server);
    expect(shown).toBe(`${'x'.repeat(295)}<key>… (1300 characters)`);
  });
});
