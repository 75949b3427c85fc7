/** The contract at run time: `openapi.yaml`, read once, as the few facts the server needs of it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import $RefParser from '@apidevtools/json-schema-ref-parser';
import { parse } from 'yaml';
import type { components } from '../generated/openapi.ts';
import type { OperationId, ProblemName, Schemas } from './contract.ts';

/** A schema of the contract, references resolved. Only what the server looks at. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly schema: Schema;
}
export interface Operation {
  readonly id: OperationId;
  /** The path in Express's notation, such as `/contacts/imports/:id`. */
  readonly route: string;
  readonly parameters: readonly Parameter[];
  /** What it may answer, by status. */
  readonly responses: ReadonlyMap<number, ResponseObject>;
}
export interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly schema: Schema; readonly required?: boolean }>>;
  readonly content?: { readonly 'application/json'?: MediaType };
}
export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Spec {
  /** The file's own text. */
  readonly text: string;
  /** The whole document as it was read, for the request validator. */
  readonly document: object;
  readonly operations: readonly Operation[];
  /** The HTTP status of every error name, from the examples of the error responses. */
  readonly problemStatus: Readonly<Record<ProblemName, number>>;
  /** The headers that always have one and the same value in answers of a status, by that status. */
  readonly fixedHeaders: ReadonlyMap<number, Readonly<Record<string, string>>>;
  readonly headers: Readonly<Record<keyof components['headers'], { readonly schema: Schema }>>;
  readonly schemas: Readonly<Record<keyof Schemas, Schema>>;
}

// The shape of the dereferenced document, as far as it is read here.
interface Document {
  readonly paths: Readonly<Record<string, { readonly get?: OperationObject }>>;
  readonly components: Pick<Spec, 'headers' | 'schemas'>;
}
interface OperationObject {
  readonly operationId: OperationId;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}
/**
 * Reads the contract.
 * @throws Error if it lacks what the server needs of it. That it is sound OpenAPI is the validator's to say.
 */
export async function loadSpec(): Promise<Spec> {
  // By name, because the place of this file relative to the contract differs in a published package.
  const text = await readFile(fileURLToPath(import.meta.resolve('#openapi')), 'utf8');
  const document = parse(text) as object; // An OpenAPI document is an object; the validator checks the rest.
  // The file is ours, and the types are generated from it: what TypeScript believes of it holds.
  const { paths, components } = (await $RefParser.dereference(structuredClone(document))) as unknown as Document;

  const operations: Operation[] = [];
  const responses: (readonly [status: number, response: ResponseObject])[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined) continue;
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1');
    const declared = Object.entries(get.responses).map(([status, it]) => [Number(status), it] as const);
    operations.push({ id: get.operationId, route, parameters: get.parameters ?? [], responses: new Map(declared) });
    responses.push(...declared);
  }
  return {
    text,
    document,
    operations,
    problemStatus: problemStatus(responses, components.schemas),
    fixedHeaders: new Map(responses.map(([status, response]) => [status, fixedHeaders(response)])),
    headers: components.headers,
    schemas: components.schemas,
  };
}

function problemStatus(
  responses: readonly (readonly [number, ResponseObject])[],
  schemas: Spec['schemas'],
): Spec['problemStatus'] {
  const found = new Map<string, number>();
  for (const [status, { content }] of responses) {
    const media = content?.['application/json'];
    if (media?.schema !== schemas.Problem) continue;
    const examples = Object.values(media.examples ?? {}).map(({ value }) => value);
    for (const example of [media.example, ...examples]) {
      if (isProblemExample(example)) found.set(example.name, status);
    }
  }
  const missing = schemas.ProblemName.enum?.filter((name) => !found.has(name)) ?? [];
  if (missing.length > 0) throw new Error(`The contract has no example of these errors: ${missing.join(', ')}.`);
  return Object.fromEntries(found) as Spec['problemStatus']; // No name is missing.
}

function isProblemExample(example: unknown): example is { name: string } {
  return typeof example === 'object' && example !== null && 'name' in example && typeof example.name === 'string';
}

function fixedHeaders({ headers = {} }: ResponseObject): Record<string, string> {
  const fixed: Record<string, string> = {};
  for (const [name, { schema }] of Object.entries(headers)) {
    const [value, ...others] = schema.enum ?? [];
    if (value !== undefined && others.length === 0) fixed[name] = value;
  }
  return fixed;
}
