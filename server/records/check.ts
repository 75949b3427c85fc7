/** Checks records against the contract when they are loaded, so that nothing has to be checked when they are read. */
import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Schema, Spec } from '../spec.ts';
import type { CheckedRecord, Collection } from '../store/store.ts';
import { RECORD_SCHEMAS } from './collections.ts';
import { describe } from './faults.ts';
import type { Fault } from './faults.ts';
import { toMicroseconds } from './timestamp.ts';

export type Checked =
  | { readonly record: CheckedRecord; readonly faults?: undefined }
  | { readonly record?: undefined; readonly faults: readonly Fault[] };

/** @returns what is to be stored of a parsed record, or everything that is wrong with it. */
export type Check = (value: unknown) => Checked;

// Widths for generated code: `type`, `minimum` and `maximum` say as much.
const NUMERIC_FORMATS = { int32: true, double: true } as const;

/** @returns the check of each collection's records. They may have no property that the contract does not document. */
export function createChecks({ schemas }: Spec): Readonly<Record<Collection, Check>> {
  const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, formats: NUMERIC_FORMATS });
  formats.default(ajv, ['uuid']);
  ajv.addVocabulary(['example']); // OpenAPI's own annotation.

  // Told by identity: dereferencing leaves one object for each named schema.
  const timestamps = new Set([schemas.Timestamp, schemas.CompletionTimestamp]);
  const check = (collection: Collection): Check => {
    const schema = schemas[RECORD_SCHEMAS[collection]];
    return checkWith(ajv.compile(closed(schema)), schema, timestamps);
  };
  return {
    automations: check('automations'),
    contactProperties: check('contactProperties'),
    contactImports: check('contactImports'),
  };
}

/**
 * The schema without room for undocumented properties. The contract itself leaves that room, so that a client made from
 * it survives a property that a minor version adds.
 */
function closed(schema: Schema): Schema {
  if (schema.properties === undefined) return schema;
  const properties = Object.entries(schema.properties).map(([name, it]) => [name, closed(it)] as const);
  return { ...schema, properties: Object.fromEntries(properties), additionalProperties: false };
}

type Properties = Readonly<Record<string, unknown>>;

function checkWith(validate: ValidateFunction, schema: Schema, timestamps: ReadonlySet<Schema>): Check {
  const dates = Object.entries(schema.properties ?? {})
    .filter(([, it]) => timestamps.has(it))
    .map(([name]) => name);

  return (value) => {
    const candidate = withLowerCaseId(value);
    if (!validate(candidate)) return { faults: describe(validate.errors ?? []) };

    const record = inOrder(candidate, schema) as Properties; // An object, or it would not be valid.
    const impossible = dates.filter((name) => {
      const text = record[name];
      return typeof text === 'string' && toMicroseconds(text) === undefined;
    });
    const { id, created_at: createdAt, status } = record;
    const createdUs = toMicroseconds(String(createdAt));
    if (impossible.length > 0 || createdUs === undefined) {
      return { faults: impossible.map((name) => ({ where: `/${name}`, what: 'is no date of the calendar' })) };
    }
    return {
      record: {
        id: String(id),
        createdUs,
        status: typeof status === 'string' ? status : null,
        json: JSON.stringify(record),
      },
    };
  };
}

// Ids may come in upper case; they are stored, compared and answered in lower case.
function withLowerCaseId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') return value;
  return { ...value, id: value.id.toLowerCase() };
}

/** The value with its properties in the contract's order, so that equal records are equal texts. */
function inOrder(value: unknown, { properties }: Schema): unknown {
  if (properties === undefined) return value;
  const object = value as Properties; // Its schema has properties, and it is valid.
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, inOrder(object[name], schema)]));
}
