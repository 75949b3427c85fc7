/** The contract as it is written, for what is said of every part of it. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { dereference } from '../../contract/document.ts';
import type { HeaderObject, MediaType, Parameter, ResponseObject, Schema } from '../../contract/document.ts';

export type Node = Readonly<Record<string, unknown>>;
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

interface Described {
  readonly description: string;
}
type Components<T> = Readonly<Record<string, T>>;
type Response = ResponseObject & Described & { readonly headers: Components<HeaderObject & Described> };
export interface Operation {
  readonly operationId: string;
  readonly parameters: readonly (Parameter & Described & { readonly schema: { readonly minLength?: number } })[];
  readonly responses: Components<Response>;
  readonly 'x-speakeasy-pagination'?: Node;
}
interface Document {
  readonly info: Described & { readonly version: string };
  readonly 'x-changelog': readonly {
    readonly version: string;
    readonly date: string;
    readonly changes: readonly string[];
  }[];
  readonly 'x-guide': readonly { readonly title: string; readonly text: string }[];
  readonly 'x-common': {
    readonly headers: Components<HeaderObject>;
    readonly bodyHeaders: Components<HeaderObject>;
    readonly responses: Components<Response>;
  };
  readonly paths: Components<{ readonly get: Operation }>;
  readonly components: {
    readonly schemas: Components<Schema>;
    readonly headers: Components<HeaderObject & Described>;
    readonly responses: Components<Response>;
    readonly securitySchemes: { readonly bearerKey: { readonly 'x-key-pattern': string } };
  };
}

export const contract = parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as object;
/** The contract with its references resolved. */
export const document = dereference(structuredClone(contract)) as Document; // Linted as OpenAPI.

/** Every object in the document as it is written, with the path to it. */
function* nodes(value: unknown, path = ''): Generator<readonly [string, Node]> {
  if (!isNode(value)) return;
  yield [path, value];
  for (const [name, it] of Object.entries(value)) if (!/^examples?$/.test(name)) yield* nodes(it, `${path}/${name}`);
}
export const written = [...nodes(contract)];
export const dereferenced = [...nodes(document)];
export const guide = document['x-guide'].map(({ text }) => text).join('\n');
export const common = document['x-common'];
export const operations = Object.values(document.paths).map(({ get }) => get);
export const responses = operations.flatMap((operation) =>
  Object.entries(operation.responses).map(
    ([status, response]) => [operation.operationId, Number(status), response] as const,
  ),
);

/** The values of `example` and `examples`. */
export function examplesOf(node: Pick<MediaType, 'example' | 'examples'> = {}): readonly unknown[] {
  const many = Object.values(node.examples ?? {}).map(({ value }) => value);
  return 'example' in node ? [node.example, ...many] : many;
}
