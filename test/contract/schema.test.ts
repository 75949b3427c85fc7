/** Validation by schemas: one violation for each position, which says what is allowed there. */
import { describe, expect, test } from '@jest/globals';
import { compile } from '../../contract/schema.ts';
import type { Schema } from '../../contract/document.ts';
import { contract } from '../support/app.ts';

const violations = (schema: object, value: unknown): unknown => compile(schema)(value);
const record = (what: string): unknown => [{ where: 'record', what }];

describe('what is allowed', () => {
  const code = {
    type: 'string',
    description: 'A code of two letters, in Latin. And more about it.',
    pattern: '^[a-z]{2}$',
    minLength: 2,
    maxLength: 2,
    example: 'de',
  };
  test.each<[object, unknown, string]>([
    [code, 'DEU', 'must be a code of two letters, in Latin, such as "de"'],
    [code, '', 'must be a code of two letters, in Latin, such as "de"'],
    [code, 1, 'must be a code of two letters, in Latin, such as "de"'],
    [{ ...code, nullable: true }, 'DEU', 'must be a code of two letters, in Latin, such as "de", or null'],
    [
      { ...code, nullable: true, description: 'A code, or null. It may be missing.' },
      'DEU',
      'must be a code, or null, such as "de"',
    ],
    [{ type: 'string', pattern: '^a' }, 'x', 'must be a string that matches ^a'],
    [{ type: 'string' }, 1, 'must be a string'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'must be a string of at most 2 characters'],
    [{ type: 'string', minLength: 1 }, '', 'must be a string of at least 1 character'],
    [{ type: 'string', minLength: 1, maxLength: 3 }, '', 'must be a string of 1 to 3 characters'],
    [{ type: 'string', enum: ['a'] }, 'b', 'must be "a"'],
    [{ type: 'string', enum: ['a', 'b'] }, null, 'must be one of "a", "b"'],
    [{ type: 'integer', minimum: 0, maximum: 9 }, 1.5, 'must be a whole number from 0 to 9'],
    [{ type: 'integer', minimum: 0, maximum: 9 }, -1.5, 'must be a whole number from 0 to 9'],
    [{ type: 'integer', minimum: 0 }, -1, 'must be a whole number of at least 0'],
    [{ type: 'number', maximum: 9, nullable: true }, 10, 'must be a number of at most 9, or null'],
    [{ type: 'number' }, Infinity, 'must be a number'],
    [{ type: 'boolean' }, 1, 'must be true or false'],
    [{ type: 'array', maxItems: 1, items: { type: 'string' } }, ['a', 'b'], 'must be a list of at most 1 item'],
    [{ type: 'object', properties: {} }, [], 'must be an object'],
    [
      {
        oneOf: [{ type: 'string', maxLength: 2 }, { type: 'number' }, { type: 'object', nullable: true, enum: [null] }],
      },
      'abc',
      'must be a string of at most 2 characters, a number, or null',
    ],
  ])('%j: %j', (schema, value, what) => {
    expect(violations(schema, value)).toEqual(record(what));
  });
});

const thing = {
  type: 'object',
  required: ['a', 'b'],
  properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'boolean' } } } },
};

test('a position is a JSON pointer, and is reported once', () => {
  expect(violations(thing, { a: 1, b: { c: 1, 'x/y~z': 1 } })).toEqual([
    { where: '/a', what: 'must be a string' },
    { where: '/b/x~1y~0z', what: 'is an unknown property' },
    { where: '/b/c', what: 'must be true or false' },
  ]);
  expect(violations(thing, {})).toEqual([
    { where: '/a', what: 'is missing' },
    { where: '/b', what: 'is missing' },
  ]);
});

test.each(['__proto__', 'constructor', 'toString'])('%s is a property like any other', (name) => {
  const value: unknown = JSON.parse(`{"a":"","b":{},"${name}":{"c":1}}`);
  expect(violations(thing, value)).toEqual([{ where: `/${name}`, what: 'is an unknown property' }]);
});

test('long names are truncated, and there are 20 violations at most', () => {
  expect(violations(thing, { a: '', b: {}, ['x'.repeat(1000)]: 1 })).toEqual([
    { where: `/${'x'.repeat(100)}…`, what: 'is an unknown property' },
  ]);
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`x${String(at)}`, 1]));
  expect(violations(thing, { a: '', b: {}, ...many })).toHaveLength(20);
});

test.each(['Id', 'ItemId', 'Timestamp'] as const)('the contract says the form of %s', (name) => {
  const schema: Schema = contract.schemas[name];
  const [form = ''] = /^.*?\.(?= |$)/.exec(schema.description ?? '') ?? [];
  const what = `must be ${form.charAt(0).toLowerCase()}${form.slice(1, -1)}, such as ${JSON.stringify(schema.example)}`;
  for (const value of ['', 'x', 'x'.repeat(36), 1]) expect(violations(schema, value)).toEqual(record(what));
});
