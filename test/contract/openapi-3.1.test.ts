/** The contract as OpenAPI 3.1 allows what the contract allows, no more and no less. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';

type Node = Readonly<Record<string, unknown>>;
interface Body {
  readonly schema: { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}
interface Document extends Node {
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>;
  };
}

const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Document;
const rendered = renderAs31(contract) as Document;

test('has all paths, parameters, headers and responses, and schemas of the same names', () => {
  const withoutSchemas = (document: Document): unknown =>
    JSON.parse(
      JSON.stringify(document, (name, value: unknown) =>
        name === 'schemas' || name === 'schema'
          ? Object.keys(value as Node).filter((it) => !/^examples?$/.test(it))
          : value,
      ),
    );
  expect(withoutSchemas(rendered)).toEqual({ ...(withoutSchemas(contract) as Node), openapi: '3.1.0' });
});

test('has nothing of 3.0 left, and no list of types', () => {
  expect(JSON.stringify(rendered)).not.toMatch(/"nullable"|"type":\[/);
  expect(JSON.stringify(rendered.components.schemas)).not.toContain('"example"');
});

describe('a schema', () => {
  const render = (schema: object): unknown =>
    (renderAs31({ components: { schemas: { It: schema } } }) as Document).components.schemas['It'];

  test.each<[object, object]>([
    [
      { description: 'A.', type: 'string', nullable: true, maxLength: 2, example: 'a' },
      { description: 'A.', examples: ['a'], oneOf: [{ type: 'string', maxLength: 2 }, { type: 'null' }] },
    ],
    [{ type: 'object', nullable: true, enum: [null] }, { type: 'null' }],
    [
      { type: 'string', nullable: true, enum: ['a', null] },
      { oneOf: [{ type: 'string', enum: ['a'] }, { type: 'null' }] },
    ],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: 'string', enum: ['a'] },
    ],
    [
      { type: 'string', nullable: false, example: null },
      { type: 'string', examples: [null] },
    ],
    [{ type: 'object', additionalProperties: true }, { type: 'object' }],
    [
      { type: 'object', additionalProperties: { type: 'string', nullable: true } },
      { type: 'object', additionalProperties: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
    ],
    [
      { properties: { additionalProperties: { type: 'boolean' } } },
      { properties: { additionalProperties: { type: 'boolean' } } },
    ],
    [{ items: { nullable: true, type: 'number' } }, { items: { oneOf: [{ type: 'number' }, { type: 'null' }] } }],
    [
      {
        properties: { example: { type: 'string', example: 'a' }, nullable: { type: 'boolean' } },
        example: { nullable: true },
      },
      {
        properties: { example: { type: 'string', examples: ['a'] }, nullable: { type: 'boolean' } },
        examples: [{ nullable: true }],
      },
    ],
  ])('%j is %j', (schema, expected) => {
    expect(render(schema)).toEqual(expected);
  });

  test('that excludes its end is not guessed at', () => {
    expect(() => render({ properties: { a: { type: 'number', minimum: 1, exclusiveMinimum: true } } })).toThrow(
      'Cannot convert exclusiveMinimum to OpenAPI 3.1.',
    );
  });
});

describe('both allow the same values', () => {
  const formats = { int32: true, int64: true, double: true } as const;
  const options = { formats, strict: false };

  /** Whether a value is allowed by the contract and by what was made of it. */
  type Results = (schema: string, value: unknown) => readonly [boolean, boolean];
  const in30 = new Ajv(options).addSchema(contract, 'contract');
  const resultsWith = (other: Document): Results => {
    const in31 = new Ajv2020(options).addSchema(other, 'contract');
    const allows = (ajv: Pick<Ajv, 'getSchema'>, schema: string, value: unknown): boolean => {
      const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
      if (validate === undefined) throw new Error(`There is no schema ${schema}.`);
      return validate(value) === true;
    };
    return (schema, value) => [allows(in30, schema, value), allows(in31, schema, value)];
  };

  const EXAMPLES = [
    ...Object.entries(contract.components.schemas).map(([schema, it]) => [schema, it['example']] as const),
    ...parts(contract).flatMap((it) => {
      const { schema, example, examples = {} } = isObject(it) ? (it as Partial<Body>) : {};
      const name = /^#\/components\/schemas\/(.*)$/.exec(schema?.$ref ?? '')?.[1];
      const all = [example, ...Object.values(examples).map(({ value }) => value)];
      return name === undefined ? [] : all.map((value) => [name, value] as const);
    }),
  ].filter(([, example]) => example !== undefined);

  /** The first of each schema. */
  const FIRST = [...new Map(EXAMPLES.toReversed())];
  const PARTS = FIRST.flatMap(([, value]) => parts(value));
  /** What stands in the place of a part; `undefined` for nothing. */
  const OTHERS = new Set<unknown>([
    ...[undefined, null, '', 0, -1, 12.5, 2 ** 31, 2 ** 60, true, [], {}, 'x'.repeat(10_001)],
    ...PARTS.filter((it) => !isObject(it)),
    ...PARTS.filter((it) => Array.isArray(it)).map((it) => Array<unknown>(101).fill(it[0])),
  ]);

  /** @returns the results for the first example of each schema with each other value in the place of each of its parts. */
  const compare = (results: Results): readonly (readonly [schema: string, value: unknown, ...ReturnType<Results>])[] =>
    FIRST.flatMap(([schema, example]) =>
      [...OTHERS]
        .flatMap((other) => withOther(example, other))
        .map((value) => [schema, value, ...results(schema, value)] as const),
    );

  test('examples, and whatever stands in the place of a part of them', () => {
    const results = resultsWith(rendered);
    expect(EXAMPLES.length).toBeGreaterThan(10);
    for (const [schema, value] of EXAMPLES) expect([schema, results(schema, value)]).toEqual([schema, [true, true]]);
    const compared = compare(results);
    expect(compared.filter(([, , old, now]) => old !== now)).toEqual([]);
    for (const allowed of [true, false])
      expect(compared.filter(([, , old]) => old === allowed).length).toBeGreaterThan(250);
  });

  test.each([
    ['null that is rejected', ',{"type":"null"}', ''],
    ['a property that may be missing', '"required":["id","key",', '"required":["id",'],
  ])('%s is found', (_, text, replacement) => {
    const written = JSON.stringify(rendered);
    expect(written).toContain(text);
    const compared = compare(resultsWith(JSON.parse(written.replaceAll(text, replacement)) as Document));
    expect(compared.filter(([, , old, now]) => old !== now)).not.toEqual([]);
  });
});

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** @returns a value and all that is in it. */
function parts(value: unknown): readonly unknown[] {
  return [value, ...(isObject(value) ? Object.values(value).flatMap(parts) : [])];
}

/** @returns copies of a value, each with another value in the place of one part, or as one more member. */
function withOther(value: unknown, other: unknown): readonly unknown[] {
  if (!isObject(value)) return [other];
  const copies = [...Object.keys(value), 'more'].flatMap((name) =>
    withOther(Reflect.get(value, name), other).map((part) => {
      const copy: object = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
      const key = Array.isArray(value) && name === 'more' ? value.length : name;
      if (part === undefined) Reflect.deleteProperty(copy, key);
      else Reflect.set(copy, key, part);
      return copy;
    }),
  );
  return [other ?? null, ...copies];
}
