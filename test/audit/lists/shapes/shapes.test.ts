import { expect, it } from '@jest/globals';
import { readAll } from './read.ts';
import { SHAPES } from './shapes.ts';

const sizesOf = ({ param, min = 1 }: (typeof SHAPES)[number]['size']): readonly (number | undefined)[] =>
  param === undefined ? [undefined] : [undefined, ...[1, 2, 3, 7, 50].filter((size) => size >= min)];

it.each(SHAPES)('$name has every item once', (shape) => {
  for (const size of sizesOf(shape.size)) {
    const { ids, wrong, requests } = readAll(shape, size);
    expect({ size, wrong, count: ids.length }).toEqual({ size, wrong: undefined, count: shape.count ?? 137 });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(undefined);
    expect(requests).toBeGreaterThan(1);
  }
});

it('no two shapes have one name', () => {
  expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
});
