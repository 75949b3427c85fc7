/** How records are compared: by their documented properties, timestamps by their instants; and the words for a difference. */
import { recordSchemaOf } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import type { Contract, Schema } from '../../contract/document.ts';
import { toMicroseconds } from '../../contract/timestamp.ts';
import { joined, own, quote, say } from '../rules/text.ts';
import type { Text } from '../rules/text.ts';

/** An item of a list whose schema has been checked. */
export interface Item {
  readonly id: string;
  readonly created_at: string;
  readonly [property: string]: unknown;
}

/** How the items of a page differ from the expected ones. */
export interface Difference {
  /** The items of the page, in short. */
  readonly actual: Text;
  /** The first place where they differ. */
  readonly difference: Text;
}

/** Compares records of one collection. Another implementation may add properties, and write an instant in another way. */
export interface Comparison {
  /** @returns a text that is the same for equal records. */
  readonly valueOf: (item: unknown) => string;
  /** @returns the first property that differs, with both values; `undefined` if the records are equal. */
  readonly differenceOf: (expected: unknown, actual: unknown) => Text | undefined;
  /** @returns the first item that differs; `undefined` if the items are equal, in the same order. */
  readonly differenceOfItems: (expected: readonly Item[], actual: readonly Item[]) => Difference | undefined;
}

export function comparisonOf(contract: Contract, collection: Collection): Comparison {
  const recordSchema = recordSchemaOf(contract, collection);
  // Schemas are compared by identity: after `dereference`, each named schema is one object.
  const timestamps = new Set<Schema | undefined>([contract.schemas.Timestamp, contract.schemas.CompletionTimestamp]);

  /** @returns a value with only its documented properties, and timestamps as microseconds. */
  const plain = (value: unknown, schema: Schema | undefined): unknown => {
    if (typeof value === 'string') return timestamps.has(schema) ? (toMicroseconds(value)?.toString() ?? value) : value;
    if (!isObject(value) || schema?.properties === undefined) return value;
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, member]) => [name, plain(value[name], member)]),
    );
  };
  const valueOf = (item: unknown): string => JSON.stringify(plain(item, recordSchema));

  const differenceIn = (expected: unknown, actual: unknown, schema: Schema, path: string): Text | undefined => {
    if (isObject(expected) && isObject(actual) && schema.properties !== undefined) {
      const [first] = Object.entries(schema.properties).flatMap(
        ([name, member]) =>
          differenceIn(expected[name], actual[name], member, path === '' ? name : `${path}.${name}`) ?? [],
      );
      return first;
    }
    if (canonical(plain(expected, schema)) === canonical(plain(actual, schema))) return undefined;
    return say`${path === '' ? 'the value' : own(path)} is ${excerpt(actual, expected)}, not ${excerpt(expected, actual)}`;
  };

  const differenceOf = (expected: unknown, actual: unknown): Text | undefined =>
    differenceIn(expected, actual, recordSchema, '');

  return {
    valueOf,
    differenceOf,
    differenceOfItems: (expected, actual) => {
      const length = Math.max(expected.length, actual.length);
      for (let at = 0; at < length; at += 1) {
        const [should, is] = [expected[at], actual[at]];
        const wrong = should !== undefined && is?.id === should.id ? differenceOf(should, is) : undefined;
        if (wrong === undefined && should?.id === is?.id) continue;
        const place = say`item ${at + 1}`;
        const what =
          should === undefined
            ? say`${place} is unexpected: ${named(is)}`
            : is === undefined
              ? say`${place} is missing: ${named(should)}`
              : wrong === undefined
                ? say`${place} is ${named(is)}, not ${named(should)}`
                : say`in ${place} (${quote(should.id)}), ${wrong}`;
        return { actual: idsOf(actual), difference: what };
      }
      return undefined;
    },
  };
}

const named = (item: Item | undefined): Text => say`${quote(String(item?.id))} (${quote(String(item?.created_at))})`;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// Two long texts are shown from a little before the first character in which they differ.
const LEAD = 20;
const MAX_EXCERPT = 80;

/** @returns a value as JSON; of a long one, the part in which it differs from another. */
function excerpt(value: unknown, other: unknown): Text {
  if (value === undefined) return say`missing`;
  const all = JSON.stringify(other ?? null);
  return quote(JSON.stringify(value), MAX_EXCERPT + 2 * '…'.length, (text, redact) => {
    if (text.length <= MAX_EXCERPT) return text;
    const otherText = redact(all);
    let same = 0;
    while (same < text.length && text[same] === otherText[same]) same += 1;
    const start = Math.max(0, same - LEAD);
    return `${start > 0 ? '…' : ''}${text.slice(start, start + MAX_EXCERPT)}${start + MAX_EXCERPT < text.length ? '…' : ''}`;
  });
}

// As many ids as fit on a line.
const MAX_IDS = 6;
/** How many characters of an id tell it from the others. */
const SHORT = 8;

/** @returns the ids of items, shortened to be readable. */
export function idsOf(items: readonly { readonly id: string }[]): Text {
  if (items.length === 0) return say`no items`;
  const first = items.slice(0, MAX_IDS).map(({ id }) => quote(id, undefined, (whole) => whole.slice(0, SHORT)));
  const shown = joined(first, ' ');
  return items.length > MAX_IDS ? say`${shown} … (${items.length} items)` : shown;
}

/** @returns the value as JSON with the keys of objects sorted: a response may have them in any order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, member: unknown) =>
    isObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
  );
}
