/** What is told of a run: no key, whatever the text, and nothing that is too long. */
import { expect, test } from '@jest/globals';
import { difference } from '../../server/conform/assertions.ts';
import { plain } from '../../server/conform/session.ts';

const server = { url: 'http://127.0.0.1:1', key: 'a-key+of/mine', key2: 'another-key' };

test.each([
  ['Authorization: Bearer a-key+of/mine', 'Authorization: Bearer <key>'],
  ['?api_key=a-key%2Bof%2Fmine', '?api_key=<key>'],
  ['Bearer a-key+of/min1 and a-key+of/mine0', 'Bearer <key>1 and <key>0'],
  ['another-key', '<key2>'],
])('%s', (text, shown) => {
  expect(plain(text, server)).toBe(shown);
});

test('a key as short as a word does not take the words away', () => {
  expect(plain('the list cannot be walked: Bearer k', { ...server, key: 'k' })).toBe(
    'the list cannot be walked: Bearer <key>',
  );
});

test('a long text is cut, its keys hidden first', () => {
  const shown = plain(`${'x'.repeat(295)}${server.key}${'y'.repeat(1000)}`, server);
  expect(shown).toBe(`${'x'.repeat(295)}<key>… (1300 characters)`);
});

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
  expect(difference([{ id: 'a', ...{ x: 1 } }], [{ id: 'a', ...{ x: 2 } }])).toBe('another text: {"id":"a","x":2}');
});
