/** From bytes to records that may be stored, and to lines of rejects and back. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createChecks } from '../../server/import/check.ts';
import { readRecords } from '../../server/import/read.ts';
import { rejectLine, unwrap } from '../../server/import/rejects.ts';
import type { Reject } from '../../server/import/rejects.ts';
import { contactProperty } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';

const check = createChecks(contract).contactProperties;

async function read(text: string): Promise<{ good: string[]; bad: Reject[] }> {
  const [good, bad]: [string[], Reject[]] = [[], []];
  // eslint-disable-next-line @typescript-eslint/require-await -- a stand-in for a file
  const chunks = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(text);
  };
  for await (const records of readRecords(chunks(), check, { reject: (it) => bad.push(it) })) {
    good.push(...records.map((it) => it.json));
  }
  return { good, bad };
}

test('a number that is written in another way is served in the usual one', async () => {
  const record = JSON.stringify(contactProperty({ type: 'number', fallback_value: 7 }));
  const written = ['1.50', '1E2', '-0', '0.0e9', '-12.5', '9007199254740991'];
  const { good, bad } = await read(written.map((it) => record.replace(':7,', `:${it},`)).join('\n'));
  const served = ['1.5', '100', '0', '0', '-12.5', '9007199254740991'];
  expect(good).toEqual(served.map((it) => record.replace(':7,', `:${it},`)));
  expect(bad).toEqual([]);
});

test('of several things wrong in a place, what parsing would hide is told', async () => {
  const record = JSON.stringify(contactProperty({ type: 'number', fallback_value: 7 })).replace('"first_name"', '1');
  const { good, bad } = await read(record.replace(':7,', ':9007199254740993,'));
  expect(good).toEqual([]);
  expect(bad[0]?.violations).toEqual([
    {
      where: '/fallback_value',
      what: 'must be a number that a double holds as written; 9007199254740993 would become 9007199254740992',
    },
    expect.objectContaining({ where: '/key' }),
  ]);
});

test('a record comes out of a line of rejects as it went in', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
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

test('a record that a line of rejects has twice is rejected for that', async () => {
  const [first, second] = [contactProperty(), contactProperty()].map((it) => JSON.stringify(it));
  const { good, bad } = await read(
    `{"file":"in","line":1,"violations":[],"record":${String(first)},"record":${String(second)}}`,
  );
  expect(good).toEqual([]);
  expect(bad.map((it) => it.violations[0])).toEqual([{ where: '/record', what: 'is given more than once' }]);
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
])('%s is no line of rejects', (text) => {
  expect(unwrap({ line: 1, column: 1, text })).toBeUndefined();
});
