/** How a rule fails or is skipped, and how the items of lists are compared. */
import type { Exchange } from './session.ts';

/** An implementation does not do what the contract says. */
export class Failure extends Error {
  readonly request: string;
  readonly expected: string;
  readonly actual: string;

  constructor({ request }: Pick<Exchange, 'request'>, expected: string, actual: string) {
    super(`${request}: expected ${expected}, got ${actual}`);
    this.request = request;
    this.expected = expected;
    this.actual = actual;
  }
}

/** A rule, or a part of it, could not be tested. The message says why. */
export class Skipped extends Error {
  /** The records that the account lacks, each as a noun, if that is the reason. */
  readonly needs: readonly string[];

  constructor(message: string, needs: readonly string[] = []) {
    super(message);
    this.needs = needs;
  }
}

/** @throws Skipped with the records that the account lacks, if there are any. */
export function requireRecords(needs: readonly string[]): void {
  if (needs.length > 0) throw new Skipped(`the account needs ${needs.join('; ')}`, needs);
}

/** @returns a response in one line. */
export const summary = ({ status, text }: Exchange): string => `${String(status)} ${text}`.trimEnd();

/**
 * @param actual the text to report instead of `expected`. Default: the response in one line.
 * @throws Failure unless `condition` is true.
 */
export function assertThat(exchange: Exchange, condition: boolean, expected: string, actual = summary(exchange)): void {
  if (!condition) throw new Failure(exchange, expected, actual);
}

/** An item of a list whose schema has been checked. */
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

/** An id that no record has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

/** Ids that are not UUIDs. */
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

/** @returns the value as JSON with the keys of objects sorted: a response may have them in any order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, it: unknown) =>
    typeof it === 'object' && it !== null && !Array.isArray(it)
      ? Object.fromEntries(Object.entries(it).sort(([a], [b]) => (a < b ? -1 : 1)))
      : it,
  );
}

/** @returns the first difference between two lists of items, for people; `undefined` if there is none. */
export function difference(expected: readonly Identified[], actual: readonly Identified[]): string | undefined {
  const first = expected.findIndex((it, index) => canonical(it) !== canonical(actual[index]));
  if (first === -1 && actual.length <= expected.length) return undefined;
  const [wanted, got] = [expected[first], actual[first]];
  return first !== -1 && wanted?.id === got?.id ? `other values: ${JSON.stringify(got)}` : idsOf(actual);
}
