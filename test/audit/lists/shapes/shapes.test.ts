import { expect, it } from '@jest/globals';
import { FAMILIES, KINDS, familyOf, reasonAgainst } from './faults.ts';
import { readAll } from './read.ts';
import type { Read } from './read.ts';
import { countOf } from './server.ts';
import type { Hooks, Shape } from './server.ts';
import { SHAPES } from './shapes.ts';

const sizesOf = ({ size: { param, min = 1 } }: Shape): readonly (number | undefined)[] =>
  param === undefined ? [undefined] : [undefined, ...[1, 2, 5, 7].filter((size) => size >= min)];
const isWhole = ({ ids, wrong }: Read, count: number): boolean =>
  wrong === undefined && ids.length === count && new Set(ids).size === count;

it.each(SHAPES)('$name has every item once', (shape) => {
  for (const size of sizesOf(shape)) {
    const read = readAll(shape, size);
    expect({ size, wrong: read.wrong, count: read.ids.length }).toEqual({
      size,
      wrong: undefined,
      count: countOf(shape),
    });
    expect(isWhole(read, countOf(shape))).toBe(true);
    expect(read.ids).not.toContain(undefined);
    expect(read.requests).toBeGreaterThan(1);
  }
});

const ofSizes = ['the next link drops the size'];
const ofValues = ['a bad cursor is a 500'];
it.each(SHAPES)('each fault of $name is one', (shape) => {
  const isSeen = (hooks: Hooks): boolean =>
    sizesOf(shape).some((size) => !isWhole(readAll(shape, size, hooks), countOf(shape, hooks)));
  for (const [name, kind] of Object.entries(KINDS))
    if (![...ofSizes, ...ofValues].includes(name) && reasonAgainst(kind, shape) === undefined)
      expect([name, isSeen(kind.hooks(shape))]).toEqual([name, true]);
});

it('every family has a shape, and no two shapes have one name', () => {
  expect(new Set(SHAPES.map(familyOf))).toEqual(new Set(FAMILIES));
  expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
});
