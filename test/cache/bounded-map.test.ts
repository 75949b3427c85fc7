import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { BoundedMap } from '../../server/http/bounded-map.ts';

const MAX = 20;
const KEYS = Array.from('abcdefgh');
const set = fc.record({ key: fc.constantFrom(...KEYS), value: fc.nat(), size: fc.nat(12) });
const step = fc.oneof({ weight: 3, arbitrary: set }, { weight: 1, arbitrary: fc.constantFrom(...KEYS) });

/** What was last set of each key; in the order of the setting. */
type Model = Map<string, { readonly value: number; readonly size: number }>;

function after(steps: readonly (string | { key: string; value: number; size: number })[]): {
  map: BoundedMap<string, number>;
  model: Model;
} {
  const map = new BoundedMap<string, number>(MAX);
  const model: Model = new Map();
  for (const it of steps) {
    if (typeof it === 'string') map.get(it);
    else {
      map.set(it.key, it.value, it.size);
      model.delete(it.key);
      model.set(it.key, it);
    }
  }
  return { map, model };
}

describe('a bounded map', () => {
  test('has of each key the last value it was given, or nothing', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const { map, model } = after(steps);
        for (const key of KEYS) expect([model.get(key)?.value, undefined]).toContain(map.get(key));
      }),
    );
  });

  test('never holds more than it may', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        // Reading moves entries, so each is read of a map of its own.
        const held = [...after(steps).model].filter(([key]) => after(steps).map.get(key) !== undefined);
        expect(held.reduce((sum, [, { size }]) => sum + size, 0)).toBeLessThanOrEqual(MAX);
      }),
    );
  });

  test('holds the newest, up to half of what it may', () => {
    fc.assert(
      fc.property(fc.uniqueArray(set, { selector: ({ key }) => key }), (steps) => {
        const { map, model } = after(steps);
        let size = 0;
        for (const [key, newest] of [...model].reverse()) {
          size += newest.size;
          if (size > MAX / 2) return;
          expect(map.get(key)).toBe(newest.value);
        }
      }),
    );
  });

  test('keeps what is read again and again, however much comes meanwhile', () => {
    const map = new BoundedMap<string, number>(4);
    map.set('read', -1);
    for (let at = 0; at < 100; at += 1) {
      map.set(String(at), at);
      expect(map.get('read')).toBe(-1);
    }
    expect([map.get('98'), map.get('50')]).toEqual([98, undefined]);
  });

  test('drops an entry that has become too large, and its size with it', () => {
    const map = new BoundedMap<string, string>(10);
    map.set('a', 'small', 3);
    map.set('a', 'too large', 6);
    expect(map.get('a')).toBeUndefined();
    map.set('b', 'B', 5);
    map.set('c', 'C', 5);
    expect([map.get('b'), map.get('c')]).toEqual(['B', 'C']);
  });

  test('deletes an entry, and its size with it, wherever it is', () => {
    for (const others of ['', 'bcd', 'bcde', 'bcdefghi']) {
      const map = new BoundedMap<string, string>(8);
      for (const key of `a${others}`) map.set(key, key);
      map.delete('a');
      expect(map.get('a')).toBeUndefined();
      map.delete('a'); // Nothing is there, and no size is taken for it.
      for (const key of 'wxyz') map.set(key, key);
      expect(Array.from('wxyz', (key) => map.get(key))).toEqual(['w', 'x', 'y', 'z']);
    }
  });

  test('counts an entry without a size as 1', () => {
    const map = new BoundedMap<string, string>(4);
    for (const key of 'abcde') map.set(key, key);
    expect(Array.from('abcde', (key) => map.get(key))).toEqual([undefined, undefined, 'c', 'd', 'e']);
  });
});
