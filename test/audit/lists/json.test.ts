/** The reader of JSON texts finds what `JSON.parse` does, and keeps what that loses. */
import { describe, expect, test } from '@jest/globals';
import { elementsAt, pathOf, pathText, sourceAt, valueAt } from '../../../audit/lists/json.ts';
import type { Path } from '../../../audit/lists/json.ts';
import fc, { CHARACTER } from '../../support/fast-check.ts';

/** A value, and a text of it with spaces anywhere between its tokens. */
const texts = fc
  .tuple(fc.jsonValue({ maxDepth: 4, stringUnit: CHARACTER }), fc.array(fc.constantFrom('', ' ', '\n', '\t', '\r\n  ')))
  .map(([value, spaces]) => {
    let at = 0;
    const space = (): string => spaces[(at += 1) % Math.max(1, spaces.length)] ?? '';
    const write = (it: unknown): string => {
      if (Array.isArray(it)) return `[${it.map((one) => space() + write(one) + space()).join(',') || space()}]`;
      if (typeof it !== 'object' || it === null) return JSON.stringify(it);
      const members = Object.entries(it).map(
        ([name, of]) => `${space()}${JSON.stringify(name)}${space()}:${space()}${write(of)}`,
      );
      return `{${members.join(`${space()},`)}${space()}}`;
    };
    return space() + write(value) + space();
  });

/** @returns the paths of all values. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, it]) => pathsIn(it, [...path, name]))];
}

const parse = (text: string | undefined): unknown => JSON.parse(text ?? 'missing');

test('of any text, the source of each value is what JSON.parse has there', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const body = parse(text);
      for (const path of pathsIn(body)) {
        const value = valueAt(body, path);
        const source = sourceAt(text, path);
        expect(parse(source)).toEqual(value);
        expect(source?.trim()).toBe(source);
        expect(elementsAt(text, path).map(parse)).toEqual(Array.isArray(value) ? value : []);
      }
    }),
  );
});

test('a path is read as it is written, whatever its names have', () => {
  const name = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('.', '"', '\\', 'a', '', '\n', 'é') }));
  fc.assert(
    fc.property(fc.array(name), (path) => {
      expect(pathOf(pathText(path))).toEqual(path);
    }),
  );
});

test.each<[string, Path]>([
  ['', []],
  ['data', ['data']],
  ['meta.next', ['meta', 'next']],
  ['"@odata.next".link', ['@odata.next', 'link']],
  ['a."".b', ['a', '', 'b']],
  ['"a\\"b.c"', ['a"b.c']],
  ['$skip[0]', ['$skip[0]']],
])('the path %j', (text, path) => {
  expect(pathOf(text)).toEqual(path);
  expect(pathText(path)).toBe(text);
});

describe('a value keeps its text:', () => {
  const text =
    ' { "ids" : [9007199254740993, 9007199254740992,1.0 , 1e2,\n"\\u0041\\"]" , {"a": [ ]}, null] , "id": -0.10 }\n';
  test('numbers beyond 2^53, and as they were written', () => {
    expect(elementsAt(text, ['ids'])).toEqual([
      ...['9007199254740993', '9007199254740992', '1.0', '1e2'],
      ...['"\\u0041\\"]"', '{"a": [ ]}', 'null'],
    ]);
    expect(sourceAt(text, ['id'])).toBe('-0.10');
    expect(sourceAt(text, ['ids', '0'])).toBe('9007199254740993');
    expect(sourceAt(text, [])).toBe(text.trim());
  });

  test('of equal names the last one counts, as for JSON.parse', () => {
    expect(sourceAt('{"a":1,"\\u0061":2}', ['a'])).toBe('2');
  });

  test.each<[string, Path]>([
    ['{"a":1}', ['b']],
    ['{"a":1}', ['a', 'b']],
    ['[1]', ['1']],
    ['"text"', ['length']],
    ['{}', ['toString']],
    ['{"a":{"b":1}}', ['b']],
    ['null', ['a']],
  ])('%s has nothing at %j', (body, path) => {
    expect(sourceAt(body, path)).toBeUndefined();
    expect(valueAt(parse(body), path)).toBeUndefined();
    expect(elementsAt(body, path)).toEqual([]);
  });

  test('however deeply a body nests', () => {
    const deep = 200_000;
    const item = '['.repeat(deep) + ']'.repeat(deep);
    expect(elementsAt(`{"data":[${item},{"id":1}]}`, ['data']).map((it) => it.length)).toEqual([item.length, 8]);
    expect(sourceAt(`{"x":${item},"data":1}`, ['data'])).toBe('1');
  });
});
