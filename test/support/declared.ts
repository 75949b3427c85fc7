/** Holds answers against the contract: status, headers and body must be the declared ones, and no other. */
import { expect } from '@jest/globals';
import type { OperationId } from '../../contract/types.ts';
import { undeclared } from './undeclared.ts';
import { contract } from './app.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

// HTTP's own: how the body is framed and what it is, which OpenAPI has no headers for, and the connection.
const OF_HTTP = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'];

/**
 * Asserts that the contract declares this answer of an operation, to the letter.
 * @param hasOptions whether the server limits rates and allows the origin of the request: only then may it say so.
 */
export function expectDeclared(id: OperationId, { status, headers, text }: Answer, hasOptions = false): void {
  const operation = contract.operations.find((it) => it.id === id);
  if (operation === undefined) throw new Error(`There is no operation ${id}.`);
  const response = { status, headers: new Map(Object.entries(headers)), text };
  expect({ id, status, text, violations: undeclared(operation, response) }).toEqual({
    id,
    status,
    text,
    violations: [],
  });
  // Stricter than the contract: no other header, and of the optional ones all or those with one value alone.
  const declared = Object.entries(operation.responses.get(status)?.headers ?? {})
    .filter(([, { required, schema }]) => hasOptions || required === true || schema.enum?.length === 1)
    .map(([name]) => name.toLowerCase());
  const sent = Object.keys(headers).filter((it) => !OF_HTTP.includes(it));
  expect({ id, status, sent: sent.toSorted() }).toEqual({ id, status, sent: declared.toSorted() });
  // And the parameters of the media type, which it leaves open.
  if (text !== '') expect(headers['content-type']).toBe('application/json');
}
