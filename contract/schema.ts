/**
 * Validates values against schemas of the contract. Each violation has its position, and the values that the contract allows there.
 * Hashes the schema of each collection, so that a store knows when its records must be validated again.
 */
import { hash } from 'node:crypto';
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import { COLLECTIONS, filterOf, recordSchemaOf } from './collections.ts';
import type { Collection } from './collections.ts';
import type { Contract, Schema } from './document.ts';
import { allowed } from './wording.ts';
import type { Allowed } from './wording.ts';

export interface Violation {
  /** The position in the value as a JSON pointer; `record` for the whole value. */
  readonly where: string;
  /** The error, with the allowed values. */
  readonly what: string;
}

// A hostile value can have any number of violations, and names of any length.
const MAX_VIOLATIONS = 20;
const MAX_NAME_LENGTH = 100;

function createAjv(useDefaults: boolean, allErrors = true): Ajv {
  const ajv = new Ajv({
    allErrors,
    messages: false, // Ajv's messages do not say what is allowed.
    verbose: true,
    strict: true,
    useDefaults,
    formats: { int32: true, int64: true, double: true, uuid: true }, // Formats are for code generators. `minimum`, `maximum` and `pattern` already set the same limits.
  });
  ajv.addVocabulary(['example']); // OpenAPI's own annotation.
  return ajv;
}
let shared: Ajv | undefined;
const ajv = (): Ajv => (shared ??= createAjv(false)); // A server that only hashes schemas needs none.

/**
 * @param fillDefaults whether to add missing properties that have a default in the schema to the value, in place.
 * @returns a function that returns the first 20 violations of a value, one for each position. A property that the schema
 *   does not document is a violation.
 */
export function compile(schema: Schema, fillDefaults = false): (value: unknown) => readonly Violation[] {
  const validate = (fillDefaults ? createAjv(true) : ajv()).compile(closed(schema) as Schema); // `closed` copies the schema.
  return (value) => (validate(value) ? [] : describe(validate.errors ?? []));
}

/** @returns the same as `compile`, but the value may have undocumented properties, which are allowed in a response. */
export function compileOpen(schema: Schema): (value: unknown) => readonly Violation[] {
  const validate = ajv().compile(structuredClone(schema)); // Ajv caches schemas by identity.
  return (value) => (validate(value) ? [] : describe(validate.errors ?? []));
}

/**
 * @returns a function that returns the first violation of a value, however many it has. The schema itself says where there may be
 *   undocumented properties.
 */
export function compileFirst(schema: Schema): (value: unknown) => Violation | undefined {
  const validate = createAjv(false, false).compile(schema);
  return (value) => {
    const [error] = validate(value) ? [] : (validate.errors ?? []);
    if (error === undefined) return undefined;
    const known = Object.keys((error.parentSchema as Schema | undefined)?.properties ?? {});
    const isUnknown = error.keyword === 'additionalProperties';
    return {
      where: where(error),
      what: isUnknown ? `is an unknown property; allowed properties: ${known.join(', ')}` : what(error),
    };
  };
}

/**
 * @returns a copy of a schema that rejects undocumented properties. The contract itself allows them, so that generated
 *   clients survive a property that a minor version adds.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, child]) => [name, closed(child)]));
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}

function describe(errors: readonly ErrorObject[]): readonly Violation[] {
  // Ajv reports each branch of a `oneOf` before the `oneOf` itself.
  const whole = errors.filter(({ schemaPath }) => !/\/oneOf\/\d+\//.test(schemaPath));
  return distinct(whole.map((violation) => ({ where: where(violation), what: what(violation) })));
}

/** @returns the first violation of each position, 20 at most. */
export function distinct(violations: readonly Violation[]): readonly Violation[] {
  const byPosition = new Map<string, Violation>();
  for (const violation of violations) if (!byPosition.has(violation.where)) byPosition.set(violation.where, violation);
  return [...byPosition.values()].slice(0, MAX_VIOLATIONS);
}

function where({ instancePath, params }: ErrorObject): string {
  const names: Readonly<Record<string, unknown>> = params;
  const property = names['missingProperty'] ?? names['additionalProperty'];
  if (typeof property === 'string') return `${instancePath}${pointer([property])}`;
  return instancePath === '' ? pointer([]) : instancePath;
}

/** @returns the JSON pointer of names and indices, outermost first. Names of more than 100 characters are truncated. */
export function pointer(path: readonly string[]): string {
  const parts = path.map((name) => {
    const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
    return `/${short.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  });
  return parts.length === 0 ? 'record' : parts.join('');
}

function what({ keyword, parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is an unknown property';
  return mustBe((parentSchema ?? {}) as Allowed); // Ajv returns the schema that it was given.
}

/** @returns what a violation of a schema says about its value. */
export const mustBe = (schema: Allowed): string => `must be ${allowed(schema)}`;

// Increment it when validation changes outside the schema: a record rule, the check of a calendar date, the parsing of an instant.
const RULES_VERSION = 2;

/** The schema hash of each collection. */
export type SchemaHashes = Readonly<Record<Collection, string>>;

/**
 * @returns the schema hash of a collection: equal for two contracts that accept the same records and have the same
 *   filter.
 */
export function schemaHash(contract: Contract, collection: Collection): string {
  const constraints = constraintsOf(closed(recordSchemaOf(contract, collection)));
  return hash('sha256', JSON.stringify([RULES_VERSION, filterOf(collection), constraints]), 'base64url');
}

/** @returns the schema hashes of all collections. */
export function schemaHashes(contract: Contract): SchemaHashes {
  const all = COLLECTIONS.map((collection) => [collection, schemaHash(contract, collection)] as const);
  return Object.fromEntries(all) as SchemaHashes; // One for each collection.
}

// Keywords that do not constrain a record: documentation, and `default`, which only an upgrade reads.
const ANNOTATIONS = new Set(['title', 'description', 'example', 'externalDocs', 'deprecated', 'default']);

/** @returns a schema without its annotations, in an order that does not depend on the order in the contract. */
function constraintsOf(node: unknown): unknown {
  if (Array.isArray(node)) return sorted(node.map(constraintsOf)); // `required`, `enum` and `oneOf` are sets.
  if (typeof node !== 'object' || node === null) return node;
  const keywords = Object.entries(node).filter(([keyword]) => !ANNOTATIONS.has(keyword) && !keyword.startsWith('x-'));
  return sorted(
    // The names of properties are not keywords: a property may be called `title`.
    keywords.map(([keyword, value]) => [
      keyword,
      keyword === 'properties' ? constraintsOfEach(value) : constraintsOf(value),
    ]),
  );
}

const constraintsOfEach = (properties: unknown): unknown =>
  sorted(Object.entries(Object(properties) as object).map(([name, schema]) => [name, constraintsOf(schema)]));

function sorted(values: readonly unknown[]): readonly unknown[] {
  const text = (value: unknown): string => JSON.stringify(value);
  return values.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
