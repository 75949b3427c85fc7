/** Reading records: what is valid, what parsing would alter, and lines of a rejects file and back. */
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc, { CHARACTER } from '../support/fast-check.ts';
import { createChecks } from '../../import/check.ts';
import { alterations, mayBeAltered, readRecords, rejectLine, unwrap } from '../../import/records.ts';
import type { Reject } from '../../import/records.ts';
import { contactProperty } from '../../testkit/builders.ts';
import { contract } from '../support/app.ts';
import { columns } from '../support/inputs.ts';

const check = createChecks(contract).contactProperties;

async function read(text: string): Promise<{ good: string[]; bad: Reject[] }> {
  const [good, bad]: [string[], Reject[]] = [[], []];
  for await (const records of readRecords(Readable.from([Buffer.from(text)]), check, {
    columns: columns('contactProperties'),
    reject: (it) => bad.push(it),
  })) {
    good.push(...records.map((it) => it.json));
  }
  return { good, bad };
}

test('a number is served in its shortest form', async () => {
  const record = JSON.stringify(contactProperty({ type: 'number', fallback_value: 7 }));
  const written = ['1.50', '1E2', '0', '0.0e9', '-12.5', '9007199254740991'];
  const { good, bad } = await read(written.map((it) => record.replace(':7,', `:${it},`)).join('\n'));
  const served = ['1.5', '100', '0', '0', '-12.5', '9007199254740991'];
  expect(good).toEqual(served.map((it) => record.replace(':7,', `:${it},`)));
  expect(bad).toEqual([]);
});

test.each([
  [
    ':1.0000000000000000001,',
    'must be a number that a double can represent exactly; 1.0000000000000000001 would become 1',
  ],
  [':7,"fallback_value":8,', 'appears more than once'],
  ...['-0', '-0.00', '-0e5', '-0.0E+30'].map((it) => [`:${it},`, 'must not be -0, which would become 0'] as const),
  [':-1e-400,', 'must be a number that a double can represent exactly; -1e-400 would become 0'],
])('a record that is valid only as parsing alters it is rejected: "fallback_value"%s', async (written, what) => {
  const record = JSON.stringify(contactProperty({ type: 'number', fallback_value: 7 }));
  const { good, bad } = await read(record.replace(':7,', written));
  expect(good).toEqual([]);
  expect(bad.map((it) => it.violations)).toEqual([[{ where: '/fallback_value', what }]]);
});

test('a number of CSV is rejected like one of JSON', async () => {
  const { id, key, created_at } = contactProperty();
  const rows = ['-0', '9007199254740993', '0'].map((it) => `${id},${key},number,${it},${created_at}`);
  const { good, bad } = await read(['id,key,type,fallback_value,created_at', ...rows].join('\n'));
  expect(good).toHaveLength(1);
  expect(bad.map((it) => it.violations.map(({ what }) => what))).toEqual([
    ['must not be -0, which would become 0'],
    ['must be a number that a double can represent exactly; 9007199254740993 would become 9007199254740992'],
  ]);
});

/** @returns the shortest literal of a double. */
const literalOf = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));
const cellOf = (text: string): string => `"${text.replaceAll('"', '""')}"`;

test('a value is stored as it was written, or its record is rejected', async () => {
  const { id, created_at } = contactProperty();
  const literals = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(literalOf),
    fc.stringMatching(/^-?(0|[1-9]\d{0,20})(\.\d{1,20})?([eE][-+]?\d{1,3})?$/),
  );
  const fallbacks = fc.oneof(
    literals.map((it) => ({ type: 'number', json: it, cell: it })),
    fc.string({ unit: 'binary' }).map((it) => ({ type: 'string', json: JSON.stringify(it), cell: cellOf(it) })),
  );
  await fc.assert(
    fc.asyncProperty(fallbacks, fc.string({ unit: 'binary' }), async ({ type, json, cell }, key) => {
      const text = `{"id":"${id}","key":${JSON.stringify(key)},"type":"${type}","fallback_value":${json},"created_at":"${created_at}"}`;
      const csv = `id,type,created_at,key,fallback_value\n${id},${type},${created_at},${cellOf(key)},${cell}`;
      for (const input of [text, csv]) {
        const { good, bad } = await read(input);
        expect(good.length + bad.length).toBe(1);
        if (good[0] === undefined) continue;
        expect(JSON.parse(good[0])).toEqual(JSON.parse(text)); // By `Object.is`: 0 is not -0.
        if (type === 'number') expect(alterations(`[${json}]`)).toEqual([]);
      }
    }),
    { numRuns: 150 },
  );
});

test('of several violations at a position, the one that parsing would hide is reported', async () => {
  const record = JSON.stringify(contactProperty({ type: 'number', fallback_value: 7 })).replace('"first_name"', '1');
  const { good, bad } = await read(record.replace(':7,', ':9007199254740993,'));
  expect(good).toEqual([]);
  expect(bad[0]?.violations).toEqual([
    {
      where: '/fallback_value',
      what: 'must be a number that a double can represent exactly; 9007199254740993 would become 9007199254740992',
    },
    expect.objectContaining({ where: '/key' }),
  ]);
});

test('a record comes out of a line of a rejects file as it went in', () => {
  const texts = fc.oneof(
    fc.string({ unit: CHARACTER, minLength: 1 }),
    fc.json().map((it) => JSON.stringify(JSON.parse(it), null, 2).replaceAll('\n', '\r\n')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const line = rejectLine('in', { line: 1, column: 1, text, violations: [] });
      expect(line.indexOf('\n')).toBe(line.length - 1);
      const { text: unwrapped = '' } = unwrap({ line: 1, column: 1, text: line }) ?? {};
      const asIs = (it: string): unknown => {
        try {
          return JSON.parse(it);
        } catch {
          return it;
        }
      };
      expect(asIs(unwrapped)).toEqual(asIs(text));
    }),
  );
});

test.each([
  '{"file":"in","line":1,"violations":[]}',
  '{"file":"in","line":1,"violations":[],"text":1}',
  '{"file":"in","line":1,"violations":[],"record":{},"more":1}',
  '{"file":"in","line":1,"record":{}}',
  '{"record":{}}',
  '{"file":"in","line":1,"violations":[],"record":{"a":1},"record":{"a":2}}',
  '{"file":"in","line":1,"line":2,"violations":[],"record":{}}',
  '{"file":"in","line":1,"violations":[{"where":"a","where":"b"}],"text":"x"}',
  `{"file":"in","line":1,"violations":${'['.repeat(200)}${']'.repeat(200)},"text":"x","text":"y"}`,
  '[]',
  'null',
  '{oops',
])('%s is no line of a rejects file', (text) => {
  expect(unwrap({ line: 1, column: 1, text })).toBeUndefined();
});

const altered = (text: string): unknown[] => {
  const found = alterations(text);
  // The cheap test may have false positives, but no false negatives.
  expect([true, found.length > 0]).toContain(mayBeAltered(text, JSON.parse(text)));
  return [...found];
};
const number = (literal: string, becomes: string): string =>
  `must be a number that a double can represent exactly; ${literal} would become ${becomes}`;

describe('numbers that parsing may alter', () => {
  test.each([
    ...['0', '-0', '0.0', '-0e400', '1.0', '1.50', '100', '1e2', '1E+2', '1e-2', '0.1', '-12.5', '1e300', '5e-324'],
    ...['9007199254740991', '0.30000000000000004', '1234567890123456.5', '1.7976931348623157e308'],
    ...[`1${'0'.repeat(300)}`, `0.${'0'.repeat(300)}1`, `1.${'0'.repeat(300)}`, '123456789012345680000'],
  ])('%s is exact', (literal) => {
    expect(altered(`{"a":${literal}}`)).toEqual([]);
  });

  test.each([
    ['9007199254740991.4', '9007199254740991'],
    ['9007199254740993', '9007199254740992'],
    ['1e-400', '0'],
    ['1e400', 'Infinity'],
    ['-1E+400', '-Infinity'],
    ['3e-324', '5e-324'],
    ['0.1000000000000000055511151231257827', '0.1'],
    ['1e99999999999999999999', 'Infinity'],
  ])('%s is not exact', (literal, becomes) => {
    const what = number(literal, becomes);
    expect(altered(`{"a": ${literal}}`)).toEqual([{ where: '/a', what }]);
    expect(altered(`{"a":{"b":[0,${literal}]}}`)).toEqual([{ where: '/a/b/1', what }]);
  });

  test('the same digits in a string are not a number', () => {
    expect(altered('{"a":"9007199254740991.4","b":"x: 1e-400, [1e400"}')).toEqual([]);
  });

  test('a long literal is truncated in the message, and scanned in linear time', () => {
    expect(altered(`{"a":1${'0'.repeat(500_000)}1}`)).toEqual([
      { where: '/a', what: number(`1${'0'.repeat(39)}…`, 'Infinity') },
    ]);
  });

  test('a literal is exact if and only if the shortest form of its double has the same value', () => {
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
        const isExact =
          Number.isFinite(Number(text)) &&
          BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length + 800) ===
            digits * 10n ** BigInt(power + 800);
        expect(altered(`{"a":${text}}`)).toHaveLength(isExact ? 0 : 1);
      }),
      { numRuns: 500 },
    );
  });
});

describe('duplicate members', () => {
  const again = 'appears more than once';
  test.each([
    ['{"a":1,"a":1}', ['/a']],
    ['{"a" : 1, "b":2, "\\u0061"\n: 3}', ['/a']],
    ['{"a":1,"a":2,"a":3}', ['/a', '/a']],
    ['{"a":{"b":1,"b":2},"b":3}', ['/a/b']],
    ['[{"a":1},{"a":1,"a":1}]', ['/1/a']],
    ['{"__proto__":1,"__proto__":2}', ['/__proto__']],
    ['{"a":"\\u0022:","a":"\\":"}', ['/a']],
  ])('%s: has one', (text, positions) => {
    expect(altered(text)).toEqual(positions.map((where) => ({ where, what: again })));
  });

  test.each(['{"a":1,"b":2}', '{"a":{"a":1}}', '[{"a":1},{"a":1}]', '{"a":"\\":\\":","b":"a"}', '{}', '[]', '"a"'])(
    '%s: has none',
    (text) => {
      expect(altered(text)).toEqual([]);
    },
  );
});

test.each([
  '{"id":"c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d73","created_at":"2026-04-16 13:49:40.678912+00","n":-12.5}',
  '{\n  "id" : "12345678-1234-1234-1234-123456789012",\n  "n": [1, 2147483647, 9007199254740]\n}',
])('an ordinary record passes the cheap test: %s', (text) => {
  expect(mayBeAltered(text, JSON.parse(text))).toBe(false);
});
