/** The rules that no schema expresses: which records violate them, where, and what is allowed. */
import { describe, expect, test } from '@jest/globals';
import { recordRules } from '../../contract/record-rules.ts';
import { automation, contactImport, contactProperty } from '../../testkit/builders.ts';
import { contract } from '../support/app.ts';

const automations = recordRules(contract, 'automations');
const contactProperties = recordRules(contract, 'contactProperties');
const contactImports = recordRules(contract, 'contactImports');
const timestamp = '2026-04-17 06:00:00.250+00';

test.each([
  ['queued', timestamp, 'must be null when the status is queued'],
  ['in_progress', timestamp, 'must be null when the status is in_progress'],
  ['completed', null, 'must be a timestamp when the status is completed'],
  ['failed', null, 'must be a timestamp when the status is failed'],
] as const)('completed_at of a %s import may not be %j', (status, wrong, what) => {
  const right = wrong === null ? timestamp : null;
  expect(contactImports(contactImport({ status, completed_at: right }))).toEqual([]);
  expect(contactImports(contactImport({ status, completed_at: wrong }))).toEqual([{ where: '/completed_at', what }]);
});

describe('counts', () => {
  const counts = { total: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const what = 'must be all 0 when the status is queued';

  test.each(Object.keys(contract.schemas.ContactImportCounts.properties ?? {}))(
    'of a queued import may not have another %s than 0',
    (name) => {
      const queued = contactImport({ status: 'queued', counts });
      expect(contactImports(queued)).toEqual([]);
      expect(contactImports({ ...queued, counts: { ...counts, [name]: 1 } })).toEqual([{ where: '/counts', what }]);
    },
  );

  test('of another import may be anything, and properties that the contract does not name may be too', () => {
    const total = { ...counts, total: 1 };
    expect(contactImports(contactImport({ status: 'in_progress', counts: total }))).toEqual([]);
    expect(contactImports(contactImport({ status: 'failed', counts }))).toEqual([]);
    const extended = { ...counts, waiting: 1 };
    expect(contactImports(contactImport({ status: 'queued', counts: extended }))).toEqual([]);
  });
});

describe('fallback_value', () => {
  test.each([
    ['string', 'friend'],
    ['string', ''],
    ['string', null],
    ['number', 0],
    ['number', null],
    ['date', 'today'],
    ['date', 1],
    ['date', null],
    ['object', 'friend'],
    ['', 'friend'],
  ])('of type %j may be %j', (type, fallback_value) => {
    expect(contactProperties(contactProperty({ type, fallback_value }))).toEqual([]);
  });

  test.each([
    ['string', 1, 'must be a string or null when the type is string'],
    ['number', '1', 'must be a number or null when the type is number'],
    ['number', '', 'must be a number or null when the type is number'],
  ])('of type %j may not be %j', (type, fallback_value, what) => {
    expect(contactProperties(contactProperty({ type, fallback_value }))).toEqual([{ where: '/fallback_value', what }]);
  });
});

test('a date that is none of the calendar is named, in every property of dates', () => {
  const date = '2026-04-31 13:49:40+05:30';
  const what = 'must be a calendar date: 2026-04-31 does not exist';
  const places = (...names: string[]): unknown => names.map((it) => ({ where: `/${it}`, what }));
  expect(automations(automation({ created_at: date, updated_at: date }))).toEqual(places('created_at', 'updated_at'));
  expect(contactImports(contactImport({ completed_at: date }))).toEqual(places('completed_at'));
});

describe('texts', () => {
  test.each(['', ' ', '\u0001', '\u007f', '\ufeff', '\uffff', '👋🏽', '\u202e'])('%j is one', (name) => {
    expect(automations(automation({ name }))).toEqual([]);
  });

  test.each([
    ['\0', 'must not contain NUL (U+0000), but character 1 is one'],
    ['ab\0', 'must not contain NUL (U+0000), but character 3 is one'],
    ['\ud83d', 'must not contain half of a surrogate pair, but character 1 is one'],
    ['👋👋\udc4b', 'must not contain half of a surrogate pair, but character 3 is one'],
    ['\udc4b\ud83d', 'must not contain half of a surrogate pair, but character 1 is one'],
  ])('%j is none, wherever it stands', (text, what) => {
    expect(automations(automation({ name: text }))).toEqual([{ where: '/name', what }]);
    expect(contactProperties(contactProperty({ key: text, type: text, fallback_value: text }))).toEqual([
      { where: '/key', what },
      { where: '/type', what },
      { where: '/fallback_value', what },
    ]);
  });
});
