/** How records are compared, and in which words a difference is said. */
import { describe, expect, test } from '@jest/globals';
import { canonical, comparisonOf, idsOf } from '../../../audit/conform/records.ts';
import type { Item } from '../../../audit/conform/records.ts';
import { contract } from '../../support/app.ts';
import { show } from '../../support/text.ts';

const { valueOf, ...comparison } = comparisonOf(contract, 'contactImports');
const differenceOf = (expected: unknown, actual: unknown): string | undefined => {
  const difference = comparison.differenceOf(expected, actual);
  return difference && show(difference);
};
const differenceOfItems = (expected: readonly Item[], actual: readonly Item[]): object | undefined => {
  const found = comparison.differenceOfItems(expected, actual);
  return found && { actual: show(found.actual), difference: show(found.difference) };
};
const { example } = contract.schemas.ContactImport as { readonly example: Item };
const counts = example['counts'] as Readonly<Record<string, number>>;

describe('records are equal', () => {
  const [date, time] = ['2026-04-16', '13:00:00'];
  const plain = { ...example, created_at: `${date} ${time}+00`, completed_at: `${date} ${time}.5+00` };
  test.each<[string, object]>([
    ['with a property more', { ...plain, extra: 1 }],
    ['with one more in an object', { ...plain, counts: { ...counts, extra: 1 } }],
    ['with another order of properties', Object.fromEntries(Object.entries(plain).toReversed())],
    ['with another order in an object', { ...plain, counts: Object.fromEntries(Object.entries(counts).toReversed()) }],
    ['with more digits', { ...plain, created_at: `${date} ${time}.000000+00` }],
    ['with another offset', { ...plain, completed_at: `${date} 15:30:00.500+02:30` }],
  ])('%s', (_, other) => {
    expect([valueOf(other), differenceOf(plain, other)]).toEqual([valueOf(plain), undefined]);
  });
});

describe('records differ', () => {
  const total = counts['total'] ?? 0;
  test.each<[object | undefined, string]>([
    [{ ...example, status: 'queued' }, `status is "queued", not ${JSON.stringify(example['status'])}`],
    [
      { ...example, counts: { ...counts, total: total + 1 } },
      `counts.total is ${String(total + 1)}, not ${String(total)}`,
    ],
    [{ ...example, counts: undefined }, `counts is missing, not ${JSON.stringify(counts)}`],
    [{ ...example, counts: [] }, `counts is [], not ${JSON.stringify(counts)}`],
    [
      { ...example, created_at: '2020-01-01 00:00:00+00' },
      `created_at is "2020-01-01 00:00:00+00", not ${JSON.stringify(example.created_at)}`,
    ],
  ])('%#: %j', (other, difference) => {
    expect(differenceOf(example, other)).toBe(difference);
    expect(valueOf(other)).not.toBe(valueOf(example));
  });

  test('by a property that should be missing', () => {
    expect(differenceOf({ ...example, counts: undefined }, example)).toBe(
      `counts is ${JSON.stringify(counts)}, not missing`,
    );
  });

  test('as a whole, if one is no record', () => {
    expect(differenceOf(example, undefined)).toMatch(/^the value is missing, not \{"/);
  });

  test('in a long text from a little before the first difference, which is cut', () => {
    const long = (mark: string): object => ({ ...example, status: `${'a'.repeat(200)}${mark}${'b'.repeat(200)}` });
    const shown = (mark: string): string => `…${'a'.repeat(20)}${mark}${'b'.repeat(59)}…`;
    expect(differenceOf(long('x'), long('y'))).toBe(`status is ${shown('y')}, not ${shown('x')}`);
  });

  test('in a long text at its beginning and at its end', () => {
    const text = 'a'.repeat(100);
    const of = (status: string): object => ({ ...example, status });
    expect(differenceOf(of(`x${text}`), of(text))).toBe(`status is "${'a'.repeat(79)}…, not "x${'a'.repeat(78)}…`);
    expect(differenceOf(of(`${text}x`), of(text))).toBe(`status is …${'a'.repeat(20)}", not …${'a'.repeat(20)}x"`);
  });
});

describe('of items', () => {
  const item = (id: string, status = 'queued'): Item => ({ ...example, id, status, created_at: `at ${id}` });
  const [a, b] = [item('a'), item('b')];
  test.each<[string, Item[], Item[], string, string]>([
    ['a missing one', [a, b], [a], 'a', 'item 2 is missing: b (at b)'],
    ['all missing', [a], [], 'no items', 'item 1 is missing: a (at a)'],
    ['an extra one', [a], [a, b], 'a b', 'item 2 is unexpected: b (at b)'],
    ['another one', [a, b], [b, a], 'b a', 'item 1 is b (at b), not a (at a)'],
    ['another value', [a, b], [a, item('b', 'failed')], 'a b', 'in item 2 (b), status is "failed", not "queued"'],
  ])('%s is named', (_, expected, actual, shown, difference) => {
    expect(differenceOfItems(expected, actual)).toEqual({ actual: shown, difference });
  });

  test('none is named where they are equal', () => {
    expect([differenceOfItems([], []), differenceOfItems([a, b], [{ ...a, extra: 1 }, b])]).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('the first six ids are shown, eight characters of each', () => {
    const ids = (count: number): readonly Item[] =>
      Array.from({ length: count }, (_, at) => item(`1234567${String(at)}-x`));
    const six = '12345670 12345671 12345672 12345673 12345674 12345675';
    expect([idsOf(ids(6)), idsOf(ids(7))].map(show)).toEqual([six, `${six} … (7 items)`]);
  });
});

test('bodies are the same whatever the order of their properties, not that of their items', () => {
  expect(canonical({ b: [1, { d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[1,{"c":2,"d":1}]}');
  expect([canonical(undefined), canonical([2, 1])]).toEqual(['null', '[2,1]']);
});
