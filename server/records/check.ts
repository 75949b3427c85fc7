/** Checks records against the contract when they are loaded, so that nothing has to be checked when they are read. */
import { compile } from '../contract/schema.ts';
import type { Violation } from '../contract/schema.ts';
import type { Schema, Contract } from '../contract/document.ts';
import { COLLECTIONS, filterOf, recordSchemaOf } from '../contract/collections.ts';
import type { Collection } from '../contract/collections.ts';
import type { CheckedRecord } from '../store/store.ts';
import { toMicroseconds } from '../contract/timestamp.ts';

export type Checked =
  | { readonly record: CheckedRecord; readonly violations?: undefined }
  | { readonly record?: undefined; readonly violations: readonly Violation[] };

/** @returns what is to be stored of a parsed record, or everything that is wrong with it. */
export type Check = (value: unknown) => Checked;

/**
 * @param fillDefaults whether to give records, in place, what they lack and the contract has a default for.
 * @returns the check of each collection's records. They may have no property that the contract does not document.
 */
export function createChecks(contract: Contract, fillDefaults = false): Readonly<Record<Collection, Check>> {
  // Told by identity: dereferencing leaves one object for each named schema.
  const timestamps = new Set([contract.schemas.Timestamp, contract.schemas.CompletionTimestamp]);
  const checks = COLLECTIONS.map(
    (it) => [it, checkWith(recordSchemaOf(contract, it), timestamps, filterOf(it), fillDefaults)] as const,
  );
  return Object.fromEntries(checks) as Record<Collection, Check>; // One for each collection.
}

type Properties = Readonly<Record<string, unknown>>;

function checkWith(
  schema: Schema,
  timestamps: ReadonlySet<Schema>,
  filter: string | undefined,
  fillDefaults: boolean,
): Check {
  const violationsOf = compile(schema, fillDefaults);
  const dates = Object.entries(schema.properties ?? {})
    .filter(([, it]) => timestamps.has(it))
    .map(([name]) => name);

  return (value) => {
    const candidate = withLowerCaseId(value);
    const violations = violationsOf(candidate);
    if (violations.length > 0) return { violations };

    const record = inOrder(candidate, schema) as Properties; // An object, or it would not be valid.
    const impossible = dates.filter((name) => {
      const text = record[name];
      return typeof text === 'string' && toMicroseconds(text) === undefined;
    });
    const { id, created_at: createdAt } = record;
    const createdUs = toMicroseconds(String(createdAt));
    if (impossible.length > 0 || createdUs === undefined) {
      return { violations: impossible.map((name) => ({ where: `/${name}`, what: 'is no date of the calendar' })) };
    }
    return {
      record: {
        id: String(id),
        createdUs,
        filter: filter === undefined ? null : String(record[filter]),
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
