/** Scanning JSON text: the offsets of values, duplicate members, and the offset of a syntax error. */
import { expect, test } from '@jest/globals';
import fc from '../support/fast-check.ts';
import { JsonError, scanJson } from '../../import/json-text.ts';

function errorOf(text: string): string {
  try {
    scanJson(text);
  } catch (error) {
    if (error instanceof JsonError) return `${String(error.offset)}: ${error.expected}`;
    throw error;
  }
  throw new Error('It was accepted.');
}

test('every value is found, with its path, its offsets and whether it is a duplicate member', () => {
  const text = ' {"a": [1, {"b\\u0041~/": null}], "a" : "x\\"y" } ';
  expect(
    scanJson(text).map(({ path, start, end, isDuplicate }) => [path, text.slice(start, end), isDuplicate]),
  ).toEqual([
    [['a', '0'], '1', false],
    [['a', '1', 'bA~/'], 'null', false],
    [['a', '1'], '{"b\\u0041~/": null}', false],
    [['a'], '[1, {"b\\u0041~/": null}]', false],
    [['a'], '"x\\"y"', true],
    [[], text.trim(), false],
  ]);
});

test.each(['__proto__', 'constructor', 'toString'])('%s is a name like any other', (name) => {
  expect(scanJson(`{"${name}":1,"${name}":2}`).map((it) => it.isDuplicate)).toEqual([false, true, false]);
});

test.each([
  ['', '0: a value'],
  ['  ', '2: a value'],
  ['{oops', '1: a name in double quotes'],
  ['{"a" 2}', '5: a colon'],
  ['{"a":}', '5: a value'],
  ['{"a":1', '6: a comma or }'],
  ['{"a":1,}', '7: a name in double quotes'],
  ['[1 2]', '3: a comma or ]'],
  ['[1,]', '3: a value'],
  ['[01]', '2: a comma or ]'],
  ['[+1]', '1: a value'],
  ['[NaN]', '1: a value'],
  ['[nul]', '1: a value'],
  ['["a]', '4: the closing quote of a string'],
  ['["a\n"]', '3: an escape instead of this control character'],
  ['["a\\x"]', '3: an escape such as \\n or \\u0041'],
  ['["a\\u00g0"]', '3: an escape such as \\n or \\u0041'],
  ['{} {}', '3: the end of the record'],
  ['\u00a0{}', '0: a value'],
  ['['.repeat(200_000), '101: an end of nesting after 100 levels'],
])('a syntax error says its offset, and what was expected there: %j', (text, error) => {
  expect(errorOf(text)).toBe(error);
});

/** JSON texts with every kind of token, short: what is done to a text happens near each of them. */
const { value: texts } = fc.letrec<{ value: string }>((tie) => {
  const space = fc.constantFrom('', '', ' ', '\n', '\t', '\r');
  const padded = (it: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(space, it, space).map((all) => all.join(''));
  const part = fc.constantFrom(
    'a',
    'é',
    ...['\\"', '\\\\', '\\/', '\\b', '\\f', '\\n', '\\r', '\\t', '\\u00eF', '\\ud83d'],
  );
  const string = fc.array(part, { maxLength: 2 }).map((parts) => `"${parts.join('')}"`);
  const scalar = fc.constantFrom('0', '-0', '10', '1.5', '-2.05', '1e5', '1E+05', '2.5e-3', 'true', 'false', 'null');
  const member = fc.tuple(padded(string), tie('value')).map((all) => all.join(':'));
  const several = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.array(of, { maxLength: 2 }).chain((all) => (all.length === 0 ? space : fc.constant(all.join(','))));
  return {
    value: padded(
      fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        scalar,
        string,
        several(tie('value')).map((it) => `[${it}]`),
        several(member).map((it) => `{${it}}`),
      ),
    ),
  };
});

test('it accepts what JSON.parse accepts, and nothing else', () => {
  const written = texts.chain((text) =>
    fc.record({
      text: fc.constant(text),
      at: fc.nat(text.length),
      cut: fc.nat(2),
      put: fc.constantFrom(...Array.from(' \u00a0"\\{}[],:0-+.eExu\n\u0000\u001fé'), ''),
    }),
  );
  const isJson = (read: (text: string) => unknown, text: string): boolean => {
    try {
      read(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(written, ({ text, at, cut, put }) => {
      const mutated = text.slice(0, at) + put + text.slice(at + cut);
      for (const it of [text, mutated]) expect(isJson(scanJson, it)).toBe(isJson(JSON.parse, it));
    }),
    { numRuns: 2000 },
  );
});

test('long strings and long lists are scanned in linear time', () => {
  expect(scanJson(`"${'x\\n'.repeat(300_000)}"`)).toHaveLength(1);
  expect(scanJson(`[${'0,'.repeat(300_000)}0]`)).toHaveLength(300_002);
});
