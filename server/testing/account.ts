/** What an account of the kit's server has, and how a test changes it while the server runs. */
import { COLLECTIONS } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import type { Fingerprints } from '../contract/fingerprint.ts';
import type { Schemas } from '../contract/types.ts';
import type { Check } from '../import/check.ts';
import { keyHash, newKey } from '../store/keys.ts';
import type { CheckedRecord, Store, Writer } from '../store/store.ts';
import { demandKnown } from './demand.ts';
import { demandMove, moved } from './builders.ts';
import type { Move } from './builders.ts';

/** Records by collection. */
export type Records = { readonly [C in Collection]?: readonly Resources[C][] };

export interface TestAccount {
  /** The key of the account: it opens its records, and no others. */
  readonly apiKey: string;
  /**
   * Adds records, or replaces those with the same id.
   * @throws TypeError if one is not as the contract has it, or there is no such collection.
   */
  put<C extends Collection>(collection: C, records: readonly Resources[C][]): Promise<void>;
  /** Removes the records with these ids, as far as they are there. @throws TypeError if there is no such collection. */
  remove(collection: Collection, ids: readonly string[]): Promise<void>;
  /**
   * Moves a contact import one step: `queued`, `in_progress`, `completed` (or `failed`), with counts that grow.
   * @returns it as it is now.
   * @throws RangeError if there is none with this id, TypeError or RangeError for a move that is none.
   */
  moveImport(id: string, move?: Move): Promise<Schemas['ContactImport']>;
}

/** What all accounts share. */
export interface Ground {
  readonly contract: Contract;
  readonly checks: Readonly<Record<Collection, Check>>;
  readonly fingerprints: Fingerprints;
  readonly store: Store;
  readonly writer: Writer;
}

export interface OpenAccount {
  readonly account: TestAccount;
  /** Makes it as it was at the start. */
  readonly reset: () => Promise<void>;
}

/**
 * @param name of the account, which no other has.
 * @param records what it has at the start.
 * @throws TypeError as `put` does.
 */
export async function openAccount(ground: Ground, name: string, records: Records): Promise<OpenAccount> {
  const { contract, checks, fingerprints, store, writer } = ground;
  demandCollections(Object.keys(records));

  const check = (collection: Collection, values: readonly unknown[]): CheckedRecord[] => {
    if (!Array.isArray(values)) throw new TypeError(`${collection} must be a list of records.`);
    return values.map((value, at) => {
      const { record, violations } = checks[collection](value);
      if (record !== undefined) return record;
      const reasons = violations.map((it) => `${it.where}: ${it.what}`).join('; ');
      throw new TypeError(`${collection}[${String(at)}] is not as the contract has it: ${reasons}`);
    });
  };
  const load = async (collection: Collection, values: readonly unknown[], replace: boolean): Promise<void> => {
    const fingerprint = fingerprints[collection];
    await writer.load(name, collection, once(check(collection, values)), { replace, fingerprint });
  };
  const reset = async (): Promise<void> => {
    for (const collection of COLLECTIONS) await load(collection, records[collection] ?? [], true);
  };

  await reset();
  const apiKey = newKey();
  await writer.createKey({ id: name, account: name, label: '', createdAt: '' }, keyHash(apiKey));
  const caller = await store.authenticate(keyHash(apiKey));
  if (caller === undefined) throw new Error('The key that was just made does not work.');
  const account: TestAccount = {
    apiKey,
    put: async (collection, values) => {
      demandCollections([collection]);
      await load(collection, values, false);
    },
    remove: async (collection, ids) => {
      demandCollections([collection]);
      const known = ids.map((it) => it.toLowerCase());
      await writer.remove(name, collection, known);
    },
    moveImport: async (id, move = {}) => {
      demandMove(contract, move);
      const text = await store.get(caller.account, 'contactImports', id.toLowerCase());
      if (text === undefined) throw new RangeError(`There is no contact import ${id}.`);
      const now = moved(JSON.parse(text) as Schemas['ContactImport'], move); // It is Json of this very type.
      await load('contactImports', [now], false);
      return now;
    },
  };
  return { account, reset };
}

const demandCollections = (names: readonly string[]): void => {
  demandKnown('collection', names, COLLECTIONS);
};

// eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
async function* once<T>(batch: T): AsyncGenerator<T> {
  yield batch;
}
