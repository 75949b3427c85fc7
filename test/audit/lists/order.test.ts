/** The order that a profile declares: which values are the wrong way round, and where nothing can be said. */
import { expect, test } from '@jest/globals';
import { Order, instantOf } from '../../../audit/lists/order.ts';
import type { Misplacement } from '../../../audit/lists/order.ts';
import type { SortKey } from '../../../audit/lists/profile.ts';
import { NotChecked } from '../../../audit/rules/rule.ts';
import { said } from '../../support/text.ts';

const judge = (
  keys: readonly SortKey[],
  ...rows: readonly (readonly unknown[])[]
): readonly (Misplacement | undefined)[] => {
  const order = new Order(keys, rows);
  return rows.slice(1).map((row, at) => order.misplacementOf(rows[at] ?? [], row));
};
const WRONG = { depth: 0, isSure: true };

test.each<[what: string, key: SortKey, one: unknown, other: unknown, Misplacement | undefined]>([
  ['numbers', { by: 'a' }, 10, 9, WRONG],
  ['numbers, descending', { by: '-a' }, 9, 10, WRONG],
  ['numbers in order', { by: 'a' }, 9, 10, undefined],
  ['numbers above 2^53', { by: 'a' }, 2 ** 60, 2 ** 59, undefined],
  ['booleans', { by: 'a' }, true, false, WRONG],
  ['text that is numbers', { by: 'a' }, '10', '9', undefined],
  ['text that is numbers, as declared', { by: 'a', type: 'number' }, '10', '9', WRONG],
  ['text that nobody has declared', { by: 'a' }, 'b', 'a', { depth: 0, isSure: false }],
  ['text', { by: 'a', type: 'text' }, 'b', 'a', WRONG],
  ['text of other case', { by: 'a', type: 'text' }, 'a', 'B', undefined],
  ['text with accents', { by: 'a', type: 'text' }, 'z', 'é', undefined],
  ['letters that are one in Czech', { by: 'a', type: 'text' }, 'ci', 'ch', undefined],
  ['letters that are last in Danish', { by: 'a', type: 'text' }, 'Zoe', 'Aage', undefined],
  ['letters that are one in Hungarian', { by: 'a', type: 'text' }, 'Cukor', 'Csaba', undefined],
  ['letters of other places in Lithuanian', { by: 'a', type: 'text' }, 'Yla', 'Jonas', undefined],
  ['letters of other places in Estonian', { by: 'a', type: 'text' }, 'Zoja', 'Toomas', undefined],
  ['punctuation', { by: 'a', type: 'text' }, 'a-c', 'ab', undefined],
  ['numbers in text', { by: 'a', type: 'text' }, 'row 10', 'row 9', undefined],
  ['numbers in text, by number', { by: 'a', type: 'text' }, 'row 9', 'row 10', undefined],
  ['bytes', { by: 'a', type: 'bytes' }, 'a', 'B', WRONG],
  ['bytes of astral characters', { by: 'a', type: 'bytes' }, '\u{1f98a}', '\uffee', WRONG],
  ['days', { by: 'a' }, '2026-01-02', '2026-01-01', WRONG],
  ['instants', { by: 'a' }, '2026-01-01T01:00:00+01:00', '2025-12-31T23:59:59Z', WRONG],
  ['instants in order', { by: 'a' }, '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:01Z', undefined],
  ['a fraction', { by: 'a' }, '2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00Z', WRONG],
  ['microseconds', { by: 'a' }, '2026-01-01 00:00:00.000002+00', '2026-01-01 00:00:00.000001+00', WRONG],
  ['an hour without a zone', { by: 'a' }, '2026-10-25T02:59:00', '2026-10-25T02:01:00', undefined],
  ['more than an hour without a zone', { by: 'a' }, '2026-10-25T03:59:00', '2026-10-25T02:01:00', WRONG],
  ['a null that is not first', { by: 'a', nulls: 'first' }, 1, null, WRONG],
  ['a null that is not last', { by: '-a', nulls: 'last' }, undefined, 1, WRONG],
])('%s', (_, key, one, other, expected) => {
  expect(judge([key], [one], [other])).toEqual([expected]);
});

test('nulls are on one side', () => {
  expect(judge([{ by: 'a' }], [1], [null], [2])).toEqual([undefined, WRONG]);
  expect(judge([{ by: 'a' }], [null], [1], [2], [null])).toEqual([undefined, undefined, WRONG]);
});

test('equal values are ordered by the next property', () => {
  const keys = [{ by: 'a' }, { by: '-b' }];
  expect(judge(keys, [1, 1], [1, 2])).toEqual([{ depth: 1, isSure: true }]);
  expect(judge(keys, [1, 2], [1, 1])).toEqual([undefined]);
  expect(judge(keys, [null, 1], [null, 2], [1, 1])).toEqual([{ depth: 1, isSure: true }, undefined]);
  expect(judge([{ by: 'a', type: 'text' }, { by: '-b' }], ['x', 1], ['x', 2])).toEqual([{ depth: 1, isSure: true }]);
  const [one, same] = ['2026-01-01T00:00:00.0Z', '2026-01-01T01:00:00.000+01:00'];
  expect(judge(keys, [one, 1], [same, 2])).toEqual([{ depth: 1, isSure: true }]);
});

test('whole seconds may hide a fraction, unless the type is declared', () => {
  const equal = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'].map((it, at) => [it, at]);
  expect(judge([{ by: 'a' }, { by: '-b' }], ...equal)).toEqual([{ depth: 1, isSure: false }]);
  expect(judge([{ by: 'a', type: 'time' }, { by: '-b' }], ...equal)).toEqual([{ depth: 1, isSure: true }]);
  expect(judge([{ by: 'a' }, { by: '-b' }], [1_767_225_600, 1], [1_767_225_600, 2])).toEqual([
    { depth: 1, isSure: false },
  ]);
});

test.each<[SortKey, unknown, string]>([
  [{ by: '-name' }, undefined, 'no item has `name`, the promised order'],
  [{ by: 'a', type: 'number' }, 'x', '`a` is not a number: "x"'],
  [{ by: 'a', type: 'time' }, 'Mon, 05 Jan 2026', '`a` is not a time: "Mon, 05 Jan 2026"'],
  [{ by: 'a' }, { b: 1 }, '`a` is not a string, number or boolean: {"b":1}'],
])('%j of %j is not checked', (key, value, message) => {
  let error: unknown;
  try {
    new Order([key], [[value]]).misplacementOf([], []);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(NotChecked);
  expect(said(error)).toBe(message);
});

test.each([
  ['2026-01-01', 0n],
  ['2026-01-01T00:00Z', 0n],
  ['2026-01-01t00:00:00,000000001z', 1n],
  ['2026-01-01 05:30:00 +0530', 0n],
  ['2025-12-31T19:00:00-05', 0n],
])('%s is an instant', (text, ns) => {
  expect(instantOf(text)?.ns).toBe(BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n + ns);
});

test.each(['2026', '2026-13-01', '26-01-01', '2026-01-01T25:00:00Z', '1767225600', '01/02/2026', 'today'])(
  '%s is none',
  (text) => {
    expect(instantOf(text)).toBeUndefined();
  },
);
