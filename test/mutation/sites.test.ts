/** Where a source is mutated, what is subtracted as equivalent, and that the entries of that are of this code. */
import { expect, test } from '@jest/globals';
import { EQUIVALENTS } from './equivalents.ts';
import { equivalence, everyMutant, mutantsOf, shuffled } from './sites.ts';

/** @returns the lines that a source of one line becomes. */
const linesOf = (text: string): string[] => mutantsOf('a.ts', text).map((it) => it.after);

test.each([
  ['a < b;', ['a <= b;']],
  ['a >= b;', ['a > b;']],
  ['a !== b;', ['a === b;']],
  ['a && b;', ['a || b;']],
  ['a + b;', ['a - b;']],
  ['a += b;', ['a -= b;']],
  ['a ?? b;', ['a;']],
  ['!a;', ['a;']],
  ['if (a) b;', ['if (!(a)) b;']],
  ['while (!a) b;', ['while (a) b;']],
  ['a === b ? c : d;', ['a !== b ? c : d;']],
  ['await f(a);', [';']],
  ['x = f(a);', []],
  ['() => a;', ['() => undefined;']],
  ['() => undefined;', []],
  ['[a, b];', ['[b];', '[a];']],
  ['a = 1_000;', ['a = 1001;']],
  ["a = 'b';", ["a = '';"]],
  ["a = '';", []],
  ['a = `b${c}`;', ["a = '';"]],
  ['a = { b: true };', ['a = { b: false };']],
])('%s', (text, expected) => {
  expect(linesOf(text)).toEqual(expected);
});

test('types, imports and names stay as they are', () => {
  for (const text of [
    "import a from 'a';",
    "export * from 'a';",
    "type A = 'a' | 1;",
    "interface A { a: 'a' }",
    "let a: 'a' | true;",
    "a = { 'a': b, 1: c };",
  ]) {
    expect(linesOf(text)).toEqual([]);
  }
});

test('a mutant has its place, its lines, and the whole file', () => {
  const text = 'a();\nif (\n  b\n) {\n  return 1;\n}\n';
  expect(mutantsOf('a.ts', text).map(({ mutated, ...it }) => ({ ...it, text: mutated() }))).toEqual([
    { file: 'a.ts', line: 1, before: 'a();', after: ';', text: text.replace('a();', ';') },
    { file: 'a.ts', line: 3, before: 'b', after: '!(b)', text: text.replace('b', '!(b)') },
    {
      ...{ file: 'a.ts', line: 5, before: 'return 1;', after: 'return undefined;' },
      text: text.replace('return 1;', 'return undefined;'),
    },
    { file: 'a.ts', line: 5, before: 'return 1;', after: 'return 2;', text: text.replace('1', '2') },
  ]);
});

test('a seed decides the order, which changes elsewhere leave as it is', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `f${String(at)}();\n`);
  const order = (text: string, seed: string): string[] =>
    shuffled(mutantsOf('a.ts', text), seed).map((it) => it.before);
  const first = order(lines.join(''), '1');
  expect(order(lines.join(''), '1')).toEqual(first);
  expect(order(lines.join(''), '2')).not.toEqual(first);
  expect(order(lines.toSpliced(7, 1).join(''), '1')).toEqual(first.filter((it) => it !== 'f7();'));
});

test('an entry matches its mutant alone; one without a mutant is an error', () => {
  const mutants = mutantsOf('a.ts', 'a < b;\na < c;\n');
  const entry = { file: 'a.ts', before: 'a < b;', after: 'a <= b;', reason: 'They are never equal.' };
  const equivalentOf = equivalence([entry], mutants);
  expect(mutants.map(equivalentOf)).toEqual([entry, undefined]);
  for (const stale of [{ file: 'b.ts' }, { before: 'a < d;' }, { after: 'a > b;' }]) {
    expect(() => equivalence([{ ...entry, ...stale }], mutants)).toThrow('No mutant is what');
  }
});

test('every entry is of a mutant of this code, and has its reason', () => {
  const mutants = everyMutant();
  expect(new Set(mutants.map((it) => it.file.split('/')[0]))).toEqual(new Set(['client', 'server']));
  equivalence(EQUIVALENTS, mutants);
  for (const { reason } of EQUIVALENTS) expect(reason).toMatch(/^[A-Z].{20,}\.$/);
});
