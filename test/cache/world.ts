/** What is in the store at the start of each life, and what another process may change of it. */
import { copyFileSync } from 'node:fs';
import fc from 'fast-check';
import { COLLECTIONS, filterOf, recordSchemaOf } from '../../server/contract/collections.ts';
import type { Collection } from '../../server/contract/collections.ts';
import { fingerprintsOf } from '../../server/contract/fingerprint.ts';
import { createChecks } from '../../server/records/check.ts';
import { openWriter } from '../../server/store/sqlite/open.ts';
import type { CheckedRecord } from '../../server/store/store.ts';
import { build } from '../../server/testing/builders.ts';
import { contract } from '../support/app.ts';
import type { Folder } from '../support/cli.ts';
import type { Change } from './changer.ts';
import type { OtherProcess } from './other-process.ts';

const ACCOUNTS = ['main', 'other'] as const;
type AccountName = (typeof ACCOUNTS)[number];

/** Ids of both accounts alike, in every collection; the last is of no record. */
export const IDS = Array.from({ length: 6 }, (_, at) => `c28f1d4e-7a39-4b0d-9c5e-2f6a8b1e0d7${String(at)}`);
const LOADED = IDS.slice(0, -1);

/** Keys, by what becomes of them: the first three are live at the start, the fourth is revoked, the last never made. */
export const KEYS = Array.from({ length: 8 }, (_, at) => `rollcall_${'0'.repeat(39)}${String(at)}`);
const [LIVE, REVOKED] = [KEYS.slice(0, 3), KEYS.slice(3, 4)];
const ownerOf = (key: string): AccountName => (KEYS.indexOf(key) % 3 === 2 ? 'other' : 'main');

/** The values that a collection can be filtered by. */
export function filterValues(collection: Collection): readonly string[] {
  return recordSchemaOf(contract, collection).properties?.[String(filterOf(collection))]?.enum ?? [];
}

const checks = createChecks(contract);
const fingerprints = fingerprintsOf(contract);

/** A record: `place` decides where in the list, `variant` its filter, and all of them, with the account, its text. */
function recordOf(
  account: AccountName,
  collection: Collection,
  { id, place, variant }: { readonly id: string; readonly place: number; readonly variant: number },
): CheckedRecord {
  const values = filterValues(collection);
  const { record, violations } = checks[collection](
    build[collection]({
      id,
      created_at: `2026-04-16 13:49:${String(10 + place)}.${String(ACCOUNTS.indexOf(account))}${String(variant)}+00`,
      ...(values.length === 0 ? {} : { [String(filterOf(collection))]: values[variant % values.length] }),
    }),
  );
  if (record === undefined) throw new Error(`A test's record is not valid: ${JSON.stringify(violations)}`);
  return record;
}

/** @returns a change that loads records, at first into an empty collection if it replaces. */
export function load(
  account: AccountName,
  collection: Collection,
  made: readonly Parameters<typeof recordOf>[2][],
  { replace = false, fingerprint = fingerprints[collection] } = {},
): Change {
  const records = made.map((it) => recordOf(account, collection, it));
  return { kind: 'load', account, collection, records, options: { replace, fingerprint } };
}

const account = fc.constantFrom(...ACCOUNTS);
const collection = fc.constantFrom(...COLLECTIONS);
const collections = fc.oneof(fc.constant(COLLECTIONS), fc.tuple(collection));
const id = fc.constantFrom(...LOADED);
const key = fc.constantFrom(...KEYS);
const made = fc.record({ id, place: fc.nat(5), variant: fc.nat(3) });

/** Changes that belong together. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(account, collections, fc.array(made, { maxLength: 3 }), fc.boolean())
      .map(([account, all, made, replace]) => all.map((it) => load(account, it, made, { replace }))),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(account, collections, fc.array(id, { minLength: 1, maxLength: 3 }))
      .map(([account, all, ids]) => all.map((collection): Change => ({ kind: 'remove', account, collection, ids }))),
  },
  { weight: 3, arbitrary: key.map((key): Change[] => [{ kind: 'revokeKey', key }]) },
  { weight: 3, arbitrary: key.map((key): Change[] => [{ kind: 'createKey', key, account: ownerOf(key) }]) },
  {
    // Another version of the contract: nothing can be answered until the collection is loaded again.
    weight: 1,
    arbitrary: collection.map((collection) => [
      load('other', collection, [], { replace: true }),
      load('main', collection, [], { replace: true, fingerprint: 'another' }),
    ]),
  },
);

/** A store of a life's own. */
export interface World {
  readonly file: string;
  readonly change: (changes: readonly Change[]) => Promise<void>;
}

/** @returns what makes stores, all alike. */
export async function createWorlds(folder: Folder, other: OtherProcess): Promise<() => World> {
  const first = folder.path('0.db');
  await openWriter(first).close();
  await other.change(first, [
    ...ACCOUNTS.flatMap((account) =>
      COLLECTIONS.map((it) =>
        load(
          account,
          it,
          LOADED.map((id, at) => ({ id, place: at, variant: at })),
        ),
      ),
    ),
    ...[...LIVE, ...REVOKED].map((key): Change => ({ kind: 'createKey', key, account: ownerOf(key) })),
    ...REVOKED.map((key): Change => ({ kind: 'revokeKey', key })),
  ]);
  let count = 0;
  return () => {
    count += 1;
    const file = folder.path(`${String(count)}.db`);
    copyFileSync(first, file);
    const made = new Set([...LIVE, ...REVOKED]);
    // A key is made once.
    const isPossible = (it: Change): boolean => it.kind !== 'createKey' || !made.has(it.key);
    return {
      file,
      change: async (changes) => {
        const possible = changes.filter(isPossible);
        for (const it of possible) if (it.kind === 'createKey') made.add(it.key);
        await other.change(file, possible);
      },
    };
  };
}
