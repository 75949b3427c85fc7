/** `rollcall db check`: stored records are those that were loaded. Files: `sqlite/check.test.ts`. */
import { describe, expect, test } from '@jest/globals';
import { automation, contactImport } from '../../testkit/builders.ts';
import { alter } from '../support/alter.ts';
import { countedOf, namedCountsOf } from '../support/collections.ts';
import { folder, load, shown } from '../support/own-database.ts';
import { series } from '../support/series.ts';

test('a sound database is said to be, with what it holds', async () => {
  await load('automations', series(450, automation));
  await load('contactImports', [contactImport()]);
  await folder.call(['keys', 'create', '--account', 'other']);
  expect(await folder.call(['db', 'check'])).toEqual({
    code: 0,
    signal: null,
    stdout:
      `acme: ${countedOf({ automations: 450, contactImports: 1 })}\nother: ${countedOf({})}\n` +
      `No errors found in ${shown}.\n`,
    stderr: '',
  });
  const json = await folder.call(['db', 'check', '--json']);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(json.stdout)).toEqual({
    ok: true,
    accounts: [
      { name: 'acme', records: namedCountsOf({ automations: 450, contactImports: 1 }) },
      { name: 'other', records: namedCountsOf({}) },
    ],
    faults: [],
    badRecords: 0,
  });
});

describe('a record that is not as it was loaded', () => {
  const record = automation();
  const line = `acme: automations: ${record.id}: `;
  test.each([
    ['its text', `UPDATE records SET json = json || ' '`, 'the stored text does not match the record'],
    [
      'its place',
      `UPDATE records SET created_us = created_us + 1`,
      'the stored position in the list does not match the record',
    ],
    ['its filter', `UPDATE records SET filter = 'disabled'`, 'the stored filter value does not match the record'],
    ['JSON', `UPDATE records SET json = substr(json, 2)`, 'record: is not JSON'],
    [
      'the contract',
      `UPDATE records SET json = replace(json, '"enabled"', '"paused"')`,
      '/status: must be one of "enabled", "disabled"',
    ],
  ])('%s', async (_, sql, fault) => {
    await load('automations', [record]);
    await alter(sql);
    expect(await folder.call(['db', 'check'])).toEqual({
      code: 1,
      signal: null,
      stdout: `acme: ${countedOf({ automations: 1 })}\n`,
      stderr: `${line}${fault}\nrollcall: Errors found in ${shown} (1 invalid record). See above.\n`,
    });
    const { code, stdout } = await folder.call(['db', 'check', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, faults: [line + fault], badRecords: 1 });
  });
});

test('of many bad records twenty are listed, and all are counted', async () => {
  await load('automations', series(450, automation));
  await alter(`UPDATE records SET json = replace(json, '"enabled"', '"disabled"')`);
  const { code, stderr } = await folder.call(['db', 'check']);
  expect(code).toBe(1);
  expect(stderr.match(/^acme: automations: \S+: the stored filter value does not match the record$/gm)).toHaveLength(
    20,
  );
  expect(stderr).toContain('450 invalid records');
});

test('records without their account are found', async () => {
  await load('automations', [automation()]);
  await alter('DELETE FROM accounts');
  expect(await folder.call(['db', 'check'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^some records refer to missing accounts$/m) as unknown,
  });
});
