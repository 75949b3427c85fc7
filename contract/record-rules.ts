/** The rules of records that a schema cannot express: text that can be served, dates that exist, and combinations of properties. */
import { recordSchemaOf } from './collections.ts';
import type { Collection, Resources } from './collections.ts';
import type { Contract } from './document.ts';
import type { Violation } from './schema.ts';
import { isOnCalendar } from './timestamp.ts';
import type { Schemas } from './types.ts';

/** @returns the violations of a record that is valid by its schema. */
export type RecordRules<C extends Collection> = (record: Resources[C]) => readonly Violation[];

/** @returns the violations of properties whose valid values depend on other properties, by name; `undefined` if there is none. */
type Relations<C extends Collection> = (
  record: Resources[C],
  contract: Contract,
) => {
  readonly [P in keyof Resources[C]]?: string | undefined;
};

const RELATIONS: { readonly [C in Collection]?: Relations<C> } = {
  contactImports: ({ status, completed_at, counts }, { schemas }) => ({
    completed_at: completionFault(status, completed_at),
    counts: countsFault(status, counts, Object.keys(schemas.ContactImportCounts.properties ?? {})),
  }),
  contactProperties: ({ type, fallback_value }) => ({ fallback_value: fallbackFault(type, fallback_value) }),
};

const HAS_ENDED = {
  queued: false,
  in_progress: false,
  completed: true,
  failed: true,
} as const satisfies Record<Schemas['ContactImportStatus'], boolean>;

function completionFault(status: keyof typeof HAS_ENDED, completedAt: unknown): string | undefined {
  if (HAS_ENDED[status] === (completedAt !== null)) return undefined;
  return `must be ${HAS_ENDED[status] ? 'a timestamp' : 'null'} when the status is ${status}`;
}

function countsFault(
  status: keyof typeof HAS_ENDED,
  counts: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  if (status !== 'queued' || names.every((name) => counts[name] === 0)) return undefined;
  return `must be all 0 when the status is ${status}`;
}

// The types whose names `typeof` returns for their values. A property of another type may have any fallback.
const KNOWN_TYPES: readonly string[] = ['string', 'number'];

function fallbackFault(type: string, fallback: Schemas['FallbackValue']): string | undefined {
  if (fallback === null || typeof fallback === type || !KNOWN_TYPES.includes(type)) return undefined;
  return `must be a ${type} or null when the type is ${type}`;
}

/** Properties of several types, each with the property of the same record that names its type. */
const TYPE_NAMES: { readonly [C in Collection]?: { readonly [P in keyof Resources[C]]?: keyof Resources[C] } } = {
  contactProperties: { fallback_value: 'type' },
};

/** @returns the property that names the type of a property; `undefined` if its type does not depend on another property. */
export function typeNameOf(collection: Collection, property: string): string | undefined {
  const names: Readonly<Record<string, string>> = TYPE_NAMES[collection] ?? {};
  return names[property];
}

/** @returns the names of the properties of a collection's records that are timestamps. */
export function timestampsOf(contract: Contract, collection: Collection): readonly string[] {
  // Schemas are compared by identity: after `dereference`, each named schema is one object.
  const { Timestamp, CompletionTimestamp } = contract.schemas;
  return Object.entries(recordSchemaOf(contract, collection).properties ?? {})
    .filter(([, schema]) => schema === Timestamp || schema === CompletionTimestamp)
    .map(([name]) => name);
}

/** @returns a function that validates a collection's records. */
export function recordRules<C extends Collection>(contract: Contract, collection: C): RecordRules<C> {
  const dates = timestampsOf(contract, collection);
  const relations = RELATIONS[collection];

  return (record) => {
    const violations: Violation[] = [];
    if (!isServable(record)) addTextViolations(record, '', violations);
    const values: Readonly<Record<string, unknown>> = record;
    for (const name of dates) {
      const value = values[name];
      if (typeof value !== 'string' || isOnCalendar(value)) continue;
      const [day = ''] = value.split(' ');
      violations.push({ where: `/${name}`, what: `must be a calendar date: ${day} does not exist` });
    }
    if (relations === undefined) return violations;
    for (const [name, what] of Object.entries(relations(record, contract))) {
      if (typeof what === 'string') violations.push({ where: `/${name}`, what });
    }
    return violations;
  };
}

const UNSERVABLE = /[\0\p{Surrogate}]/u; // With the flag `u`, a surrogate matches only if it is not part of a pair.

/** @returns whether all text in a value can be served. It costs a fraction of `addTextViolations`. */
function isServable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value !== 'object' || value === null || Object.values(value).every(isServable);
}

/** Adds a violation for each text that strict JSON parsers reject. */
function addTextViolations(value: unknown, where: string, violations: Violation[]): void {
  if (typeof value === 'string') {
    const found = UNSERVABLE.exec(value);
    if (found === null) return;
    const name = found[0] === '\0' ? 'NUL (U+0000)' : 'half of a surrogate pair';
    const position = Array.from(value.slice(0, found.index)).length + 1;
    violations.push({ where, what: `must not contain ${name}, but character ${String(position)} is one` });
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, text] of Object.entries(value)) addTextViolations(text, `${where}/${name}`, violations);
  }
}
