/** Which property is the id, by the items of a page of the usual size and of a small one. */
import { expect, test } from '@jest/globals';
import { idsOf, isGuess } from '../../../audit/lists/infer/ids.ts';

type Item = (at: number) => unknown;
const page = (item: Item, length: number): readonly unknown[] => Array.from({ length }, (_, at) => item(at));

test.each<[string, string, Item, string | undefined]>([
  ['the id', 'data', (at) => ({ name: `n${String(at)}`, id: at }), 'id'],
  ['in another case', 'data', (at) => ({ ID: `x${String(at)}`, name: `n${String(at)}` }), 'ID'],
  [
    'of what the list is called',
    'rooms',
    (at) => ({ creator_id: `c${String(at)}`, room_id: `r${String(at)}` }),
    'room_id',
  ],
  ['inside of what wraps the item', 'edges', (at) => ({ cursor: `c${String(at)}`, node: { id: at } }), 'node.id'],
  ['not that of another item inside', 'data', (at) => ({ ref: `r${String(at)}`, owner: { id: at } }), 'ref'],
  ['a name with a dot', 'data', (at) => ({ 'a.id': `x${String(at)}` }), '"a.id"'],
  ['the item itself', '', (at) => `x${String(at)}`, ''],
  ['the first element of a row', 'rows', (at) => [at + 1, 'a'], '0'],
  ['no first element that two rows share', 'rows', (at) => [Math.floor(at / 2), 'a'], undefined],
  ['an id of which a faulty list has some twice', 'data', (at) => ({ id: Math.floor(at / 2) }), 'id'],
  ['no id of another item that comes twice', 'data', (at) => ({ customer_id: Math.floor(at / 2) }), undefined],
  ['no place in the list', 'data', (at) => ({ rank: at + 1 }), undefined],
  ['no time', 'data', (at) => ({ created: `2026-01-01T00:00:${String(10 + at)}Z` }), undefined],
  ['no part of a number', 'data', (at) => ({ score: at + 0.5 }), undefined],
  ['no value that some items lack', 'data', (at) => ({ slug: at === 4 ? null : `s${String(at)}` }), undefined],
])('%s', (_, items, item, expected) => {
  expect(idsOf(page(item, 10), page(item, 2), items)[0]).toBe(expected);
});

test('no value that differs when the same items are read again', () => {
  const signed =
    (time: number): Item =>
    (at) => ({ href: `/a/${String(at)}?sig=${String(time)}` });
  expect(idsOf(page(signed(1), 10), page(signed(2), 2), 'data')).toEqual([]);
});

test.each([
  ['id', false],
  ['node.id', false],
  ['objectId', false],
  ['', false],
  ['customer_id', true],
  ['owner.id', true],
  ['name', true],
  ['"a.id"', true],
])('%s: two different items may have the same: %s', (id, expected) => {
  expect(isGuess(id)).toBe(expected);
});
