/** Values against schemas of the contract: what is wrong, said so that their owner can mend it. */
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import { allowed } from './allowed.ts';
import type { Allowed } from './allowed.ts';
import type { Schema } from './document.ts';

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
export function closed(node: unknown): unknown {
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
