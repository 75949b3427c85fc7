/** `rollcall conform` passes on Rollcall, whatever its engine. */
import { expect, test } from '@jest/globals';
import { contract, openTestApp } from '../support/app.ts';
import { recordsOf, seeded } from './records.ts';
import { RECORDS, open, results, rulesOf } from './subject.ts';

test('Rollcall conforms with two accounts, no rule skipped', async () => {
  const t = await openTestApp(RECORDS);
  await t.put(recordsOf('other', 12), { account: 'other' });
  const all = await results({ ...(await open(t)), key2: await t.keyOf('other') }, { isSeeded: true });
  expect(all.filter((it) => it.outcome !== 'passed')).toEqual([]);
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
  expect(all.map((it) => `${it.operation} ${it.outcome}`)).toEqual([
    'listAutomations passed',
    'listContactProperties skipped',
    'listContactImports skipped',
    'getContactImport skipped',
  ]);
});

test('rules that an empty account has no records for are skipped, not passed', async () => {
  const all = await results(await open(await openTestApp()));
  expect(rulesOf(all, 'failed')).toEqual(new Set());
  expect([...rulesOf(all, 'skipped')].sort()).toEqual([
    ...['conditional', 'conditional.body', 'conditional.list', 'conditional.other', 'conditional.tag', 'key.scheme'],
    ...['list.after', 'list.before', 'list.cursor-case', 'list.cursor-foreign', 'list.default-limit', 'list.filter'],
    ...['list.filter-cursor', 'list.filter-limit', 'list.has-more', 'list.limit', 'list.order', 'list.ties'],
    ...['lookup.case', 'lookup.found', 'method.head', 'method.head-body', 'path.slashes', 'request.ignored'],
  ]);
});
