/** The contract at run time: the parts of the document that the server reads. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { components } from '../generated/openapi.ts';
import type { OperationId, ProblemName, Schemas } from './types.ts';

/** A schema of the contract, with references resolved. The type has only the keywords that the server reads. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}
export interface Operation {
  readonly id: OperationId;
  /** The path in the contract, such as `/contacts/imports/{id}`. */
  readonly path: string;
  /** The path in Express's notation, such as `/contacts/imports/:id`. */
  readonly route: string;
  readonly parameters: readonly Parameter[];
  /** The responses by status: those that the operation declares, and the contract's `x-common`, with the headers of `x-common`. */
  readonly responses: ReadonlyMap<number, ResponseObject>;
}
export interface ResponseObject {
  readonly headers?: Readonly<Record<string, HeaderObject>>;
  readonly content?: { readonly 'application/json'?: MediaType };
  /** The error names of the status. */
  readonly 'x-problem-names'?: readonly ProblemName[];
}
/** A header. If its value depends on the error, it has an example for each error name. */
export interface HeaderObject {
  readonly schema: Schema;
  readonly required?: boolean;
  readonly example?: string | number;
  readonly examples?: Readonly<Record<string, { readonly value: string }>>;
}
export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Contract {
  /** The whole document, with references that are not resolved: as it is served. */
  readonly document: object;
  /** The version of the contract, `info.version`. */
  readonly version: string;
  readonly operations: readonly Operation[];
  readonly operation: (id: OperationId) => Operation;
  /** The HTTP status of every error name. */
  readonly problemStatus: Readonly<Record<ProblemName, number>>;
  readonly headers: Readonly<Record<keyof components['headers'], HeaderObject>>;
  /** The headers that every response has; optional ones if the server sends them. */
  readonly commonHeaders: Readonly<Record<string, HeaderObject>>;
  readonly schemas: Readonly<Record<keyof Schemas, Schema>>;
}

const require = createRequire(import.meta.url);

/** Thrown in a clone in which nothing is built. The message says what to run. */
export class NotBuilt extends Error {}

// The part of the dereferenced document that is read here.
interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, { readonly get?: OperationObject }>>;
  readonly components: Pick<Contract, 'headers' | 'schemas'>;
  readonly 'x-common': Common;
}
/** What no operation declares, because it applies to every path. */
interface Common {
  readonly headers: Contract['commonHeaders'];
  /** Those of responses with a body. */
  readonly bodyHeaders: Contract['commonHeaders'];
  readonly responses: OperationObject['responses'];
}
interface OperationObject {
  readonly operationId: OperationId;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/**
 * Reads a contract as JSON, which takes a thousandth of a second. `scripts/prepare.js` makes it of the YAML, which takes a hundred times as long.
 * @param name `openapi` for the contract, `control` for that of the control API.
 * @returns a new copy of it, with references that are not resolved.
 * @throws NotBuilt
 */
export function readDocument(name: 'openapi' | 'control'): object {
  try {
    // By name, because its relative path differs in a published package. The first call of `import.meta.resolve` takes five times as long.
    return JSON.parse(readFileSync(require.resolve(`#built/${name}.json`), 'utf8')) as object;
  } catch (cause) {
    throw new NotBuilt(`built/${name}.json cannot be read. In the clone of Rollcall, run: npm ci`, { cause });
  }
}

/**
 * @returns a new copy of the contract.
 * @throws Error if an error name has no status, or more than one. The linters check that the document is valid OpenAPI.
 */
export function loadContract(): Contract {
  // Read twice, which is faster than a `structuredClone`. The types are generated from the same file.
  const [document, resolved] = [readDocument('openapi'), dereference(readDocument('openapi'))];
  const { info, paths, components, 'x-common': common } = resolved as Document;

  const operations = Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined ? [] : [read(path, get, common)],
  );
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return {
    document,
    version: info.version,
    operations,
    operation: (id) => {
      const found = byId.get(id);
      if (found === undefined) throw new Error(`The contract has no operation ${id}.`);
      return found;
    },
    problemStatus: problemStatusOf(operations, components.schemas.ProblemName),
    headers: components.headers,
    commonHeaders: common.headers,
    schemas: components.schemas,
  };
}

function read(path: string, { operationId, parameters = [], responses }: OperationObject, common: Common): Operation {
  const withHeaders = (response: ResponseObject): ResponseObject => {
    const ofBody = response.content === undefined ? {} : common.bodyHeaders;
    return { ...response, headers: { ...common.headers, ...ofBody, ...response.headers } };
  };
  const all = Object.entries({ ...responses, ...common.responses });
  return {
    id: operationId,
    path,
    route: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    parameters,
    responses: new Map(all.map(([status, response]) => [Number(status), withHeaders(response)])),
  };
}

function problemStatusOf(operations: readonly Operation[], { enum: names = [] }: Schema): Contract['problemStatus'] {
  const found = new Map<string, number>();
  for (const [status, response] of operations.flatMap(({ responses }) => [...responses])) {
    for (const name of response['x-problem-names'] ?? []) {
      if ((found.get(name) ?? status) !== status) throw new Error(`The contract has two statuses for ${name}.`);
      found.set(name, status);
    }
  }
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`The contract has no status for these errors: ${missing.join(', ')}.`);
  return Object.fromEntries(found) as Contract['problemStatus']; // No name is missing.
}

// Libraries that resolve references also read files and URLs, and would make the start too slow. They are not resolved before: `/openapi.json`
// has them, and `recordRules` needs one object for each named schema, which JSON cannot express.

type Node = Readonly<Record<string, unknown>>;

/**
 * Replaces each reference with its target, in place: all references to one schema become one object.
 * @returns the document.
 * @throws Error if a reference has no target in the document, such as one to another file.
 */
export function dereference(document: object): object {
  const done = new Set<object>();
  const resolve = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return resolve(target(document, String(node.$ref)));
    if (done.has(node)) return node;
    done.add(node);
    for (const [name, value] of Object.entries(node)) Object.assign(node, { [name]: resolve(value) });
    return node;
  };
  resolve(document);
  return document;
}

/** @param reference such as `#/components/schemas/Id`. */
function target(document: object, reference: string): unknown {
  const [root, ...names] = reference.split('/');
  // If a node is a string or a number, the property is `undefined`.
  const found = names.reduce<unknown>((node, name) => (node as Node | undefined)?.[name], document);
  if (root !== '#' || found === undefined) throw new Error(`The contract has nothing at ${reference}.`);
  return found;
}
