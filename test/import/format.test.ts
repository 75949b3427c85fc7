/** Splitting inputs into records: the formats of JSON, detected by content, with chunks of any size. CSV: `csv.test.ts`. */
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc, { CHARACTER } from '../support/fast-check.ts';
import { splitRecords } from '../../import/format.ts';
import { InputError } from '../../import/split.ts';
import type { RawRecord } from '../../import/split.ts';
import { chunksOf, columns, inputErrorOf } from '../support/inputs.ts';

async function split(input: string | Buffer, chunkBytes = 1 << 16, partial?: () => void): Promise<RawRecord[]> {
  const found: RawRecord[] = [];
  const chunks = chunksOf(input, chunkBytes);
  for await (const records of splitRecords(chunks, { columns: columns('automations'), partial }))
    found.push(...records);
  return found;
}

const errorOf = (input: string | Buffer): Promise<string> => inputErrorOf(split(input));

const values = fc.array(
  fc.record({
    id: fc.string({ unit: CHARACTER }),
    n: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)),
    deep: fc.array(fc.jsonValue(), { maxLength: 3 }),
  }),
  { maxLength: 8 },
);
const indent = fc.constantFrom(undefined, 1, '\t');
const layouts: [string, (all: unknown[], space: string | number | undefined) => string][] = [
  ['NDJSON', (all) => all.map((it) => JSON.stringify(it)).join('\n')],
  [
    'NDJSON with CRLF, empty lines and a last newline',
    (all) => all.map((it) => `${JSON.stringify(it)}\r\n\r\n`).join(''),
  ],
  ['a JSON array', (all, space) => `\n ${JSON.stringify(all, null, space)}\n`],
  ['a list response', (all, space) => JSON.stringify({ object: 'list', has_more: true, data: all }, null, space)],
  [
    'a list response in another order',
    (all, space) => JSON.stringify({ has_more: false, data: all, object: 'list' }, null, space),
  ],
];

describe.each(layouts)('%s', (_, write) => {
  test('comes back record by record, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        values,
        indent,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (all, space, chunkBytes, hasMark) => {
          const records = await split((hasMark ? '\uFEFF' : '') + write(all, space), chunkBytes);
          expect(records.map((it) => JSON.parse(it.text) as unknown)).toEqual(JSON.parse(JSON.stringify(all)));
        },
      ),
    );
  });
});

test.each(['', '\n\n', ' \r\n', '\uFEFF', '[]', ' [ \n ] ', '{"object":"list","has_more":false,"data":[]}'])(
  '%j holds no record',
  async (input) => {
    expect(await split(input)).toEqual([]);
  },
);

test('each record has the position at which it begins', async () => {
  expect(await split('\n{"a":1}\n\n  {"a":2}')).toEqual([
    { line: 2, column: 1, text: '{"a":1}' },
    { line: 4, column: 1, text: '  {"a":2}' },
  ]);
  const positionsIn = async (input: string): Promise<unknown[]> =>
    (await split(input, 3)).map(({ line, column, text }) => [line, column, text]);
  expect(await positionsIn('[\n{"a":1}, {"é":"👋"},{},\n\n {\n"a":3}\r\n,5]')).toEqual([
    [2, 1, '{"a":1}'],
    [2, 10, '{"é":"👋"}'],
    [2, 21, '{}'],
    [4, 2, '{\n"a":3}'],
    [6, 2, '5'],
  ]);
  expect(await positionsIn('{\n"object": "list",\n"data": [{"a":1}\n]\n}')).toEqual([[3, 10, '{"a":1}']]);
});

describe('a list response', () => {
  const isPartial = async (input: string): Promise<boolean> => {
    let isReported = false;
    await split(input, 5, () => (isReported = true));
    return isReported;
  };

  test.each([
    ['{"object":"list","has_more":true,"data":[]}', true],
    ['{"object":"list","data":[{"has_more":false}],"has_more":true}', true],
    ['{"object":"list","has_more":false,"data":[]}', false],
    ['{"object":"list","data":[{"has_more":true}]}', false],
    ['[{"has_more":true}]', false],
    ['{"id":1,"has_more":true}', false],
  ])('%s says whether there is more', async (input, more) => {
    expect(await isPartial(input)).toBe(more);
  });

  test.each([
    '{"object":"list","meta":{"data":[{"a":1}]},"data":[{"a":2}]}',
    '{"object":"list","meta":[{"data":[{"a":1}]}],"data":[{"a":2}]}',
    '{"object":"list","meta":"\\"data\\":[","data" : [ {"a":2} ]}',
    '{"object":"list","meta":"data","other":[{"a":1}],"data":[{"a":2}]}',
    '{"object":"list","data":[{"a":2}],"meta":{"data":[{"a":1}]}}',
  ])('%s: its own data is loaded', async (input) => {
    for (const chunkBytes of [1, 2, 1000]) {
      expect((await split(input, chunkBytes)).map((it) => JSON.parse(it.text) as unknown)).toEqual([{ a: 2 }]);
    }
  });
});

test.each([
  ['{"object":"list","has_more":true,"has_more":false,"data":[{"a":1}]}', '1: has /has_more more than once'],
  ['{"object":"list","data":[{"a":1}],\n"data":[{"a":2}]}', '2: has /data more than once'],
  ['{"object":"list",\n"object":"list",\n"data":[\n]}', '2: has /object more than once'],
  ['{"object":"list","data":[\n{"a":1}\n],\n"meta":{"b":1,\n"b":2}}', '5: has /meta/b more than once'],
  [
    `{"object":"list","data":[],"has_more":true,"has_more":false,"x":${'['.repeat(200)}${']'.repeat(200)}}`,
    '1: has content after its array; use one array per file, or one record per line',
  ],
])('a list response whose member appears more than once is rejected: %j', async (input, error) => {
  expect(await errorOf(input)).toBe(error);
});

test('a record may have a mebibyte, and no more', async () => {
  const record = `{"a":"${'x'.repeat(1024 * 1024 - 8)}"}`;
  expect((await split(record)).map((it) => it.text)).toEqual([record]);
  expect(await errorOf(`${record} `)).toBe('1: has a record larger than 1048576 bytes');
});

test('the records of a list response may begin after as many as 64 KiB', async () => {
  const head = '{"object":"list","more":"';
  const listOf = (bytes: number): string => `${head.padEnd(bytes - '","data":['.length, 'x')}","data":[1]}`;
  expect((await split(listOf(64 * 1024), 1000)).map((it) => it.text)).toEqual(['1']);
  expect(await errorOf(listOf(66 * 1024))).toBe('1: begins like a list response, but has no "data" array');
});

test('a malformed record does not hide the others', async () => {
  expect(await split('{"a":1}\n{oops\n{"a":2}')).toMatchObject([
    { text: '{"a":1}' },
    { text: '{oops' },
    { text: '{"a":2}' },
  ]);
  expect(await split('[{"a":1}, {"a" 2}, {"a":3} {"a":4}, nope]')).toMatchObject([
    { text: '{"a":1}' },
    { text: '{"a" 2}' },
    { text: '{"a":3} {"a":4}' },
    { text: 'nope' },
  ]);
});

test('a single record whose first property is `object` or `data` is not mistaken for a list response', async () => {
  expect(await split('{"object":"contact_import","id":"x"}')).toHaveLength(1);
  expect(await split('{"id":1,"data":[{"a":1}]}')).toMatchObject([{ text: '{"id":1,"data":[{"a":1}]}' }]);
  expect(await split('{"constructor":1,"id":"x"}')).toHaveLength(1); // A name that every object inherits.
});

test.each([
  ['[{"a":1},', '1: ends before its array does; it may be truncated'],
  ['[{"a":1}\n', '2: ends before its array does; it may be truncated'],
  ['{"object":"list","data":[{"a":"', '1: ends before its array does; it may be truncated'],
  ['{"object":"list","data":{"data":[]}}', '1: begins like a list response, but has no "data" array'],
  ['{"object":"list","has_more":false}', '1: begins like a list response, but has no "data" array'],
  ['[{"a":1}]\n[{"a":2}]', '1: has content after its array; use one array per file, or one record per line'],
  [
    '{"object":"list","data":[]}{"object":"list","data":[]}',
    '1: has content after its array; use one array per file, or one record per line',
  ],
  ['[{"a":1}}]', '1: has an unmatched }'],
  ['[{"a":1},\n,{"a":2}]', '2: has a comma without a record next to it'],
  ['[{"a":1},]', '1: has a comma without a record next to it'],
  ['[,]', '1: has a comma without a record next to it'],
  [Buffer.from([0x1f, 0x8b, 8, 0]), 'undefined: is damaged or truncated gzip data'],
  [Buffer.from('{"a":1}\n{"a":"\xe9"}', 'latin1'), '2: is not UTF-8 text'],
  [`{"a":"${'x'.repeat(1024 * 1024)}"}`, '1: has a record larger than 1048576 bytes'],
])('%# is rejected as a whole', async (input, error) => {
  expect(await errorOf(input)).toBe(error);
});

test.each(layouts)('%s is read from gzip too, in chunks of any size', async (_, write) => {
  const all = [{ a: 1 }, { a: '\u00e9' }];
  for (const chunkBytes of [1, 7, 1000]) {
    const records = await split(gzipSync(write(all, undefined)), chunkBytes);
    expect(records.map((record) => JSON.parse(record.text) as unknown)).toEqual(all);
  }
});

test.each([
  ['\uFEFF<?xml version="1.0"?>\n<a, b="c"/>', 'XML or HTML'],
  ['<!doctype html><html></html>', 'XML or HTML'],
  ['hello\n{"a":1}', 'plain text'],
  ['5', 'plain text'],
  ['id: 1\nname: a, b\n', 'YAML'],
  ['\x1e{"a":1}\n', 'a JSON text sequence, with a record separator (U+001E) before each record'],
  ['{\n  "id": 1\n}\n', 'a JSON object on several lines, not one on each line'],
  ["{'id': 1, 'a': None}\n", 'objects that are not JSON: their names are not in double quotes'],
  ['PK\x03\x04,', 'a ZIP archive or a spreadsheet'],
  ['%PDF-1.7\n', 'a PDF'],
  ['SQLite format 3\0', 'a SQLite database'],
  [gzipSync(gzipSync('{"a":1}')), 'compressed data, twice or not by gzip'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0]), 'compressed data, twice or not by gzip'],
  [Buffer.from('\uFEFF{"a":1}', 'utf16le'), 'UTF-16 text or binary data'],
  [Buffer.from('id,name', 'utf16le'), 'UTF-16 text or binary data'],
])('%j is named once, with what is read', async (input, name) => {
  expect(await errorOf(input)).toBe(
    `1: looks like ${name}. It must be CSV with a header line, JSON Lines, a JSON array or a saved list response, as UTF-8 ` +
      'text or compressed by gzip',
  );
});

test.each(['[{"a":1}]', '{"a":1}', '{"object":"list","data":[]}'])('%s has no columns to name', async (input) => {
  const chunks = Readable.from([Buffer.from(input)]);
  const records = splitRecords(chunks, { columns: columns('automations', { name: 'Name' }) });
  await expect(records.next()).rejects.toMatchObject({ line: 1, message: 'is JSON, but --map names columns of CSV' });
});

test('an input is closed when its reading ends early, and its error is the error', async () => {
  let isClosed = false;
  const chunks = async function* (input: Buffer): AsyncGenerator<Buffer> {
    try {
      yield input;
      await Promise.reject(new InputError(undefined, 'cannot be read'));
    } finally {
      isClosed = true;
    }
  };
  for (const input of ['{"a":1}\n', 'id,name\n', '<', '[1,']) {
    for (const bytes of [Buffer.from(input), gzipSync(input)]) {
      isClosed = false;
      const all = splitRecords(chunks(bytes), { columns: columns('automations') });
      const readAll = async (): Promise<void> => {
        for await (const records of all) expect(records.length).toBeLessThan(2);
      };
      await expect(readAll()).rejects.toThrow(InputError);
      expect(isClosed).toBe(true);
    }
  }
  isClosed = false;
  for await (const records of splitRecords(chunks(Buffer.from('{"a":1}\n')), { columns: columns('automations') })) {
    if (records.length > 0) break;
  }
  expect(isClosed).toBe(true);
});
