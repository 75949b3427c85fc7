/** Checks records against the contract when they are loaded, so that nothing has to be checked when they are read. */
import { compile } from '../schema.ts';
import type { Fault } from '../schema.ts';
import type { Schema, Spec } from '../spec.ts';
import type { CheckedRecord, Collection } from '../store/store.ts';
import { RECORD_SCHEMAS } from './collections.ts';
import { toMicroseconds } from './timestamp.ts';

export type Checked =
  | { readonly record: CheckedRecord; readonly faults?: undefined }
  | { readonly record?: undefined; readonly faults: readonly Fault[] };

/** @returns what is to be stored of a parsed record, or everything that is wrong with it. */
export type Check = (value: unknown) => Checked;

/** @returns the check of each collection's records. They may have no property that the contract does not document. */
export function createChecks({ schemas }: Spec): Readonly<Record<Collection, Check>> {
  // Told by identity: dereferencing leaves one object for each named schema.
  const timestamps = new Set([schemas.Timestamp, schemas.CompletionTimestamp]);
  const check = (collection: Collection): Check => checkWith(schemas[RECORD_SCHEMAS[collection]], timestamps);
  return {
    automations: check('automations'),
    contactProperties: check('contactProperties'),
    contactImports: check('contactImports'),
  };
}

type Properties = Readonly<Record<string, unknown>>;

function checkWith(schema: Schema, timestamps: ReadonlySet<Schema>): Check {
  const faultsOf = compile(schema);
  const dates = Object.entries(schema.properties ?? {})
    .filter(([, it]) => timestamps.has(it))
    .map(([name]) => name);

  return (value) => {
    const candidate = withLowerCaseId(value);
    const faults = faultsOf(candidate);
    if (faults.length > 0) return { faults };

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
