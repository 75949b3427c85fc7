/** The contract as it is written, for what is said of every part of it. */
import { readFileSync } from 'node:fs';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';

export type Node = Readonly<Record<string, unknown>>;
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

export interface Schema extends Node {
  readonly description?: string;
}
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface Header {
  readonly description: string;
  readonly required: boolean;
  readonly examples?: Node;
}
export interface Body {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Header>>;
  readonly content?: { readonly 'application/json': Body };
  readonly 'x-problem-names'?: readonly string[];
}
export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-speakeasy-pagination'?: {
    readonly type: string;
    readonly inputs: readonly { readonly name: string; readonly in: string; readonly type: string }[];
    readonly outputs: { readonly nextCursor: string; readonly results: string };
  };
}
export interface Document {
  readonly info: { readonly description: string };
  readonly 'x-guide': readonly { readonly title: string; readonly text: string }[];
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: { readonly bearerKey: { readonly 'x-key-pattern': string } };
  };
}

export const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as object;
/** The contract with its references resolved. */
export const document = (await $RefParser.dereference(structuredClone(contract))) as unknown as Document; // Linted as OpenAPI.

/** Every object in the document as it is written, with the path to it. */
function* nodes(value: unknown, path = ''): Generator<readonly [string, Node]> {
  if (!isNode(value)) return;
  yield [path, value];
  for (const [name, it] of Object.entries(value)) if (!/^examples?$/.test(name)) yield* nodes(it, `${path}/${name}`);
}
export const written = [...nodes(contract)];
export const dereferenced = [...nodes(document)];
export const guide = document['x-guide'].map(({ text }) => text).join('\n');
export const operations = Object.values(document.paths).map(({ get }) => get);
export const responses = operations.flatMap((operation) =>
  Object.entries(operation.responses).map(
    ([status, response]) => [operation.operationId, Number(status), response] as const,
  ),
);

/** The values of `example` and `examples`. */
export function examplesOf(node: Body): readonly unknown[] {
  const many = Object.values(node.examples ?? {}).map(({ value }) => value);
  return 'example' in node ? [node.example, ...many] : many;
}
