/** Validates records against the contract when they are imported, so that reads validate nothing. */
import { compile, pointer } from '../contract/schema.ts';
import type { Violation } from '../contract/schema.ts';
import type { Schema, Contract } from '../contract/document.ts';
import { COLLECTIONS, filterOf, recordSchemaOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { recordRules } from '../contract/record-rules.ts';
import type { CheckedRecord } from '../server/store/store.ts';
import { toMicroseconds } from '../contract/timestamp.ts';

export type CheckResult =
  | { readonly record: CheckedRecord; readonly violations?: undefined }
  | { readonly record?: undefined; readonly violations: readonly Violation[] };

/** @returns the record to store, or all violations of a parsed record. */
export type Check = (value: unknown) => CheckResult;

/**
 * @param fillDefaults whether to add, in place, missing properties that have a default in the contract.
 * @returns the check of each collection's records. A property that the contract does not document is a violation.
 */
export function createChecks(contract: Contract, fillDefaults = false): Readonly<Record<Collection, Check>> {
  const checks = COLLECTIONS.map(
    (collection) => [collection, createCheck(contract, collection, fillDefaults)] as const,
  );
  return Object.fromEntries(checks) as Record<Collection, Check>; // One for each collection.
}

/** Checks the text of a stored record, which a disk may have altered. */
export function checkText(check: Check, text: string): CheckResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { violations: [{ where: 'record', what: 'is not JSON' }] };
  }
  return check(value);
}

type Properties = Readonly<Record<string, unknown>>;

function createCheck(contract: Contract, collection: Collection, fillDefaults: boolean): Check {
  const schema = recordSchemaOf(contract, collection);
  const violationsOf = compile(schema, fillDefaults);
  const ruleViolationsOf = recordRules(contract, collection);
  const ordered = orderOf(schema);
  const filter = filterOf(collection);

  return (value) => {
    const candidate = withLowerCaseId(value);
    const violations = violationsOf(candidate);
    if (violations.length > 0) return { violations };
    const valid = candidate as Resources[Collection]; // It is valid by its schema.
    const broken = ruleViolationsOf(valid);
    if (broken.length > 0) return { violations: broken };
    if (hasNegativeZero(valid)) return { violations: negativeZeros(valid) };

    const createdUs = toMicroseconds(valid.created_at);
    if (createdUs === undefined) throw new Error('A record with an impossible date passed the record rules.');
    return {
      record: {
        id: valid.id,
        createdUs,
        filter: filter === undefined ? null : String((valid as Properties)[filter]),
        json: JSON.stringify(ordered(valid)),
      },
    };
  };
}

/** @returns whether a value has a -0: JSON text can express it, but `JSON.stringify` writes 0. */
function hasNegativeZero(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, -0);
  return Object.values(value).some(hasNegativeZero);
}

function negativeZeros(value: unknown, path: readonly string[] = []): readonly Violation[] {
  if (Object.is(value, -0)) return [{ where: pointer(path), what: 'must not be -0, which would become 0' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => negativeZeros(member, [...path, name]));
}

// Ids may be given in upper case. They are stored, compared and served in lower case.
function withLowerCaseId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') return value;
  const id = value.id.toLowerCase();
  return id === value.id ? value : { ...value, id };
}

/** @returns a function that puts properties in the order of the contract, so that equal records have equal texts. */
function orderOf({ properties }: Schema): (value: unknown) => unknown {
  if (properties === undefined) return (value) => value;
  const orders = Object.entries(properties).map(([name, schema]) => [name, orderOf(schema)] as const);
  return (value) => {
    const object = value as Properties; // Its schema has properties, and it is valid.
    const ordered: Record<string, unknown> = {}; // Object.fromEntries takes several times as long as this loop.
    for (const [name, inOrder] of orders) ordered[name] = inOrder(object[name]);
    return ordered;
  };
}
