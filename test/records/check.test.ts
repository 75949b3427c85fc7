/** Records against the contract when they are loaded: what is wrong, where, and what is allowed. */
import { describe, expect, test } from '@jest/globals';
import { createChecks } from '../../server/records/check.ts';
import { contract } from '../support/app.ts';
import { automation, contactImport, contactProperty } from '../../server/testing/builders.ts';

const checks = createChecks(contract);
const without = (record: object, name: string): object =>
  Object.fromEntries(Object.entries(record).filter(([it]) => it !== name));
const like = 'must look like "2026-04-16 13:49:40.678912+00"';

describe('records that are refused', () => {
  test.each([
    [{ ...automation(), status: 'paused' }, '/status', 'must be one of "enabled", "disabled"'],
    [{ ...automation(), name: '' }, '/name', 'must NOT have fewer than 1 characters'],
    [{ ...automation(), name: 1 }, '/name', 'must be string'],
    [without(automation(), 'updated_at'), '/updated_at', 'is missing'],
    [{ ...automation(), colour: 'red' }, '/colour', 'is not a property of the contract'],
    [{ ...automation(), created_at: '2026-04-16T13:49:40Z' }, '/created_at', like],
    [{ ...automation(), created_at: '2026-04-16 13:49:40' }, '/created_at', 'must NOT have fewer than 22 characters'],
    [{ ...automation(), created_at: '2026-04-16 13:49:40.1234567+00' }, '/created_at', like],
    [{ ...automation(), created_at: '2026-04-16 24:00:00.000+00' }, '/created_at', like],
    [{ ...automation(), created_at: '2026-02-30 13:49:40.678+00' }, '/created_at', 'is no date of the calendar'],
    [{ ...automation(), updated_at: '2025-02-29 13:49:40.678+00' }, '/updated_at', 'is no date of the calendar'],
    [{ ...automation(), id: 'x'.repeat(36) }, '/id', 'must look like "c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73"'],
    [null, 'record', 'must be object'],
    [[], 'record', 'must be object'],
    ['text', 'record', 'must be object'],
  ])('%# automation', (value, where, what) => {
    expect(checks.automations(value).violations).toContainEqual({ where, what });
  });

  test.each([
    [{ ...contactProperty(), fallback_value: true }, '/fallback_value', 'must be string, number or null'],
    [{ ...contactProperty(), fallback_value: {} }, '/fallback_value', 'must be string, number or null'],
    [{ ...contactProperty(), fallback_value: Infinity }, '/fallback_value', 'must be string, number or null'],
    [without(contactProperty(), 'fallback_value'), '/fallback_value', 'is missing'],
    [
      { ...contactProperty(), updated_at: '2026-01-01 00:00:00+00' },
      '/updated_at',
      'is not a property of the contract',
    ],
  ])('%# contact property', (value, where, what) => {
    expect(checks.contactProperties(value).violations).toEqual([{ where, what }]);
  });

  test.each([
    [{ ...contactImport(), counts: { ...contactImport().counts, total: -1 } }, '/counts/total', 'must be >= 0'],
    [{ ...contactImport(), counts: { ...contactImport().counts, total: 1.5 } }, '/counts/total', 'must be integer'],
    [
      { ...contactImport(), counts: { ...contactImport().counts, lost: 1 } },
      '/counts/lost',
      'is not a property of the contract',
    ],
    [{ ...contactImport(), counts: without(contactImport().counts, 'failed') }, '/counts/failed', 'is missing'],
    [without(contactImport(), 'completed_at'), '/completed_at', 'is missing'],
    [{ ...contactImport(), object: 'import' }, '/object', 'must be one of "contact_import"'],
  ])('%# contact import', (value, where, what) => {
    expect(checks.contactImports(value).violations).toEqual([{ where, what }]);
  });
});

test('a record is kept in the contract’s order of properties, with its id in lower case', () => {
  const { id, name, status, created_at, updated_at } = automation();
  const { record } = checks.automations({ updated_at, status, created_at, name, id: id.toUpperCase() });
  expect(record).toEqual({
    id,
    filter: status,
    createdUs: 1_776_347_380_678_912n,
    json: JSON.stringify({ id, name, status, created_at, updated_at }),
  });
});

test('nested properties are ordered too', () => {
  const { counts, ...rest } = contactImport();
  const turned = Object.fromEntries(Object.entries(counts).reverse());
  expect(checks.contactImports({ counts: turned, ...rest }).record?.json).toBe(
    JSON.stringify(contactImport({ id: rest.id })),
  );
});

test('a record of a collection without a filter has no value of it', () => {
  expect(checks.contactProperties(contactProperty()).record?.filter).toBeNull();
});
