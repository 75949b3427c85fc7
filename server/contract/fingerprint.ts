/** What the records of a collection are checked against, as one short text: it tells whether they must be checked again. */
import { hash } from 'node:crypto';
import { COLLECTIONS, filterOf, recordSchemaOf } from './collections.ts';
import type { Collection } from './collections.ts';
import type { Contract } from './document.ts';
import { closed } from './schema.ts';

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
