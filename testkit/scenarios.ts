/** Scenarios: predefined cues, built from the records of an account. `docs/test-kit.md` describes a correct client. */
import { COLLECTIONS, filterOf, noun, operationsOf } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { fromMicroseconds, toMicroseconds } from '../contract/timestamp.ts';
import type { Schemas } from '../contract/types.ts';
import type { components } from '../generated/control.ts';
import { Conflict, WrongValue, assertInteger, assertKnown, assertObject } from './assert.ts';
import { createBuilders } from './builders.ts';
import type { Action, Cue, CueOptions } from './cues.ts';
import type { AccountState } from './server-state.ts';

export type ScenarioName = components['schemas']['ScenarioName'];

export interface ScenarioOptions {
  /**
   * The collection that the client lists. Default: `automations`. In `status-changes-out-of-filter`, the client lists enabled automations, of
   * which one is disabled, or queued contact imports, of which one begins.
   */
  readonly collection?: Collection | undefined;
  /** The `limit` that the client lists with, from 1 to 100. Default: 2. */
  readonly limit?: number | undefined;
}

type Item = Resources[Collection];
type ListOperation = ReturnType<typeof operationsOf>['list'];

/** The records of an account that a scenario needs. Each function throws Conflict if the account lacks them. */
interface Source {
  readonly collection: Collection;
  /** The operation of the list. */
  readonly operation: ListOperation;
  /** The `limit` that the client lists with. */
  readonly limit: number;
  /** @returns a matcher for the second request of the list. Asserts that there is a second page. */
  readonly secondPage: () => { readonly operation: ListOperation; readonly nth: number };
  /** @returns the n-th record of the list, starting at 1. */
  readonly item: (n: number) => Item;
  /** @returns the last record of the first page of the filtered list, with another value of the filter. */
  readonly outOfFilter: () => Action;
  /** @returns the last record of a list whose last page is full. */
  readonly lastOfFullPage: () => Item;
  /** @returns the first contact import of the list that is queued. */
  readonly queuedImport: () => Schemas['ContactImport'];
}

const SCENARIOS: Readonly<Record<ScenarioName, (source: Source) => CueOptions>> = {
  'insert-at-head-while-paginating': ({ secondPage, item, collection }) => ({
    when: secondPage(),
    then: [put(collection, newerThan(collection, item(1)))],
  }),
  'cursor-removed': ({ secondPage, item, collection, limit }) => {
    const { operation } = secondPage();
    const { id } = item(limit);
    return { when: { operation, cursor: id }, then: [{ remove: { collection, ids: [id] } }] };
  },
  'status-changes-out-of-filter': ({ secondPage, outOfFilter }) => {
    const change = outOfFilter();
    return { when: secondPage(), then: [change] };
  },
  'import-progresses-per-poll': ({ queuedImport }) => ({
    when: { operation: 'getContactImport', nth: 3 },
    then: [{ moveImport: { id: queuedImport().id, total: 100 } }],
    times: 2,
  }),
  'rate-limited-midway': ({ secondPage }) => ({
    when: secondPage(),
    then: [{ fail: { error: 'rate_limit_exceeded', retryAfter: 1 } }],
  }),
  'outage-and-recovery': ({ secondPage }) => ({
    when: { operation: secondPage().operation },
    at: 'after',
    then: [{ fail: { status: 503, retryAfter: 1 } }, { fail: { disconnect: true } }, { fail: { status: 500 } }],
  }),
  'last-page-full': ({ lastOfFullPage, operation }) => ({
    when: { operation, cursor: lastOfFullPage().id },
    then: [{ fail: { error: 'validation_error' } }],
  }),
  'ties-across-pages': ({ item, collection, operation, limit }) => {
    // A list has newer records first, and of one time those with the greater id. So these three remain together, and one of
    // them, the first in this order, is the last record of the first page.
    const next = [item(limit + 2), item(limit + 1)];
    const { created_at } = item(limit);
    return { when: { operation }, then: [put(collection, ...next.map((record) => ({ ...record, created_at })))] };
  },
  'key-revoked-midway': ({ secondPage }) => ({ when: secondPage(), then: [{ revokeKey: true }] }),
};
const OPTIONS: readonly string[] = ['collection', 'limit'] satisfies (keyof ScenarioOptions)[];
const MAX_LIMIT = 100; // Of a list.
const DEFAULT_LIMIT = 2;
const SECOND_US = 1_000_000n;

/**
 * Adds the cue of a scenario to an account that has the records for it.
 * @param options `name`, and those of `ScenarioOptions`. They may come from JavaScript or from JSON.
 * @throws TypeError or RangeError if an option is invalid, or the account does not have the records.
 */
export function addScenario(account: AccountState, options: unknown): Cue {
  assertObject('A scenario', options, '{ name: "cursor-removed", limit: 2 }');
  const { name, ...others } = options;
  assertKnown('scenario option', Object.keys(others), OPTIONS);
  const { collection = 'automations', limit = DEFAULT_LIMIT } = others;
  assertKnown('scenario', [name], Object.keys(SCENARIOS));
  assertKnown('collection', [collection], COLLECTIONS);
  assertInteger('limit', limit, 1, MAX_LIMIT);
  const source = sourceOf(account, name as ScenarioName, collection as Collection, limit as number); // Checked above.
  return account.cues.add(SCENARIOS[name as ScenarioName](source));
}

function sourceOf({ data }: AccountState, name: ScenarioName, collection: Collection, limit: number): Source {
  const records = data.records();
  const items: readonly Item[] = records[collection] ?? [];
  const found = <T>(record: T | undefined, what: string): T => {
    if (record === undefined) throw new Conflict(`The scenario ${name} requires ${what} in the account.`);
    return record;
  };
  const item = (n: number): Item => found(items[n - 1], `${String(n)} ${noun(collection)}`);
  const firstPage = (status: string): Item => {
    const among = items.filter((one) => 'status' in one && one.status === status);
    found(among[limit], `${String(limit + 1)} ${noun(collection)} that are ${status}`); // The filtered list has a second page too.
    return found(among[limit - 1], '');
  };
  const operation = operationsOf(collection).list;
  return {
    collection,
    operation,
    limit,
    secondPage: () => {
      item(limit + 1);
      return { operation, nth: 2 };
    },
    item,
    outOfFilter: () => {
      if (filterOf(collection) === undefined)
        throw new WrongValue(`The scenario ${name} requires a collection with a filter, and ${collection} have none.`);
      if (collection === 'contactImports') return { moveImport: { id: firstPage('queued').id } };
      return put(collection, { ...firstPage('enabled'), status: 'disabled' } as Item); // Of the same collection.
    },
    lastOfFullPage: () =>
      found(
        items.length % limit === 0 ? items.at(-1) : undefined,
        `${noun(collection)} whose number is a multiple of ${String(limit)}`,
      ),
    queuedImport: () =>
      found(
        records.contactImports?.find(({ status }) => status === 'queued'),
        'a contact import that is queued',
      ),
  };
}

const put = (collection: Collection, ...records: readonly Item[]): Action =>
  ({ put: { collection, records } }) as Action; // They are records of the collection.

/** @returns a record that is a second newer than another, always with the same id. */
function newerThan(collection: Collection, { created_at: createdAt }: Item): Item {
  const us = toMicroseconds(createdAt) ?? 0n; // As every record of the account, it has been validated.
  const { build, automation } = createBuilders({ seed: 'scenario' });
  const newer = { created_at: fromMicroseconds(us + SECOND_US) };
  return collection === 'automations' ? automation({ name: 'New', ...newer }) : build[collection](newer);
}
