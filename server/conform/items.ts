/** The items of lists, and how they are compared. */
import type { Exchange } from './session.ts';

/** An item of a list, its schema kept. */
export interface Item {
  readonly id: string;
  readonly created_at: string;
  readonly [property: string]: unknown;
}
export interface Page {
  readonly exchange: Exchange;
  readonly hasMore: boolean;
  readonly items: readonly Item[];
}

export type Query = Readonly<Record<string, string | number>>;

/** An id that no implementation hands out. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** What is no UUID. */
export const MALFORMED_IDS: readonly string[] = [
  'x',
  UNKNOWN_ID.slice(1),
  `${UNKNOWN_ID}0`,
  UNKNOWN_ID.replaceAll('-', ''),
  `urn:uuid:${UNKNOWN_ID}`,
];

interface Identified {
  readonly id: string;
}

/** @returns the ids of items, shortened to be readable. */
export const idsOf = (items: readonly Identified[]): string =>
  items.length === 0 ? 'no items' : items.map((it) => it.id.slice(0, 8)).join(' ');

/** @returns the value as JSON, the keys of objects in order: their order in an answer is free. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}

/** @returns how the first items of `actual` that differ from those of `expected` do, for people; `undefined` if none does. */
export function difference(expected: readonly Identified[], actual: readonly Identified[]): string | undefined {
  const at = expected.findIndex((it, index) => canonical(it) !== canonical(actual[index]));
  if (at === -1 && actual.length <= expected.length) return undefined;
  const [wanted, got] = [expected[at], actual[at]];
  return at !== -1 && wanted?.id === got?.id ? `another text: ${JSON.stringify(got)}` : idsOf(actual);
}
