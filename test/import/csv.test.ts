/** Rows of CSV as records, by the columns that their header names, with chunks of any size. */
import { describe, expect, test } from '@jest/globals';
import type { Collection } from '../../contract/collections.ts';
import { splitRecords } from '../../import/format.ts';
import type { RawRecord } from '../../import/split.ts';
import { chunksOf, columns, inputErrorOf } from '../support/inputs.ts';

interface Read {
  readonly records: readonly RawRecord[];
  readonly notes: readonly string[];
}

async function read(
  collection: Collection,
  input: string | Buffer,
  renamed: Readonly<Record<string, string>> = {},
  chunkBytes = 5,
): Promise<Read> {
  const [records, notes]: [RawRecord[], string[]] = [[], []];
  const options = { columns: columns(collection, renamed, (note) => notes.push(note)) };
  for await (const some of splitRecords(chunksOf(input, chunkBytes), options)) records.push(...some);
  return { records, notes };
}

const texts = async (...args: Parameters<typeof read>): Promise<readonly string[]> =>
  (await read(...args)).records.map(({ text }) => text);

const errorOf = (...args: Parameters<typeof read>): Promise<string> => inputErrorOf(read(...args));

const AUTOMATIONS = 'id,name,status,created_at,updated_at';
const PROPERTIES = 'id,key,type,fallback_value,created_at';

test('cells are properties in the order of the contract, and a property of one value needs no column', async () => {
  const header = 'counts.failed,counts.skipped,counts.updated,counts.created,Total,status,completed_at,created_at,id';
  expect(await texts('contactImports', `${header}\n5,4,3,2,1,queued,,now,x\n`, { 'counts.total': 'Total' })).toEqual([
    '{"object":"contact_import","id":"x","status":"queued","created_at":"now","completed_at":null,' +
      '"counts":{"total":1,"created":2,"updated":3,"skipped":4,"failed":5}}',
  ]);
});

test.each([
  ['string', '7', '"7"'],
  ['number', '7', '7'],
  ['number', '-1.50e3', '-1.50e3'], // The literal, so that a loss of precision is found.
  ['number', '9007199254740993', '9007199254740993'],
  ['number', '007', '"007"'],
  ['number', '', 'null'],
  ['string', '', 'null'],
  ['string', '""', '""'],
  ['date', '7', '"7"'],
  ['', '7', '"7"'],
  ['string', 'null', '"null"'],
])('a fallback of type %j: %s is %s', async (type, cell, json) => {
  expect(await texts('contactProperties', `${PROPERTIES}\nx,k,${type},${cell},now`)).toEqual([
    `{"id":"x","key":"k","type":"${type}","fallback_value":${json},"created_at":"now"}`,
  ]);
});

test('an empty cell is an empty text where the contract does not allow null', async () => {
  expect(await texts('automations', `${AUTOMATIONS}\n,"",,,`)).toEqual([
    '{"id":"","name":"","status":"","created_at":"","updated_at":""}',
  ]);
});

test('text that looks like a number stays text', async () => {
  expect(await texts('automations', `${AUTOMATIONS}\n1,2,true,4,5`)).toEqual([
    '{"id":"1","name":"2","status":"true","created_at":"4","updated_at":"5"}',
  ]);
});

test.each([',', ';', '\t'])(
  'cells may be separated by %j, in lines of any kind, after a byte order mark',
  async (mark) => {
    const rows = [AUTOMATIONS.replaceAll(',', mark), ['a', '"é, ""👋"";"', 'c', 'd', 'e'].join(mark)];
    const record = String.raw`{"id":"a","name":"é, \"👋\";","status":"c","created_at":"d","updated_at":"e"}`;
    for (const end of ['\n', '\r\n']) {
      for (const chunkBytes of [1, 2, 3, 1000]) {
        const input = `\uFEFF${end}${rows.join(end + end)}${end}`;
        expect(await texts('automations', input, {}, chunkBytes)).toEqual([record]);
      }
    }
  },
);

test.each(['\n', '\r\n'])('each record has the line at which it begins, in lines that end in %j', async (end) => {
  const rows = [AUTOMATIONS, 'a,x,c,d,e', `b,"1${end}${end}3",c,d,e`, '', 'c,x,c,d,e', ',,,,', 'd,x,c,d,e'];
  for (const chunkBytes of [1, 1000]) {
    const { records } = await read('automations', rows.join(end), {}, chunkBytes);
    expect(records.map(({ line, column, text }) => [line, column, text.slice(7, 8)])).toEqual([
      [2, 1, 'a'],
      [3, 1, 'b'],
      [7, 1, 'c'],
      [9, 1, 'd'],
    ]);
  }
});

test('each property has its column, for messages', async () => {
  const { records } = await read('automations', 'id,"Na,me",status,created_at,updated_at\na,b,c,d,e', {
    name: 'Na,me',
  });
  expect([...(records[0]?.columns ?? [])]).toEqual([
    ['/id', 'column 1 "id"'],
    ['/name', 'column 2 "Na,me"'],
    ['/status', 'column 3 "status"'],
    ['/created_at', 'column 4 "created_at"'],
    ['/updated_at', 'column 5 "updated_at"'],
  ]);
});

test('a row of too few or too many cells, and a byte order mark in the middle, are invalid records that lose nothing', async () => {
  const { records } = await read('automations', `${AUTOMATIONS}\na,b\na,b,c,d,e,\n\uFEFFa,b,c,d,e\na,b,c,d,e`);
  expect(records.map(({ line, text, fault }) => [line, text, fault])).toEqual([
    [2, '["a","b"]', 'must have 5 cells like the header, but has 2'],
    [3, '["a","b","c","d","e",null]', 'must have 5 cells like the header, but has 6'],
    [4, '["\uFEFFa","b","c","d","e"]', 'must not begin with a byte order mark (U+FEFF)'],
    [5, '{"id":"a","name":"b","status":"c","created_at":"d","updated_at":"e"}', undefined],
  ]);
});

test('columns without a property are named once', async () => {
  const { records, notes } = await read('automations', `Notes,${AUTOMATIONS},Owner\n1,a,b,c,d,e,2\n`);
  expect(records).toHaveLength(1);
  expect(notes).toEqual(['ignored, because no property has this name: column "Notes", "Owner"']);
});

describe('rejected as a whole', () => {
  test.each<[string, string | Buffer, Readonly<Record<string, string>>, string]>([
    [
      'a required property without a column',
      '\nid,Name,status,Created,updated_at\n1,2\n',
      {},
      '2: has no column for name, created_at; name each with --map, such as --map name=Column; its columns are "id", ' +
        '"Name", "status", "Created", "updated_at"',
    ],
    [
      'a name of a column that is not there',
      `${AUTOMATIONS}\n`,
      { name: 'Name' },
      '1: has no column "Name", which --map names; its columns are "id", "name", "status", "created_at", "updated_at"',
    ],
    [
      'two columns of one name',
      `${AUTOMATIONS},name\n`,
      {},
      '1: has more than one column "name"; its columns are "id", "name", "status", "created_at", "updated_at", "name"',
    ],
    [
      'lines that end with CR alone',
      `${AUTOMATIONS}\r1,2,3,4,5\r`,
      {},
      '1: has lines that end with CR alone, as those of old Macs; end them with LF',
    ],
    [
      'a quote that is not closed',
      `${AUTOMATIONS}\n1,2,3,4,5\n1,"2,3,4,5\n`,
      {},
      '3: has a quote in column 2 that is not closed',
    ],
    [
      'a quote in a cell without quotes',
      `${AUTOMATIONS}\n1,2"3",3,4,5\n`,
      {},
      '2: has a quote in column 2 that neither begins nor ends a cell; write "" for a quote, in a cell that is in quotes',
    ],
    [
      'text after a quoted cell',
      `${AUTOMATIONS}\n1,2,3,4,5\n1,"2"3,3,4,5\n`,
      {},
      '3: has a quote in column 2 that neither begins nor ends a cell; write "" for a quote, in a cell that is in quotes',
    ],
    ['bytes that are not UTF-8', Buffer.from(`${AUTOMATIONS}\n1,\xe9,3,4,5\n`, 'latin1'), {}, '2: is not UTF-8 text'],
    ['a character that is cut off', Buffer.from(`${AUTOMATIONS}\n1,2,3,4,\xc3`, 'latin1'), {}, '2: is not UTF-8 text'],
  ])('%s', async (_, input, renamed, error) => {
    expect(await errorOf('automations', input, renamed)).toBe(error);
  });

  test('many columns with long names are named in part', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `x${String(at)}`.padEnd(100, 'y'));
    const shown = names.slice(0, 20).map((name) => `"${name.slice(0, 60)}…"`);
    expect(await errorOf('automations', `${names.join()}\n`, {})).toBe(
      `1: has no column for id, name, status, created_at, updated_at; name each with --map, such as --map id=Column; its columns are ${shown.join(', ')} and 10 more`,
    );
  });

  test('a row larger than a mebibyte', async () => {
    const input = `${AUTOMATIONS}\n1,2,3,4,5\n1,"${'x'.repeat(1024 * 1024)}",3,4,5\n`;
    expect(await errorOf('automations', input, {}, 1 << 16)).toBe(
      '3: has a record larger than 1048576 bytes; a quote may not be closed',
    );
  });
});
