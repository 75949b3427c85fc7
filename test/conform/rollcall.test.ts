/** `rollcall conform` passes on Rollcall, whatever its engine. */
import { expect, test } from '@jest/globals';
import { openTestApp } from '../support/app.ts';
import { RECORDS, results, rulesOf } from './subject.ts';

test('Rollcall conforms, no rule skipped', async () => {
  const all = await results(await openTestApp(RECORDS));
  expect(all.filter((it) => it.outcome !== 'passed')).toEqual([]);
  expect(all.length).toBeGreaterThan(80);
});

test('rules that an empty account has no records for are skipped, not passed', async () => {
  const all = await results(await openTestApp());
  expect(rulesOf(all, 'failed')).toEqual(new Set());
  expect([...rulesOf(all, 'skipped')]).toEqual(
    expect.arrayContaining(['list.order', 'list.after', 'list.before', 'list.has-more', 'list.filter', 'lookup.found']),
  );
});
