/** `rollcall conform` passes on Rollcall, whatever its engine. */
import { expect, test } from '@jest/globals';
import { COLLECTIONS, noun, operationsOf } from '../../server/contract/collections.ts';
import { contract, openTestApp } from '../support/app.ts';
import { recordsOf, seeded } from './records.ts';
import { RECORDS, open, results, rulesOf } from './target.ts';

test('Rollcall conforms with two accounts, no rule skipped', async () => {
  const t = await openTestApp(RECORDS);
  await t.put(recordsOf('other', 12), { account: 'other' });
  const all = await results({ ...(await open(t)), key2: await t.keyOf('other') }, { isSeeded: true });
  expect(rulesOf(all, 'failed')).toEqual(new Set());
  // Of any other collection there are only the records of its examples.
  expect(
    all.filter((it) => it.outcome !== 'passed' && /Automations|ContactProperties|ContactImport/.test(it.operation)),
  ).toEqual([]);
  expect(all.length).toBeGreaterThan(160);
});

test('a record of the examples is found where it is the only one of its collection', async () => {
  const { automations, contactProperties, contactImports } = seeded({}, contract);
  const first = <T>(records: readonly T[] = []): T[] => records.slice(0, 1);
  const t = await openTestApp({
    automations: first(automations),
    contactProperties: first(contactProperties),
    contactImports: first(contactImports),
  });
  const all = await results(await open(t), { isSeeded: true, only: ['record.example'] });
  // The other operations have examples of several records, of which the account lacks some.
  const outcomes = all.map((it) => `${it.operation} ${it.outcome}`);
  expect(outcomes.filter((it) => !it.endsWith(' skipped'))).toEqual(['listAutomations passed']);
  for (const it of ['listContactProperties', 'listContactImports', 'getContactImport']) {
    expect(outcomes).toContain(`${it} skipped`);
  }
});

test('rules that an empty account has no records for are skipped, not passed', async () => {
  const all = await results(await open(await openTestApp()));
  expect(rulesOf(all, 'failed')).toEqual(new Set());
  expect([...rulesOf(all, 'skipped')].sort()).toEqual([
    ...['auth.scheme_case', 'get.found', 'get.id_case', 'http.etag', 'http.head', 'http.head_body', 'http.modified'],
    ...['http.multiple_etags', 'http.not_modified', 'http.not_modified_body', 'list.after', 'list.before'],
    ...['list.cursor_case', 'list.default_limit', 'list.filter', 'list.filter_cursor', 'list.filter_limit'],
    ...['list.foreign_cursor', 'list.has_more', 'list.limit', 'list.order', 'list.ties'],
    ...['request.ignored_input', 'request.leading_slashes'],
  ]);
});

test('an empty second account fails no rule, and skips only those that need its records', async () => {
  const t = await openTestApp(RECORDS);
  await t.put({ automations: [] }, { account: 'other' });
  const server = { ...(await open(t)), key2: await t.keyOf('other') };
  const all = await results(server, { only: ['isolation'] });
  const needed = (records: string): unknown =>
    expect.objectContaining({ rule: 'isolation.list', outcome: 'skipped', needs: [`${records} in both accounts`] });
  expect(all.filter((it) => it.outcome !== 'passed')).toEqual(COLLECTIONS.map((it) => needed(noun(it))));
  const passed = all.filter((it) => it.outcome === 'passed').map((it) => `${it.operation} ${it.rule}`);
  expect(passed.sort()).toEqual(
    [
      ...COLLECTIONS.map(operationsOf).flatMap(({ list, get }) => [
        ...[`${list} isolation.cursor`, `${list} isolation.etag`],
        ...(get === undefined ? [] : [`${get} isolation.get`]),
      ]),
    ].sort(),
  );
});
