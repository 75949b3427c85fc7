import { describe, expect, test } from '@jest/globals';
import { BoundedMap } from '../../server/http/cache/bounded-map.ts';

/** @returns which of these keys a map holds. */
const held = (map: BoundedMap<string, string>, keys: string): string =>
  keys.replaceAll(/./g, (key) => (map.get(key) === undefined ? '' : key));

function mapOf(maxSize: number, sizes: Readonly<Record<string, number>>): BoundedMap<string, string> {
  const map = new BoundedMap<string, string>(maxSize);
  for (const [key, size] of Object.entries(sizes)) map.set(key, key.toUpperCase(), size);
  return map;
}

describe('a bounded map', () => {
  test('holds what it was given, by its key', () => {
    const map = mapOf(3, { a: 1, b: 1, c: 1 });
    expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual(['A', 'B', 'C', undefined]);
  });

  test.each<[maxSize: number, sizes: Readonly<Record<string, number>>, holds: string]>([
    [10, { a: 5, b: 5 }, 'ab'], // The bound itself is allowed.
    [10, { a: 5, b: 5, c: 1 }, 'bc'], // The oldest goes, and no more than must.
    [10, { a: 4, b: 3, c: 3, d: 7 }, 'cd'],
    [10, { a: 3, b: 3, c: 10 }, 'c'],
    [10, { a: 3, b: 11, c: 3 }, 'ac'], // What can never fit makes nothing go.
    [0, { a: 1 }, ''],
    [0, { a: 0 }, 'a'],
  ])('of at most %j, given %j, holds %s', (maxSize, sizes, holds) => {
    expect(held(mapOf(maxSize, sizes), 'abcd')).toBe(holds);
  });

  test('counts an entry without a size as 1', () => {
    const map = new BoundedMap<string, string>(2);
    for (const key of 'abc') map.set(key, key);
    expect(held(map, 'abc')).toBe('bc');
  });

  test('a replaced entry is counted once, with its new value and size, as the newest', () => {
    const map = mapOf(10, { a: 8, b: 2 });
    map.set('a', 'again', 3);
    expect(map.get('a')).toBe('again');
    map.set('c', 'C', 5);
    expect(held(map, 'abc')).toBe('abc');
    map.set('d', 'D', 1);
    expect(held(map, 'abcd')).toBe('acd');
  });

  test('an entry that has grown too large is gone, and its size with it', () => {
    const map = mapOf(10, { a: 5, b: 5 });
    map.set('a', 'too large', 11);
    expect(held(map, 'ab')).toBe('b');
    map.set('c', 'C', 5);
    expect(held(map, 'abc')).toBe('bc');
  });

  test('reading an entry does not make it newer', () => {
    const map = mapOf(2, { a: 1, b: 1 });
    map.get('a');
    map.set('c', 'C');
    expect(held(map, 'abc')).toBe('bc');
  });
});
