/** Scenarios: predefined cues, built from the records of an account. `docs/test-kit.md` describes a correct client. */
import { COLLECTIONS, noun, operationsOf } from '../contract/collections.ts';
import type { Collection, ListOperation, Resources } from '../contract/collections.ts';
import { fromMicroseconds, toMicroseconds } from '../contract/timestamp.ts';
import type { Schemas } from '../contract/types.ts';
import type { components } from '../generated/control.ts';
import { Conflict, assertInteger, assertKnown, assertObject } from './assert.ts';
import { createBuilders } from './builders.ts';
import type { Action, Cue, CueOptions } from './cues.ts';
import type { EngineAccount } from './engine.ts';

export type ScenarioName = components['schemas']['ScenarioName'];

export interface ScenarioOptions {
  /** The list that the client reads. Default: `automations`; of `import-progresses-per-poll` it is `contactImports`. */
  readonly collection?: Collection | undefined;
  /** The `limit` that the client lists with, from 1 to 100. Default: 2. */
  readonly limit?: number | undefined;
}

type AnyRecord = Resources[Collection];

/** The records of an account that a scenario needs. Each function throws Conflict if the account lacks them. */
interface Source {
  /** The `limit` that the client lists with. */
  readonly limit: number;
  readonly collection: Collection;
  /** @returns a matcher for the second request of the list. Asserts that there is a second page. */
  readonly secondPage: () => { readonly operation: ListOperation<Collection>; readonly nth: number };
  /** @returns the n-th record of the list, or the n-th with this status, starting at 1. */
  readonly record: (n: number, status?: string) => AnyRecord;
  /** @returns the last record of a list whose last page is full. */
  readonly lastOfFullPage: () => AnyRecord;
  /** @returns the first contact import of the list that is queued. */
  readonly queuedImport: () => Schemas['ContactImport'];
}

const put = (collection: Collection, ...records: readonly AnyRecord[]): Action =>
  ({ put: { collection, records } }) as Action; // The records are of the collection.

/** For each collection with a filter: the status that the client lists, and the one that a record of it gets. */
const STATUSES: Readonly<Partial<Record<Collection, readonly [from: string, to: string]>>> = {
  automations: ['enabled', 'disabled'],
  contactImports: ['queued', 'in_progress'],
};

const SCENARIOS: Readonly<Record<ScenarioName, (source: Source) => CueOptions>> = {
  'insert-at-head-while-paginating': ({ collection, secondPage, record }) => ({
    when: secondPage(),
    then: [put(collection, newerThan(collection, record(1)))],
  }),
  'cursor-removed': ({ collection, secondPage, record, limit }) => {
    const { operation } = secondPage();
    const { id } = record(limit);
    return { when: { operation, cursor: id }, then: [{ remove: { collection, ids: [id] } }] };
  },
  'status-changes-out-of-filter': ({ collection, secondPage, record, limit }) => {
    const [from, to] = STATUSES[collection] ?? [];
    record(limit + 1, from); // The filtered list has a second page too.
    return { when: secondPage(), then: [put(collection, { ...record(limit, from), status: to } as AnyRecord)] }; // A status of the collection.
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
  'last-page-full': ({ collection, lastOfFullPage }) => ({
    when: { operation: operationsOf(collection).list, cursor: lastOfFullPage().id },
    then: [{ fail: { error: 'validation_error' } }],
  }),
  'ties-across-pages': ({ collection, record, limit }) => {
    // A list has newer records first, and of one time those with the greater id. So these three remain together, and one of
    // them, the first in this order, is the last record of the first page.
    const next = [record(limit + 2), record(limit + 1)];
    const { created_at } = record(limit);
    return {
      when: { operation: operationsOf(collection).list },
      then: [put(collection, ...next.map((it) => ({ ...it, created_at })))],
    };
  },
  'key-revoked-midway': ({ secondPage }) => ({ when: secondPage(), then: [{ revokeKey: true }] }),
};
const DEFAULT_COLLECTION = 'automations';
/** The collections of the scenarios that are not about every list; the first is the default. */
const COLLECTIONS_OF: Readonly<Partial<Record<ScenarioName, readonly Collection[]>>> = {
  'status-changes-out-of-filter': COLLECTIONS.filter((it) => it in STATUSES),
  'import-progresses-per-poll': ['contactImports'],
};
const OPTIONS: readonly string[] = ['name', 'collection', 'limit'] satisfies (keyof ScenarioOptions | 'name')[];
const MAX_LIMIT = 100; // Of a list.
const DEFAULT_LIMIT = 2;
const SECOND_US = 1_000_000n;

/**
 * Adds the cue of a scenario to an account that has the records for it.
 * @param options `name`, `collection` and `limit`. They may come from JavaScript or from JSON.
 * @throws TypeError or RangeError if an option is invalid, or the account does not have the records.
 */
export async function addScenario(account: EngineAccount, options: unknown): Promise<Cue> {
  assertObject('A scenario', options, '{ name: "cursor-removed", limit: 2 }');
  assertKnown('scenario option', Object.keys(options), OPTIONS);
  const { name, limit = DEFAULT_LIMIT } = options;
  assertKnown('scenario', [name], Object.keys(SCENARIOS));
  assertInteger('limit', limit, 1, MAX_LIMIT);
  const scenario = name as ScenarioName; // Checked above, like the limit and the collection.
  const possible = COLLECTIONS_OF[scenario] ?? COLLECTIONS;
  const { collection = COLLECTIONS_OF[scenario]?.[0] ?? DEFAULT_COLLECTION } = options;
  assertKnown(`collection of ${scenario}`, [collection], possible);
  const source = await sourceOf(account, scenario, collection as Collection, limit as number);
  return account.cues.add(SCENARIOS[scenario](source));
}

async function sourceOf(
  { data }: EngineAccount,
  name: ScenarioName,
  collection: Collection,
  limit: number,
): Promise<Source> {
  const all = await data.records();
  const records: readonly AnyRecord[] = all[collection] ?? [];
  const found = <T>(it: T | undefined, what: string): T => {
    if (it === undefined) throw new Conflict(`The scenario ${name} requires ${what} in the account.`);
    return it;
  };
  const record: Source['record'] = (n, status) => {
    const among = records.filter((it) => status === undefined || ('status' in it && it.status === status));
    return found(among[n - 1], `${String(n)} ${noun(collection)}${status === undefined ? '' : ` that are ${status}`}`);
  };
  return {
    limit,
    collection,
    secondPage: () => {
      record(limit + 1);
      return { operation: operationsOf(collection).list, nth: 2 };
    },
    record,
    lastOfFullPage: () =>
      found(
        records.length % limit === 0 ? records.at(-1) : undefined,
        `${noun(collection)} whose number is a multiple of ${String(limit)}`,
      ),
    queuedImport: () =>
      found(
        all.contactImports?.find((it) => it.status === 'queued'),
        'a contact import that is queued',
      ),
  };
}

/** @returns a record that is a second newer than another, always with the same id. A new contact import is queued. */
function newerThan(collection: Collection, { created_at: createdAt }: AnyRecord): AnyRecord {
  const us = toMicroseconds(createdAt) ?? 0n; // As every record of the account, it has been validated.
  const { automation, contactProperty, contactImport } = createBuilders({ seed: 'scenario' });
  const created_at = fromMicroseconds(us + SECOND_US);
  const build: Readonly<Record<Collection, () => AnyRecord>> = {
    automations: () => automation({ name: 'New', created_at }),
    contactProperties: () => contactProperty({ key: 'new', created_at }),
    contactImports: () => contactImport({ status: 'queued', created_at }),
  };
  return build[collection]();
}
