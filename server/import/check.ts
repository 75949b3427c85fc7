/** Checks records against the contract when they are loaded, so that nothing has to be checked when they are read. */
import { compile } from '../contract/schema.ts';
import type { Violation } from '../contract/schema.ts';
import type { Schema, Contract } from '../contract/document.ts';
import { COLLECTIONS, filterOf, recordSchemaOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { recordRules } from '../contract/record-rules.ts';
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
  const checks = COLLECTIONS.map((it) => [it, createCheck(contract, it, fillDefaults)] as const);
  return Object.fromEntries(checks) as Record<Collection, Check>; // One for each collection.
}

type Properties = Readonly<Record<string, unknown>>;

function createCheck(contract: Contract, collection: Collection, fillDefaults: boolean): Check {
  const schema = recordSchemaOf(contract, collection);
  const violationsOf = compile(schema, fillDefaults);
  const breaches = recordRules(contract, collection);
  const inOrder = orderOf(schema);
  const filter = filterOf(collection);

  return (value) => {
    const candidate = withLowerCaseId(value);
    const violations = violationsOf(candidate);
    if (violations.length > 0) return { violations };
    const valid = candidate as Resources[Collection]; // It fits its schema.
    const broken = breaches(valid);
    if (broken.length > 0) return { violations: broken };

    const createdUs = toMicroseconds(valid.created_at);
    if (createdUs === undefined) throw new Error('A record with an impossible date keeps the rules.');
    return {
      record: {
        id: valid.id,
        createdUs,
        filter: filter === undefined ? null : String((valid as Properties)[filter]),
        json: JSON.stringify(inOrder(valid)),
      },
    };
  };
}

// Ids may come in upper case; they are stored, compared and answered in lower case.
function withLowerCaseId(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') return value;
  const id = value.id.toLowerCase();
  return id === value.id ? value : { ...value, id };
}

/** @returns what puts a value's properties in the contract's order, so that equal records are equal texts. */
function orderOf({ properties }: Schema): (value: unknown) => unknown {
  if (properties === undefined) return (value) => value;
  const orders = Object.entries(properties).map(([name, schema]) => [name, orderOf(schema)] as const);
  return (value) => {
    const object = value as Properties; // Its schema has properties, and it is valid.
    const ordered: Record<string, unknown> = {}; // Filled by hand: Object.fromEntries takes several times as long.
    for (const [name, inOrder] of orders) ordered[name] = inOrder(object[name]);
    return ordered;
  };
}
