/** What `conform` sends, and which rules there are. What it finds: `npm run test:conform`. */
import { describe, expect, test } from '@jest/globals';
import type { Result } from '../../../audit/conform/conform.ts';
import { createResponseChecks } from '../../../audit/conform/response-rules.ts';
import { allRules, targetsOf } from '../../../audit/conform/rules.ts';
import { BOUNDS, openCheckedSession } from '../../../audit/conform/checked-session.ts';
import { automation } from '../../../testkit/index.ts';
import { afterTest } from '../../support/after-test.ts';
import { contract, openTestApp } from '../../support/app.ts';
import { series } from '../../support/series.ts';
import { open, openBehind, results } from './target.ts';
import type { Change } from './target.ts';

/** @returns the failures of a server whose requests are changed first, or answered. */
const failedOf = async (change: Change): Promise<Result[]> =>
  (await results(await openBehind(change))).filter((it) => it.outcome === 'failed');

test('it only reads: nothing but GET and HEAD is sent with a key, and no key in a URL', async () => {
  const sent = { with: new Set(), without: new Set() };
  let inUrl = 0;
  await failedOf((req, _res, { key }) => {
    sent[JSON.stringify(req.headers).includes(key) ? 'with' : 'without'].add(req.method);
    if (req.url?.includes(key) === true) inUrl += 1;
  });
  expect(sent.with).toEqual(new Set(['GET', 'HEAD']));
  for (const it of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT']) expect(sent.without).toContain(it);
  expect(inUrl).toBe(0);
});

describe('the key in a query:', () => {
  /** @returns the values of all parameters that are keys, and the results. */
  async function valuesOf(isKeyAllowedInUrl: boolean): Promise<{ values: Set<string>; key: string; failed: number }> {
    const values = new Set<string>();
    const server = await openBehind((req, _res, { key }) => {
      const url = new URL(req.url ?? '', 'http://x');
      if (req.headers.authorization === undefined)
        for (const value of url.searchParams.values()) if (value.startsWith('rollcall_')) values.add(value);
      // A server that takes a key of the query.
      if (url.searchParams.get('api_key') === key) {
        req.url = url.pathname;
        req.headers.authorization = `Bearer ${key}`;
      }
    });
    const all = await results(server, { only: ['auth.in_query'], isKeyAllowedInUrl });
    return { values, key: server.key, failed: all.filter((it) => it.outcome === 'failed').length };
  }

  test('it is made up', async () => {
    const { values, failed } = await valuesOf(false);
    expect([[...values], failed]).toEqual([[`rollcall_${'0'.repeat(40)}`], 0]);
  });

  test('it is the real one where that is allowed, and what takes it fails', async () => {
    const { values, key, failed } = await valuesOf(true);
    expect([[...values], failed]).toEqual([[key], contract.operations.length]);
  });
});

test('an error of the right status and another name fails', async () => {
  const failed = await failedOf(({ headers }) => {
    headers.authorization ??= 'Bearer nonsense';
  });
  expect(new Set(failed.map((it) => it.rule))).toEqual(new Set(['auth.missing']));
  const finding = expect.objectContaining({ expected: '401 missing_api_key' }) as unknown;
  expect(failed).toMatchObject(failed.map(() => ({ findings: expect.arrayContaining([finding]) })));
});

test('a redirect is not followed, so that the key does not leak', async () => {
  const urls: unknown[] = [];
  const failed = await failedOf((req, res) => {
    urls.push(req.url);
    if (req.url === '/automations?limit=0') res.writeHead(302, { location: '/elsewhere' }).end('moved away');
  });
  expect(failed.map((it) => it.rule)).toEqual(['response.status']);
  expect(failed).toMatchObject([
    {
      findings: [
        {
          request: 'GET /automations?limit=0',
          actual: expect.stringMatching(
            /^in \d+ of \d+ responses; the first: status 302, which is not declared: moved away$/,
          ) as unknown,
        },
      ],
    },
  ]);
  expect(urls).not.toContain('/elsewhere');
});

test.each([
  ['three of a value and another one between them', 'passed', ['enabled', 'enabled', 'disabled', 'enabled']],
  ['two of a value', 'not_checked', ['enabled', 'disabled', 'enabled']],
  ['three of a value, and none between them', 'not_checked', ['disabled', 'enabled', 'enabled', 'enabled']],
] as const)('a cursor with a filter is tested with %s: %s', async (_, outcome, statuses) => {
  const automations = series(statuses.length, automation).map((it, at) => ({
    ...it,
    status: statuses[at] ?? it.status,
  }));
  const all = await results(await open(await openTestApp({ automations })), { only: ['list.filter_cursor'] });
  expect(all.filter((it) => it.operation === 'listAutomations').map((it) => it.outcome)).toEqual([outcome]);
});

test('every rule has an id, a title and what to change', () => {
  const rules = [...allRules(contract).values()];
  expect(rules.length).toBeGreaterThan(70);
  const id = /^(operation|list|get|auth|isolation|request|response|header|http|record)\.[a-z]+(_[a-z]+)*$/;
  expect(rules.filter((it) => !id.test(it.id) || it.title.length <= 10 || it.change.length <= 10)).toEqual([]);
});

test('a rule depends on rules that there are, and that run before it where they concern the same operation', () => {
  const session = openCheckedSession(
    { url: 'http://127.0.0.1:1', key: 'own', otherKey: 'other' },
    BOUNDS,
    () => undefined,
  );
  afterTest(session.close);
  const known = allRules(contract);
  const checks = createResponseChecks(contract);
  const settings = { maxItems: 1, random: () => 0, rotation: 0, isKeyAllowedInUrl: false, isSeeded: true, crossed: 0 };
  const targets = targetsOf({ contract, session, checks, ...settings });
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
