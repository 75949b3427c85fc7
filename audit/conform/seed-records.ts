/** The records of two accounts that every rule can be checked with: what `--print-records` prints, and `--seeded` expects. */
import { createHash } from 'node:crypto';
import { COLLECTIONS, operationsOf, recordSchemaOf } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Contract, Schema } from '../../contract/document.ts';
import { exampleRecords } from '../../contract/examples.ts';
import { fromMicroseconds, toMicroseconds } from '../../contract/timestamp.ts';

type AnyRecord = Readonly<Record<string, unknown>>;

/** In the form of a snapshot, which `rollcall demo --seed` serves too. */
export interface SeedRecords {
  readonly version: 1;
  /** The records of each account, by their collections. */
  readonly accounts: Readonly<Record<string, Readonly<Record<Collection, readonly AnyRecord[]>>>>;
}

/**
 * @returns the records of two accounts. The first has the examples of the contract, and more records than a page of the maximum limit. The
 *   second has fewer, with other ids.
 */
export function seedRecords(contract: Contract): SeedRecords {
  const accountOf = (recordsOf: (collection: Collection) => readonly AnyRecord[]): SeedRecords['accounts'][string] =>
    Object.fromEntries(COLLECTIONS.map((it) => [it, recordsOf(it)])) as SeedRecords['accounts'][string]; // Of every collection.
  const first = accountOf((it) => [...exampleRecords(contract, it), ...likeExamples(contract, it, 'first')]);
  return { version: 1, accounts: { first, second: accountOf((it) => likeExamples(contract, it, 'second')) } };
}

// Older than the examples, which are then on the first pages. Several records have the same instant.
const NEWEST = '2025-01-01 12:00:00.678+00';
const STEP_US = 61_000_000n;
const TIES = 4n;

/** @returns records like the examples, each in turn, with an id, an instant and a name of their own. */
function likeExamples(contract: Contract, collection: Collection, account: 'first' | 'second'): readonly AnyRecord[] {
  const { parameters } = contract.operation(operationsOf(collection).list);
  const limit = parameters.find((it) => it.name === 'limit')?.schema;
  const examples: readonly AnyRecord[] = exampleRecords(contract, collection);
  const { properties = {} } = recordSchemaOf(contract, collection);
  // A server may want names to differ.
  const name = Object.keys(properties).find((it) => isText(properties[it])) ?? '';
  return Array.from({ length: Number(account === 'first' ? limit?.maximum : limit?.default) }, (_, at) => {
    const example = examples[at % examples.length] ?? {};
    const own = name in example ? { [name]: `${String(example[name])} ${String(at)}` } : {};
    const created_at = fromMicroseconds((toMicroseconds(NEWEST) ?? 0n) - (BigInt(at) / TIES) * STEP_US);
    return { ...example, ...own, id: uuidOf(`${account} ${collection} ${String(at)}`), created_at };
  });
}

/** Whether a property may be any text. */
const isText = (schema: Schema | undefined): boolean =>
  schema?.type === 'string' && schema.enum === undefined && schema.pattern === undefined;

/** @returns a UUID that a text always has. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
