/**
 * Values against schemas of the contract: what is wrong, said so that their owner can mend it; and of what records are
 * checked against, a fingerprint that tells whether they must be checked again.
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
  /** Where in the value, as a JSON pointer; `record` for the whole of it. */
  readonly where: string;
  /** What is wrong, and what is allowed. */
  readonly what: string;
}

// A hostile value can have more places than anybody reads, and names of any length.
const MAX_VIOLATIONS = 20;
const MAX_NAME_LENGTH = 100;

function createAjv(useDefaults: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    messages: false, // They do not say what is allowed.
    verbose: true,
    strict: true,
    useDefaults,
    formats: { int32: true, double: true }, // Widths for generated code: `minimum` and `maximum` say as much.
  });
  ajv.addVocabulary(['example']); // OpenAPI's own annotation.
  return ajv;
}
const ajv = createAjv(false);

/**
 * @param fillDefaults whether to give a value, in place, the properties it lacks and the schema has a default for.
 * @returns what says the first 20 places at which a value is wrong, each once. The value may have no property that the
 *   schema does not document.
 */
export function compile(schema: Schema, fillDefaults = false): (value: unknown) => readonly Violation[] {
  const validate = (fillDefaults ? createAjv(true) : ajv).compile(closed(schema) as Schema); // A copy of it, with more in it.
  return (value) => (validate(value) ? [] : describe(validate.errors ?? []));
}

/** @returns the same as `compile`, but the value may have more properties than are documented, as an answer may. */
export function compileOpen(schema: Schema): (value: unknown) => readonly Violation[] {
  const validate = ajv.compile(structuredClone(schema)); // Ajv remembers schemas by identity.
  return (value) => (validate(value) ? [] : describe(validate.errors ?? []));
}

/**
 * @returns a schema without room for undocumented properties. The contract itself leaves that room, so that a client made
 *   from it survives a property that a minor version adds.
 */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, it]) => [name, closed(it)]));
  return 'properties' in copy ? { ...copy, additionalProperties: false } : copy;
}

function describe(errors: readonly ErrorObject[]): readonly Violation[] {
  // The branches of a choice fail one by one, before the choice itself does.
  const whole = errors.filter(({ schemaPath }) => !/\/oneOf\/\d+\//.test(schemaPath));
  return distinct(whole.map((it) => ({ where: where(it), what: what(it) })));
}

/** @returns the first violation of each place, 20 at most. */
export function distinct(violations: readonly Violation[]): readonly Violation[] {
  const places = new Map<string, Violation>();
  for (const it of violations) if (!places.has(it.where)) places.set(it.where, it);
  return [...places.values()].slice(0, MAX_VIOLATIONS);
}

function where({ instancePath, params }: ErrorObject): string {
  const names: Readonly<Record<string, unknown>> = params;
  const property = names['missingProperty'] ?? names['additionalProperty'];
  if (typeof property === 'string') return `${instancePath}${pointer([property])}`;
  return instancePath === '' ? pointer([]) : instancePath;
}

/** @returns the JSON pointer of names and indices, outermost first; names that are too long to read are cut. */
export function pointer(path: readonly string[]): string {
  const parts = path.map((name) => {
    const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
    return `/${short.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  });
  return parts.length === 0 ? 'record' : parts.join('');
}

function what({ keyword, parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is missing';
  if (keyword === 'additionalProperties') return 'is not a property of the contract';
  return `must be ${allowed((parentSchema ?? {}) as Allowed)}`; // Made of the contract's schemas.
}

// Step it when what is not in the schema changes: a record rule, the check of a calendar date, the reading of an instant.
const RULES_VERSION = 1;

/** The fingerprint of each collection. */
export type Fingerprints = Readonly<Record<Collection, string>>;

/**
 * @returns the fingerprint of a collection: equal for two contracts that ask the same of its records, and file them by
 *   the same filter.
 */
export function fingerprintOf(contract: Contract, collection: Collection): string {
  const asked = [RULES_VERSION, filterOf(collection), demands(closed(recordSchemaOf(contract, collection)))];
  return hash('sha256', JSON.stringify(asked), 'base64url');
}

/** @returns the fingerprints of all collections. */
export function fingerprintsOf(contract: Contract): Fingerprints {
  const all = COLLECTIONS.map((it) => [it, fingerprintOf(contract, it)] as const);
  return Object.fromEntries(all) as Fingerprints; // One for each collection.
}

// What a schema says to people, and `default`, which only an upgrade reads: none of it makes a record right or wrong.
const WORDS = new Set(['title', 'description', 'example', 'externalDocs', 'deprecated', 'default']);

/** @returns a schema without its words, in an order that does not depend on how it is written. */
function demands(node: unknown): unknown {
  if (Array.isArray(node)) return sorted(node.map(demands)); // `required`, `enum` and choices are sets.
  if (typeof node !== 'object' || node === null) return node;
  const keywords = Object.entries(node).filter(([keyword]) => !WORDS.has(keyword) && !keyword.startsWith('x-'));
  return sorted(
    // The names of properties are not keywords: one may be called `title`.
    keywords.map(([keyword, value]) => [keyword, keyword === 'properties' ? demandsOfEach(value) : demands(value)]),
  );
}

const demandsOfEach = (properties: unknown): unknown =>
  sorted(Object.entries(Object(properties) as object).map(([name, schema]) => [name, demands(schema)]));

function sorted(values: readonly unknown[]): readonly unknown[] {
  const text = (value: unknown): string => JSON.stringify(value);
  return values.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
}
