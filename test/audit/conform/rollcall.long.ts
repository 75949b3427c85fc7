/** `rollcall conform` passes on Rollcall, whatever its engine. */
import { expect, test } from '@jest/globals';
import { COLLECTIONS, noun, operationsOf } from '../../../contract/collections.ts';
import { conform } from '../../../audit/conform/conform.ts';
import type { Result } from '../../../audit/conform/conform.ts';
import { BOUNDS, RELISTING_SHARE } from '../../../audit/conform/checked-session.ts';
import { contract, openTestApp } from '../../support/app.ts';
import { recordsOf, seeded } from './records.ts';
import { RECORDS, open, results, rulesOf } from './target.ts';

/** Of any other collection there are only the records of its examples. */
const isRich = ({ operation }: Result): boolean =>
  /Automations|ContactProperties|ContactImport|every response/.test(operation);

// The longest lists are those that are read to their end: of one page, and of as many as `--max-items` allows.
test.each([
  [130, 12, Infinity],
  [980, 980, Infinity],
  [980, 980, 300],
])(
  'every rule passes within the requests: accounts of %d and %d records, some removed at request %d',
  async (own, other, removal) => {
    const records = recordsOf('own', own);
    const t = await openTestApp(seeded(records, contract));
    await t.put(recordsOf('other', other), { account: 'other' });
    const remove = async (): Promise<void> => {
      for (const it of COLLECTIONS) await t.writer.remove('main', it, [String(records[it]?.[50]?.id)]);
    };
    let count = 0;
    const app: typeof t.app = (req, res) => {
      count += 1;
      void (count === removal ? remove() : Promise.resolve()).then(() => {
        t.app(req, res);
      });
    };
    const server = { ...(await open({ ...t, app })), otherKey: await t.keyOf('other') };
    const run = conform(contract, server, { isSeeded: true });
    const all: Result[] = [];
    for await (const result of run) all.push(result);
    expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
    expect(all.filter((it) => it.outcome !== 'passed' && isRich(it))).toEqual([]);
    expect(all.length).toBeGreaterThan(160);
    const sent = Object.values(run.sent).reduce((sum, count) => sum + count, 0);
    if (removal === Infinity) expect(sent).toBeLessThanOrEqual(BOUNDS.requests * (1 - RELISTING_SHARE));
  },
);

test.each([1, 2])('2,000 crossed requests have the responses of the model: seed %d', async (seed) => {
  const t = await openTestApp(RECORDS);
  await t.put(recordsOf('other', 30), { account: 'other' });
  const server = { ...(await open(t)), otherKey: await t.keyOf('other') };
  const run = conform(contract, server, { isSeeded: true, seed, crossed: 2000, requests: 10_000 });
  const missed: Result[] = [];
  for await (const it of run) if (it.outcome === 'failed' || (it.outcome !== 'passed' && isRich(it))) missed.push(it);
  expect(missed).toEqual([]);
  expect(Object.values(run.sent).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(2900);
});

test('the example records are found where they are all of their collection, and those that are missing are named', async () => {
  const { automations = [], contactProperties = [], contactImports = [] } = seeded({}, contract);
  const t = await openTestApp({ automations, contactProperties: contactProperties.slice(1), contactImports: [] });
  const all = await results(await open(t), { isSeeded: true, only: ['record.example'] });
  const needs = all.map((it) => [it.operation, it.outcome, 'need' in it ? it.need.what : undefined]);
  const what = 'of those that --print-records prints: ';
  const ids = contactImports.map((it) => it.id);
  const imports = `${what}${ids.slice(0, 3).join(', ')} and ${String(ids.length - 3)} more`;
  for (const it of [
    ['listAutomations', 'passed', undefined],
    ['listContactProperties', 'not_checked', `${what}${String(contactProperties[0]?.id)}`],
    ['listContactImports', 'not_checked', imports],
    ['getContactImport', 'not_checked', imports],
  ])
    expect(needs).toContainEqual(it);
});

test('rules that an empty account has no records for are not checked, and do not pass', async () => {
  const all = await results(await open(await openTestApp()));
  expect(rulesOf(all, 'failed')).toEqual(new Set());
  expect([...rulesOf(all, 'not_checked')].sort()).toEqual([
    ...['auth.scheme_case', 'auth.several', 'get.found', 'get.id_case', 'http.compression', 'http.conditional_errors'],
    ...['http.cross_origin', 'http.head', 'http.head_body', 'http.head_not_modified', 'http.modified'],
    ...['http.multiple_etags', 'http.not_modified', 'http.not_modified_body'],
    ...['isolation.cursor', 'isolation.disclosure', 'isolation.etag', 'isolation.get', 'isolation.list'],
    ...['list.after', 'list.before'],
    ...['list.cursor_case', 'list.default_limit', 'list.end', 'list.filter', 'list.filter_cursor', 'list.filter_end'],
    ...['list.filter_limit', 'list.foreign_cursor', 'list.has_more', 'list.limit', 'list.order', 'list.sampled'],
    ...[
      'list.ties',
      'operation.exists',
      'record.example',
      'request.encoding',
      'request.fragment',
      'request.ignored_headers',
      'request.ignored_input',
    ],
    ...['request.leading_slashes'],
  ]);
});

test('an empty second account fails no rule, and leaves only those unchecked that need its records', async () => {
  const t = await openTestApp(RECORDS);
  await t.put({ automations: [] }, { account: 'other' });
  const server = { ...(await open(t)), otherKey: await t.keyOf('other') };
  const all = await results(server, { only: ['isolation'] });
  const needed = (of: string): unknown =>
    expect.objectContaining({
      rule: 'isolation.list',
      outcome: 'not_checked',
      need: { of, count: 1, what: 'in both accounts' },
    });
  expect(all.filter((it) => it.outcome !== 'passed')).toEqual(COLLECTIONS.map((it) => needed(noun(it))));
  const passed = all.filter((it) => it.outcome === 'passed').map((it) => `${it.operation} ${it.rule}`);
  expect(passed.sort()).toEqual(
    [
      ...COLLECTIONS.map(operationsOf).flatMap(({ list, get }) => [
        ...[`${list} isolation.cursor`, `${list} isolation.disclosure`, `${list} isolation.etag`],
        ...(get === undefined ? [] : [`${get} isolation.get`, `${get} isolation.disclosure`]),
      ]),
    ].sort(),
  );
});
