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
    Object.fromEntries(
      COLLECTIONS.map((collection) => [collection, recordsOf(collection)]),
    ) as SeedRecords['accounts'][string]; // Of every collection.
  const first = accountOf((collection) => [
    ...exampleRecords(contract, collection),
    ...likeExamples(contract, collection, 'first'),
  ]);
  return {
    version: 1,
    accounts: { first, second: accountOf((collection) => likeExamples(contract, collection, 'second')) },
  };
}

// Older than the examples, which are then on the first pages. Several records have the same instant.
const NEWEST = '2025-01-01 12:00:00.678+00';
const STEP_US = 61_000_000n;
const TIES = 4n;

// Texts are longer than in the examples, but not than a column for short texts.
const LONG = 250;
const HALF_HOUR_US = 1_800_000_000n;

/**
 * @returns records like the examples, each in turn, with an id, an instant and a name of their own. One has long texts. Of the first account,
 *   some are of half an hour before an example with a UTC offset in hours and minutes: an offset that is misread changes the order.
 */
function likeExamples(contract: Contract, collection: Collection, account: 'first' | 'second'): readonly AnyRecord[] {
  const { parameters } = contract.operation(operationsOf(collection).list);
  const limit = parameters.find((parameter) => parameter.name === 'limit')?.schema;
  const examples: readonly AnyRecord[] = exampleRecords(contract, collection);
  const { properties = {} } = recordSchemaOf(contract, collection);
  // A server may want names to differ.
  const name = Object.keys(properties).find((property) => isText(properties[property])) ?? '';
  const microseconds = (record: AnyRecord): bigint => toMicroseconds(String(record['created_at'])) ?? 0n;
  const offset = examples.filter((example) => /-\d\d:\d\d$/.test(String(example['created_at'])));
  const instants = (account === 'first' ? offset : []).map((example) => microseconds(example) - HALF_HOUR_US);
  return Array.from({ length: Number(account === 'first' ? limit?.maximum : limit?.default) }, (_, at) => {
    const example = examples[at % examples.length] ?? {};
    const own = name in example ? { [name]: `${String(example[name])} ${String(at)}` } : {};
    const instant = instants[at] ?? microseconds({ created_at: NEWEST }) - (BigInt(at) / TIES) * STEP_US;
    const id = uuidOf(`${account} ${collection} ${String(at)}`);
    const record = { ...example, ...own, id, created_at: fromMicroseconds(instant) };
    return at === examples.length ? withLongTexts(record, properties) : record;
  });
}

/** Whether a property may be any text. */
const isText = (schema: Schema | undefined): boolean =>
  schema?.type === 'string' && schema.enum === undefined && schema.pattern === undefined;

/** @returns a record whose texts are long: those of properties that may be any text, or a text among others. */
function withLongTexts(record: AnyRecord, properties: Readonly<Record<string, Schema>>): AnyRecord {
  const longer = (value: unknown, schema: Schema | undefined): unknown => {
    const isLong = typeof value === 'string' && (isText(schema) || schema?.type === undefined);
    return isLong
      ? `${value} ${'long '.repeat(LONG)}`.slice(0, Math.min(LONG, schema?.maxLength ?? LONG)).trim()
      : value;
  };
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, longer(value, properties[name])]));
}

/** @returns a UUID that a text always has. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
