/** How the items of lists are compared. */
import { expect, test } from '@jest/globals';
import { difference } from '../../server/conform/assertions.ts';

test.each([
  [[], [], undefined],
  [['a'], ['a'], undefined],
  [['a', 'b'], ['b', 'a'], 'b a'],
  [['a'], ['a', 'b'], 'a b'],
  [['a', 'b'], ['a'], 'a'],
  [['a'], [], 'no items'],
])('items %j differ from %j', (expected, actual, shown) => {
  const items = (ids: readonly string[]): { readonly id: string }[] => ids.map((id) => ({ id }));
  expect(difference(items(expected), items(actual))).toBe(shown);
});

test('items of one id differ by their texts, not by the order of these', () => {
  expect(difference([{ id: 'a', ...{ x: 1, y: 2 } }], [{ ...{ y: 2, x: 1 }, id: 'a' }])).toBe(undefined);
  expect(difference([{ id: 'a', ...{ x: 1 } }], [{ id: 'a', ...{ x: 2 } }])).toBe('other values: {"id":"a","x":2}');
});
