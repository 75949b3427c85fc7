/** Holds answers against the contract: status, headers and body must be the declared ones, and no other. */
import { expect } from '@jest/globals';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { OperationId } from '../../server/contract.ts';
import { spec } from './app.ts';

interface DeclaredResponse {
  readonly headers: Readonly<
    Record<string, { readonly required: boolean; readonly schema: { readonly type: string } }>
  >;
  readonly content?: { readonly 'application/json': { readonly schema: object } };
}
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly operationId: OperationId; readonly responses: Record<string, DeclaredResponse> } }
    >
  >;
}

/** The contract with its references resolved, and nothing allowed that it does not document. */
export const document = (await $RefParser.dereference(structuredClone(spec.document))) as unknown as Document;

const ajv = new Ajv({ strict: true, allErrors: true, formats: { int32: true, double: true } });
formats.default(ajv, ['uuid']);
ajv.addVocabulary(['example']);

/** @returns what a schema of the contract says of a value that has no undocumented property; `[]` if it fits. */
export function faults(schema: object, value: unknown): readonly string[] {
  const validate = validatorOf(schema);
  return validate(value) ? [] : (validate.errors ?? []).map((it) => `${it.instancePath}: ${it.message ?? ''}`);
}

const validators = new Map<object, ValidateFunction>();
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema) ?? ajv.compile(closed(schema) as object);
  validators.set(schema, known);
  return known;
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, it]) => [name, closed(it)]));
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Asserts that the contract declares this answer of an operation, to the letter. */
export function expectDeclared(id: OperationId, { status, headers, text }: Answer): void {
  const operation = Object.values(document.paths).find(({ get }) => get.operationId === id)?.get;
  const response = operation?.responses[String(status)];
  if (response === undefined) throw new Error(`${id} declares no ${String(status)}: ${text}`);

  for (const [name, { schema, required }] of Object.entries(response.headers)) {
    const value = headers[name.toLowerCase()];
    expect({ name, isThere: value !== undefined }).toEqual({ name, isThere: required });
    expect({ name, faults: faults(schema, schema.type === 'integer' ? Number(value) : value) }).toEqual({
      name,
      faults: [],
    });
  }
  if (response.content === undefined) {
    expect(text).toBe('');
    expect(headers).not.toHaveProperty('content-type');
    return;
  }
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const body: unknown = JSON.parse(text);
  expect(faults(response.content['application/json'].schema, body)).toEqual([]);
  if (status >= 400) expect(body).toMatchObject({ statusCode: status });
}
