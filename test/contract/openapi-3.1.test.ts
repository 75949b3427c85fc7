/** The contract as OpenAPI 3.1 allows what the contract allows, no more and no less. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from '../support/fast-check.ts';
import { parse } from 'yaml';
import openapiTS, { astToString } from 'openapi-typescript';
import { renderAs31 } from '../../scripts/openapi-3.1.ts';

type Node = Readonly<Record<string, unknown>>;
interface Body {
  readonly schema: { readonly $ref: string };
  readonly example?: unknown;
}
interface Document extends Node {
  readonly components: {
    readonly schemas: Readonly<Record<string, Node>>;
    readonly responses: Readonly<Record<string, { readonly content?: { readonly 'application/json': Body } }>>;
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

test('has no index signature when it is TypeScript: a misspelled property would compile', async () => {
  const types = astToString(await openapiTS(JSON.stringify(rendered)));
  expect(types).toContain('has_more: boolean;');
  expect(types).not.toContain('[key: string]');
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
  const resultsWith = (other: Document): Results => {
    const in30 = new Ajv(options).addSchema(contract, 'contract');
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
    ...Object.values(contract.components.responses).map(({ content }) => {
      const { schema, example } = content?.['application/json'] ?? { schema: { $ref: '' } };
      return [schema.$ref.split('/').at(-1) ?? '', example] as const;
    }),
  ].filter(([, example]) => example !== undefined);

  /** What stands in the place of a part; `undefined` for nothing. */
  const other = fc.oneof(
    fc.constantFrom(undefined, null, '', 0, -1, 12.5, 2 ** 31, 2 ** 60, true, [], {}, 'x'.repeat(10_001)),
    fc.constantFrom(...EXAMPLES.flatMap(([, value]) => parts(value))),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const mutated = fc
    .tuple(fc.constantFrom(...EXAMPLES), fc.array(fc.nat(7), { maxLength: 5 }), other)
    .map(([[schema, value], path, it]) => [schema, mutate(value, path, it)] as const);

  test('examples, and whatever becomes of them', () => {
    const results = resultsWith(rendered);
    expect(EXAMPLES.length).toBeGreaterThan(10);
    for (const [schema, value] of EXAMPLES) expect([schema, results(schema, value)]).toEqual([schema, [true, true]]);
    const seen = { true: 0, false: 0 };
    fc.assert(
      fc.property(mutated, ([schema, value]) => {
        const [old, now] = results(schema, value);
        expect(now).toBe(old);
        seen[old ? 'true' : 'false'] += 1;
      }),
      { numRuns: 5000 },
    );
    expect(Math.min(seen.true, seen.false)).toBeGreaterThan(250);
  });

  test.each([
    ['null that is rejected', ',{"type":"null"}', ''],
    ['a property that may be missing', '"required":["id","key",', '"required":["id",'],
  ])('%s is found', (_, text, replacement) => {
    const written = JSON.stringify(rendered);
    expect(written).toContain(text);
    const results = resultsWith(JSON.parse(written.replaceAll(text, replacement)) as Document);
    const { failed, errorInstance } = fc.check(
      fc.property(mutated, ([schema, value]) => {
        const [old, now] = results(schema, value);
        return old === now;
      }),
      { numRuns: 50_000, seed: 1 }, // A seed of chance can miss the rarest of them.
    );
    expect({ failed, message: (errorInstance as Error | null)?.message }).toEqual({
      failed: true,
      message: 'Property failed by returning false',
    });
  });
});

/** @returns a value and all that is in it. */
function parts(value: unknown): readonly unknown[] {
  return [value, ...(typeof value === 'object' && value !== null ? Object.values(value).flatMap(parts) : [])];
}

/** @returns a copy with another part at the end of a path, each step of which takes one of the parts there are, or adds one. */
function mutate(value: unknown, [step, ...path]: readonly number[], other: unknown): unknown {
  if (step === undefined || typeof value !== 'object' || value === null) return other ?? null;
  const names = [...Object.keys(value), 'more'];
  const name = names[step % names.length] ?? '';
  if (Array.isArray(value) && name === 'more') return Array<unknown>(101).fill(value[0]);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...(value as unknown[])] : { ...value };
  const part = mutate(Reflect.get(copy, name), path, other);
  if (path.length === 0 && other === undefined) Reflect.deleteProperty(copy, name);
  else Reflect.set(copy, name, part);
  return JSON.parse(JSON.stringify(copy));
}
