/** Holds answers against the contract: status, headers and body must be the declared ones, and no other. */
import { expect } from '@jest/globals';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import type { OperationId } from '../../server/contract/types.ts';
import { undeclared } from '../../server/conform/declared.ts';
import { contract } from './app.ts';

interface DeclaredResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: { readonly 'application/json': object };
}
interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly get: { readonly operationId: OperationId; readonly responses: Record<string, DeclaredResponse> } }
    >
  >;
}

/** The contract with its references resolved. */
export const document = (await $RefParser.dereference(structuredClone(contract.document))) as unknown as Document;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Asserts that the contract declares this answer of an operation, to the letter. */
export function expectDeclared(id: OperationId, { status, headers, text }: Answer): void {
  const operation = contract.operations.find((it) => it.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  const answer = { status, headers: new Map(Object.entries(headers)), text };
  expect({ id, status, text, violations: undeclared(operation, answer) }).toEqual({ id, status, text, violations: [] });
  // Stricter than the contract: what is optional in it is for servers that limit rates, which no test asks for.
  const optional = Object.entries(operation.responses.get(status)?.headers ?? {}).filter(
    ([, it]) => it.required !== true,
  );
  for (const [name] of optional) expect(headers).not.toHaveProperty(name.toLowerCase());
  // And the parameters of the media type, which it leaves open.
  if (text !== '') expect(headers['content-type']).toBe('application/json');
}
