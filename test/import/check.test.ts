/** Validation of imported records: what is wrong, where, and what is allowed. */
import { describe, expect, test } from '@jest/globals';
import { allowed } from '../../contract/wording.ts';
import { createChecks } from '../../import/check.ts';
import { contract } from '../support/app.ts';
import { automation, contactImport, contactProperty } from '../../testkit/builders.ts';

const { schemas } = contract;
const checks = createChecks(contract);
const without = (record: object, name: string): object =>
  Object.fromEntries(Object.entries(record).filter(([it]) => it !== name));
const timestamp = `must be ${allowed(contract.schemas.Timestamp)}`;
const count = 'must be a whole number from 0 to 9007199254740991';

describe('records that are rejected', () => {
  test.each([
    [{ ...automation(), status: 'paused' }, '/status', 'must be one of "enabled", "disabled"'],
    [{ ...automation(), name: 1 }, '/name', `must be ${allowed(schemas.Automation.properties?.['name'] ?? {})}`],
    [without(automation(), 'updated_at'), '/updated_at', 'is missing'],
    [{ ...automation(), colour: 'red' }, '/colour', 'is an unknown property'],
    [{ ...automation(), created_at: '2026-04-16T13:49:40Z' }, '/created_at', timestamp],
    [{ ...automation(), created_at: '2026-04-16 13:49:40' }, '/created_at', timestamp],
    [{ ...automation(), created_at: 1776347380 }, '/created_at', timestamp],
    [{ ...automation(), created_at: '2026-04-16 13:49:40.1234567+00' }, '/created_at', timestamp],
    [{ ...automation(), created_at: '2026-04-16 24:00:00.000+00' }, '/created_at', timestamp],
    [
      { ...automation(), created_at: '2026-02-30 13:49:40.678+00' },
      '/created_at',
      'must be a calendar date: 2026-02-30 does not exist',
    ],
    [{ ...automation(), id: 'x'.repeat(36) }, '/id', `must be ${allowed(schemas.Id)}`],
    ...[null, [], 'text', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown].map(
      (it) => [it, 'record', 'must be an object'] as const,
    ),
  ])('%# automation', (value, where, what) => {
    expect(checks.automations(value).violations).toEqual([{ where, what }]);
  });

  test.each([
    ...[true, {}, Infinity].map(
      (it) =>
        [{ ...contactProperty(), fallback_value: it }, '/fallback_value', `must be ${allowed(schemas.FallbackValue)}`] as const, // prettier-ignore
    ),
    [without(contactProperty(), 'fallback_value'), '/fallback_value', 'is missing'],
    [{ ...contactProperty(), updated_at: '' }, '/updated_at', 'is an unknown property'],
    [
      contactProperty({ type: 'number', fallback_value: -0 }),
      '/fallback_value',
      'must not be -0, which would become 0',
    ],
    [{ ...contactProperty(), type: 'number' }, '/fallback_value', 'must be a number or null when the type is number'],
  ])('%# contact property', (value, where, what) => {
    expect(checks.contactProperties(value).violations).toEqual([{ where, what }]);
  });

  test.each([
    [{ ...contactImport(), counts: { ...contactImport().counts, total: -1 } }, '/counts/total', count],
    [{ ...contactImport(), counts: { ...contactImport().counts, total: 1.5 } }, '/counts/total', count],
    [{ ...contactImport(), counts: { ...contactImport().counts, lost: 1 } }, '/counts/lost', 'is an unknown property'], // prettier-ignore
    [{ ...contactImport(), counts: { ...contactImport().counts, failed: -0 } }, '/counts/failed', 'must not be -0, which would become 0'], // prettier-ignore
    [{ ...contactImport(), counts: without(contactImport().counts, 'failed') }, '/counts/failed', 'is missing'],
    [without(contactImport(), 'completed_at'), '/completed_at', 'is missing'],
    [{ ...contactImport(), object: 'import' }, '/object', 'must be "contact_import"'],
    [{ ...contactImport(), status: 'in_progress' }, '/completed_at', 'must be null when the status is in_progress'],
  ])('%# contact import', (value, where, what) => {
    expect(checks.contactImports(value).violations).toEqual([{ where, what }]);
  });
});

test('a record is stored in the contract’s order of properties, with its id in lower case', () => {
  const { id, name, status, created_at, updated_at } = automation({ created_at: '2026-04-16 13:49:40.678912+00' });
  const { record } = checks.automations({ updated_at, status, created_at, name, id: id.toUpperCase() });
  expect(record).toEqual({
    id,
    filter: status,
    createdUs: 1_776_347_380_678_912n,
    json: JSON.stringify({ id, name, status, created_at, updated_at }),
  });
});

test('nested properties are put in order too', () => {
  const given = contactImport();
  const turned = Object.fromEntries(Object.entries(given.counts).reverse());
  expect(checks.contactImports({ ...given, counts: turned }).record?.json).toBe(JSON.stringify(given));
});

test('a record of a collection without a filter has no value of it', () => {
  expect(checks.contactProperties(contactProperty()).record?.filter).toBeNull();
});
