/** What is in the store at the start of each scenario, and what another process may change of it. */
import { copyFileSync } from 'node:fs';
import process from 'node:process';
import fc from 'fast-check';
import { COLLECTIONS, filterOf, recordSchemaOf } from '../../contract/collections.ts';
import type { Collection } from '../../contract/collections.ts';
import { schemaHashes } from '../../contract/schema.ts';
import { createChecks } from '../../import/check.ts';
import { databaseOf } from '../../cli/database.ts';
import type { CheckedRecord } from '../../server/store/store.ts';
import { build } from '../../testkit/builders.ts';
import { contract } from '../support/app.ts';
import type { Folder } from '../support/cli.ts';
import { ENGINE } from '../support/engine.ts';
import { SERVER, TEMPLATE, createDatabase } from '../support/postgres-database.ts';
import type { Change } from './writer-process.ts';
import type { OtherProcess } from './other-process.ts';

const ACCOUNTS = ['main', 'other'] as const;
type AccountName = (typeof ACCOUNTS)[number];

/** Ids of both accounts alike, in every collection; the last is of no record. */
export const IDS = Array.from({ length: 6 }, (_, at) => `c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d7${String(at)}`);
const LOADED = IDS.slice(0, -1);

/** Keys: the first three are live at the start, the second of them for half a minute; the fourth is revoked, the last never made. */
export const KEYS = Array.from({ length: 8 }, (_, at) => `rollcall_${'0'.repeat(39)}${String(at)}`);
const [LIVE, REVOKED] = [KEYS.slice(0, 3), KEYS.slice(3, 4)];
const ownerOf = (key: string): AccountName => (KEYS.indexOf(key) % 3 === 2 ? 'other' : 'main');

/** The values that a collection can be filtered by. */
export function filterValues(collection: Collection): readonly string[] {
  return recordSchemaOf(contract, collection).properties?.[String(filterOf(collection))]?.enum ?? [];
}

const checks = createChecks(contract);
const hashes = schemaHashes(contract);

/** A record: `position` decides where in the list, `variant` its filter, and all of them, with the account, its text. */
function recordOf(
  account: AccountName,
  collection: Collection,
  { id, position, variant }: { readonly id: string; readonly position: number; readonly variant: number },
): CheckedRecord {
  const values = filterValues(collection);
  const { record, violations } = checks[collection](
    build[collection]({
      id,
      created_at: `2026-04-16 13:49:${String(10 + position)}.${String(ACCOUNTS.indexOf(account))}${String(variant)}+00`,
      ...(values.length === 0 ? {} : { [String(filterOf(collection))]: values[variant % values.length] }),
    }),
  );
  if (record === undefined) throw new Error(`A test's record is not valid: ${JSON.stringify(violations)}`);
  return record;
}

/** @returns a change that loads records, at first into an empty collection if it replaces. */
function load(
  account: AccountName,
  collection: Collection,
  made: readonly Parameters<typeof recordOf>[2][],
  { replace = false, schemaHash = hashes[collection] } = {},
): Change {
  const records = made.map((it) => recordOf(account, collection, it));
  return { kind: 'load', account, collection, records, options: { replace, schemaHash } };
}

const account = fc.constantFrom(...ACCOUNTS);
const collection = fc.constantFrom(...COLLECTIONS);
const collections = fc.oneof(fc.constant(COLLECTIONS), fc.tuple(collection));
const id = fc.constantFrom(...LOADED);
const key = fc.constantFrom(...KEYS);
const made = fc.record({ id, position: fc.nat(5), variant: fc.nat(3) });

/** When a scenario begins, and by how much its clock goes forward: past a window of the rate limit, and past keys. */
export const START = Date.parse('2030-06-01T12:00:00.000Z');
const SECOND = 1000;
const PASSING = [1, 20, 50].map((it) => it * SECOND);
const EXPIRIES = [10, 30, 60].map((it) => new Date(START + it * SECOND).toISOString());

/** What may change during a scenario; only the clock in the process of the servers. */
export type Step = Change | { readonly kind: 'time'; readonly ms: number };
type Steps = fc.Arbitrary<readonly Step[]>;

const keys = fc.oneof(
  fc.oneof(fc.constantFrom(...LIVE), key).map((key): Step[] => [{ kind: 'revokeKey', key }]),
  key.map((key): Step[] => [{ kind: 'createKey', key, account: ownerOf(key) }]),
);
const loads = fc
  .tuple(account, collections, fc.array(made, { maxLength: 3 }), fc.boolean())
  .map(([account, all, made, replace]): Step[] => all.map((it) => load(account, it, made, { replace })));
const removals = fc
  .tuple(account, collections, fc.array(id, { minLength: 1, maxLength: 3 }))
  .map(([account, all, ids]) => all.map((collection): Step => ({ kind: 'remove', account, collection, ids })));
// Another version of the contract: the collection cannot be read until it is imported again.
const otherVersion = collection.map((collection): Step[] => [
  load('other', collection, [], { replace: true }),
  load('main', collection, [], { replace: true, schemaHash: 'another' }),
]);

const passing = fc.constantFrom(...PASSING).map((ms): Step[] => [{ kind: 'time', ms }]);

/** Changes that belong together, by what they are of. */
export const CHANGES = {
  loads: fc.oneof({ weight: 12, arbitrary: loads }, { weight: 6, arbitrary: removals }) as Steps,
  // Where a request is counted depends on whether it reaches a store that cannot be read.
  versions: fc.oneof({ weight: 9, arbitrary: loads }, { weight: 1, arbitrary: otherVersion }) as Steps,
  revocation: keys as Steps,
  expiry: fc.oneof(
    fc
      .tuple(key, fc.constantFrom(...EXPIRIES))
      .map(([key, expiresAt]): Step[] => [{ kind: 'createKey', key, account: ownerOf(key), expiresAt }]),
    passing,
  ) as Steps,
  time: passing as Steps,
  removal: fc.oneof(
    account.map((account): Step[] => [{ kind: 'removeAccount', account }]),
    loads,
    key.map((key): Step[] => [{ kind: 'createKey', key, account: ownerOf(key) }]),
  ) as Steps,
} as const;

/** The store of one scenario. */
export interface ScenarioStore {
  /** What `--db` takes. */
  readonly address: string;
  readonly change: (changes: readonly Change[]) => Promise<void>;
  /** No connection to it may be open. */
  readonly remove: () => Promise<void>;
}

/** @returns a function that makes a store; all are alike. */
export async function createStores(folder: Folder, other: OtherProcess): Promise<() => Promise<ScenarioStore>> {
  const copies = ENGINE === 'sqlite' ? copiesOfFile(folder) : copiesOfDatabase();
  const { address: first } = await copies();
  await (await databaseOf(first).openWriter()).close();
  await other.change(first, [
    ...ACCOUNTS.flatMap((account) =>
      COLLECTIONS.map((it) =>
        load(
          account,
          it,
          LOADED.map((id, at) => ({ id, position: at, variant: at })),
        ),
      ),
    ),
    ...[...LIVE, ...REVOKED].map((key, at): Change => ({
      kind: 'createKey',
      key,
      account: ownerOf(key),
      ...(at === 1 && { expiresAt: new Date(START + 30 * SECOND).toISOString() }),
    })),
    ...REVOKED.map((key): Change => ({ kind: 'revokeKey', key })),
  ]);
  return async () => {
    const { address, remove } = await copies(first);
    const made = new Set([...LIVE, ...REVOKED]);
    // A key is created once.
    const isPossible = (it: Change): boolean => it.kind !== 'createKey' || !made.has(it.key);
    return {
      address,
      remove,
      change: async (changes) => {
        const possible = changes.filter(isPossible);
        for (const it of possible) if (it.kind === 'createKey') made.add(it.key);
        if (possible.length > 0) await other.change(address, possible);
      },
    };
  };
}

/** Makes a database: a copy of another, or a new one. */
type Copies = (of?: string) => Promise<Pick<ScenarioStore, 'address' | 'remove'>>;

function copiesOfFile(folder: Folder): Copies {
  let count = 0;
  return (of) => {
    count += 1;
    const address = folder.path(`${String(count)}.db`);
    if (of !== undefined) copyFileSync(of, address);
    return Promise.resolve({ address, remove: () => Promise.resolve() }); // The folder goes as a whole.
  };
}

const copiesOfDatabase = (): Copies => async (of) => {
  const server = process.env[SERVER] ?? '';
  const { address, drop } = await createDatabase(server, of === undefined ? TEMPLATE : new URL(of).pathname.slice(1));
  return { address, remove: drop };
};
