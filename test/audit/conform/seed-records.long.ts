/** The records that `--print-records` prints: valid, and enough for every rule. */
import { expect, test } from '@jest/globals';
import { COLLECTIONS } from '../../../contract/collections.ts';
import { exampleRecords } from '../../../contract/examples.ts';
import { seedRecords } from '../../../audit/conform/seed-records.ts';
import { createServerState } from '../../../testkit/server-state.ts';
import type { Records } from '../../../testkit/index.ts';
import { contract, openTestApp } from '../../support/app.ts';
import { open, results } from './target.ts';

const seed = seedRecords(contract);

test('every rule passes with them, on two accounts', async () => {
  const { first, second } = seed.accounts;
  const t = await openTestApp(first as Records); // They are checked as they are loaded.
  await t.put(second as Records, { account: 'other' });
  const server = { ...(await open(t)), otherKey: await t.keyOf('other') };
  const all = await results(server, { isSeeded: true });
  expect(all.filter((it) => it.outcome === 'failed')).toEqual([]);
  // Of any other collection the contract may have too few examples.
  const isRich = /Automations|ContactProperties|ContactImport|every response/;
  expect(all.filter((it) => it.outcome !== 'passed' && isRich.test(it.operation))).toEqual([]);
});

test('a list that lacks some of them, or has one with another value, is wrong', async () => {
  const { first } = seed.accounts;
  const { automations = [], contactProperties = [], contactImports = [] } = first as Records;
  const cut = contactProperties.map((it) => ({ ...it, key: it.key.slice(0, 100) }));
  const t = await openTestApp({ automations: automations.slice(0, 100), contactProperties: cut, contactImports });
  const all = await results(await open(t), { isSeeded: true, only: ['record.example'] });
  const failed = all.filter((it) => it.outcome === 'failed');
  expect(failed.map((it) => [it.operation, it.findings[0].actual.slice(0, 23), it.findings[0].difference])).toEqual([
    ['listAutomations', '9 of them are missing: ', undefined],
    ['listContactProperties', expect.anything(), expect.stringMatching(/^key is .*, not .*long/)],
  ]);
});

test('the first account has the examples of the contract, and both together no id twice', () => {
  const { first, second } = seed.accounts;
  for (const collection of COLLECTIONS) {
    const records = [...(first?.[collection] ?? []), ...(second?.[collection] ?? [])];
    for (const it of exampleRecords(contract, collection)) expect(first?.[collection]).toContainEqual(it);
    expect(new Set(records.map((it) => it['id'])).size).toBe(records.length);
  }
});

test('they are a snapshot, the same each time', async () => {
  const state = createServerState();
  await state.restore(JSON.parse(JSON.stringify(seed)));
  expect([...state.accounts.keys()]).toEqual(['first', 'second']);
  state.close();
  expect(seedRecords(contract)).toEqual(seed);
});
