import { isDeepStrictEqual } from 'node:util';
import { expect, it } from '@jest/globals';
import { FAMILIES, KINDS, familyOf, reasonAgainst } from './faults.ts';
import { readAll } from './read.ts';
import { countOf } from './server.ts';
import type { Hooks, Shape } from './server.ts';
import { SHAPES } from './shapes.ts';

const sizesOf = ({ size: { param, min = 1 } }: Shape): readonly (number | undefined)[] =>
  param === undefined ? [undefined] : [undefined, ...[1, 2, 5, 7].filter((size) => size >= min)];
/** How a list is read: whether each item appears once, how many pages there are, and what is wrong. */
const reading = (shape: Shape, size: number | undefined, hooks: Hooks = {}): object => {
  const { ids, requests, wrong } = readAll(shape, { size, hooks });
  const isWhole = ids.length === countOf(shape, hooks) && new Set(ids).size === ids.length;
  return { size, isWhole: isWhole && !ids.includes(undefined), hasPages: requests > 1, wrong, requests };
};
/** The status for a cursor or a number that was never given. */
const statusOfBad = (shape: Shape, hooks: Hooks): unknown => {
  const { wrong } = readAll(shape, { hooks, from: '!' });
  return typeof wrong === 'object' ? wrong.status : 200;
};

it.each(SHAPES)('$name has every item once', ({ shape }) => {
  const whole = { isWhole: true, hasPages: true, wrong: undefined };
  for (const size of sizesOf(shape)) expect(reading(shape, size)).toMatchObject({ size, ...whole });
  expect(statusOfBad(shape, {})).not.toBe(500);
});

it.each(SHAPES)('each fault of $name is one', ({ shape }) => {
  for (const [name, kind] of Object.entries(KINDS)) {
    if (reasonAgainst(kind, shape) !== undefined) continue;
    const hooks = kind.hooks(shape);
    if (hooks.bad !== undefined) expect([name, statusOfBad(shape, hooks)]).toEqual([name, hooks.bad]);
    else {
      const sound = { count: countOf(shape, hooks) };
      const isSeen = (size: number | undefined): boolean =>
        !isDeepStrictEqual(reading(shape, size, hooks), reading(shape, size, sound));
      expect([name, sizesOf(shape).toReversed().some(isSeen)]).toEqual([name, true]);
    }
  }
});

it('every family has a shape, and no two shapes have one name', () => {
  expect(new Set(SHAPES.map(({ shape }) => familyOf(shape)))).toEqual(new Set(FAMILIES));
  expect(new Set(SHAPES.map(({ name }) => name)).size).toBe(SHAPES.length);
});
