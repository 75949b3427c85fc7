/** What parsing changes without a word is found, and nothing else is. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { alterations, mayBeAltered } from '../../server/import/alterations.ts';

const altered = (text: string): unknown[] => {
  const found = alterations(text);
  // The cheap test may send more texts here than there must be, but never fewer.
  expect([true, found.length > 0]).toContain(mayBeAltered(text, JSON.parse(text)));
  return [...found];
};
const number = (literal: string, becomes: string): string =>
  `must be a number that a double holds as written; ${literal} would become ${becomes}`;

describe('numbers', () => {
  test.each([
    ...['0', '-0', '0.0', '-0e400', '1.0', '1.50', '100', '1e2', '1E+2', '1e-2', '0.1', '-12.5', '1e300', '5e-324'],
    ...['9007199254740991', '0.30000000000000004', '1234567890123456.5', '1.7976931348623157e308'],
    ...[`1${'0'.repeat(300)}`, `0.${'0'.repeat(300)}1`, `1.${'0'.repeat(300)}`, '123456789012345680000'],
  ])('%s is held', (literal) => {
    expect(altered(`{"a":${literal}}`)).toEqual([]);
  });

  test.each([
    ['9007199254740991.4', '9007199254740991'],
    ['9007199254740993', '9007199254740992'],
    ['1e-400', '0'],
    ['-1e-400', '0'],
    ['1e400', 'Infinity'],
    ['-1E+400', '-Infinity'],
    ['1e-324', '0'],
    ['3e-324', '5e-324'],
    ['0.1000000000000000055511151231257827', '0.1'],
    ['123456789012345678', '123456789012345680'],
    ['1e99999999999999999999', 'Infinity'],
  ])('%s is not', (literal, becomes) => {
    const what = number(literal, becomes);
    expect(altered(`{"a": ${literal}}`)).toEqual([{ where: '/a', what }]);
    expect(altered(`{"a":{"b":[0,${literal}]}}`)).toEqual([{ where: '/a/b/1', what }]);
  });

  test('the same digits in a text are a text', () => {
    expect(altered('{"a":"9007199254740991.4","b":"x: 1e-400, [1e400"}')).toEqual([]);
  });

  test('a long literal is cut in the message, and read in time', () => {
    expect(altered(`{"a":1${'0'.repeat(500_000)}1}`)).toEqual([
      { where: '/a', what: number(`1${'0'.repeat(39)}…`, 'Infinity') },
    ]);
  });

  test('a literal is held if and only if a double has its very value, as it is written again', () => {
    const literals = fc
      .record({
        sign: fc.constantFrom('', '-'),
        whole: fc.bigInt({ min: 0n, max: 10n ** 20n }),
        fraction: fc.option(fc.stringMatching(/^\d{1,20}$/), { nil: '' }),
        exponent: fc.option(fc.integer({ min: -345, max: 310 }), { nil: 0 }),
      })
      .map(({ sign, whole, fraction, exponent }) => ({
        text: `${sign}${String(whole)}${fraction === '' ? '' : `.${fraction}`}${exponent === 0 ? '' : `e${String(exponent)}`}`,
        digits: BigInt(`${String(whole)}${fraction}`) * (sign === '-' ? -1n : 1n),
        power: exponent - fraction.length,
      }));
    fc.assert(
      fc.property(literals, ({ text, digits, power }) => {
        const [, mantissa = '', exponent = '0'] = /^([^e]*)(?:e(.*))?$/.exec(String(Number(text))) ?? [];
        const [whole = '', fraction = ''] = mantissa.split('.');
        const isHeld =
          Number.isFinite(Number(text)) &&
          BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length + 800) ===
            digits * 10n ** BigInt(power + 800);
        expect(altered(`{"a":${text}}`)).toHaveLength(isHeld ? 0 : 1);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('names', () => {
  const again = 'is given more than once';
  test.each([
    ['{"a":1,"a":1}', ['/a']],
    ['{"a" : 1, "b":2, "\\u0061"\n: 3}', ['/a']],
    ['{"a":1,"a":2,"a":3}', ['/a', '/a']],
    ['{"a":{"b":1,"b":2},"b":3}', ['/a/b']],
    ['[{"a":1},{"a":1,"a":1}]', ['/1/a']],
    ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
    ['{"a":"\\u0022:","a":"\\":"}', ['/a']],
  ])('%s: one comes again', (text, places) => {
    expect(altered(text)).toEqual(places.map((where) => ({ where, what: again })));
  });

  test.each(['{"a":1,"b":2}', '{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"\\":\\":","b":"a"}', '{}', '[]', '"a"'])(
    '%s: none does',
    (text) => {
      expect(altered(text)).toEqual([]);
    },
  );
});

test.each([
  '{"id":"c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73","created_at":"2026-04-16 13:49:40.678912+00","n":-12.5}',
  '{\n  "id" : "12345678-1234-1234-1234-123456789012",\n  "n": [1, 2147483647, 9007199254740]\n}',
])('an ordinary record is let through by the cheap test: %s', (text) => {
  expect(mayBeAltered(text, JSON.parse(text))).toBe(false);
});
