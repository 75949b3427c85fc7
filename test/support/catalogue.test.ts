/** Which faults a run of a catalogue tries. */
import { expect, test } from '@jest/globals';
import { chosenOf, mistakesOf } from './catalogue.ts';

const CANDIDATES = [
  { name: 'sound: as it should be' },
  { name: 'first of a', rule: 'a' },
  { name: 'second of a', rule: 'a' },
  { name: 'first of b', rule: 'b' },
  { name: 'sound: otherwise', rule: undefined },
  { name: 'third of a', rule: 'a' },
  { name: 'second of b', rule: 'b' },
];

/** @returns the places of the chosen candidates. */
const chosen = (isEachRule: boolean, ...names: readonly string[]): readonly number[] =>
  chosenOf(CANDIDATES, { isEachRule, names }).map((it) => CANDIDATES.indexOf(it));

test('for each rule, the first fault is chosen, and everything that has no fault', () => {
  expect(chosen(true)).toEqual([0, 1, 3, 4]);
  expect(chosen(true, 'second')).toEqual([2, 6]);
});

test('for each fault, one list is chosen, another one for the next, and everything that has no fault', () => {
  const candidates = [
    { name: 'id: a', rule: 'x', fault: 'a' },
    { name: 'url: a', rule: 'x', fault: 'a' },
    { name: 'id: b', rule: 'x', fault: 'b' },
    { name: 'url: b', rule: 'x', fault: 'b' },
    { name: 'sound: a', fault: 'a' },
    { name: 'sound: b', fault: 'a' },
  ];
  const all = chosenOf(candidates, { isEachRule: false, isEachFault: true, names: [] });
  expect(all.map(({ name }) => name)).toEqual(['id: a', 'url: b', 'sound: a', 'sound: b']);
});

test('otherwise all are chosen, or those with a part of their names', () => {
  expect(chosen(false)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(chosen(false, 'of b', 'third')).toEqual([3, 5, 6]);
});

test('a rule without a fault, and a name that two candidates have, are mistakes', () => {
  expect(mistakesOf(CANDIDATES, ['a', 'b'])).toEqual([]);
  expect(mistakesOf(CANDIDATES, ['a', 'c', 'b', 'd'])).toEqual(['no fault is for c.', 'no fault is for d.']);
  expect(mistakesOf([...CANDIDATES, { name: 'third of a', rule: 'b' }], ['a'])).toEqual([
    'two candidates have one name.',
  ]);
});
