/** An account of the test server: its records, and the methods that change them while the server runs. */
import { COLLECTIONS } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import type { SchemaHashes } from '../contract/schema.ts';
import type { Schemas } from '../contract/types.ts';
import type { Check } from '../import/check.ts';
import { keyHash, newKey } from '../store/keys.ts';
import type { CheckedRecord, Store, Writer } from '../store/store.ts';
import { assertKnown } from './assert.ts';
import { assertMove, moveOneStep } from './builders.ts';
import type { Move } from './builders.ts';

/** Records by collection. */
export type Records = { readonly [C in Collection]?: readonly Resources[C][] };

export interface TestAccount {
  /** The API key of the account. It gives access to the records of this account only. */
  readonly apiKey: string;
  /**
   * Adds records, or replaces those with the same id.
   * @throws TypeError if a record does not match the contract, or the collection does not exist.
   */
  put<C extends Collection>(collection: C, records: readonly Resources[C][]): Promise<void>;
  /** Removes the records with these ids; ignores unknown ids. @throws TypeError if the collection does not exist. */
  remove(collection: Collection, ids: readonly string[]): Promise<void>;
  /**
   * Moves a contact import one step: `queued`, `in_progress`, `completed` (or `failed`), with counts that grow.
   * @returns the contact import after the step.
   * @throws RangeError if no contact import has this id; TypeError or RangeError for invalid options.
   */
  moveImport(id: string, move?: Move): Promise<Schemas['ContactImport']>;
}

/** The objects that all accounts of a server share. */
export interface TestContext {
  readonly contract: Contract;
  readonly checks: Readonly<Record<Collection, Check>>;
  readonly hashes: SchemaHashes;
  readonly store: Store;
  readonly writer: Writer;
}

export interface OpenAccount {
  readonly account: TestAccount;
  /** Restores the records that the account had at the start. */
  readonly reset: () => Promise<void>;
}

/**
 * Creates an account with an API key.
 * @param name unique among the accounts of the server.
 * @param records the records of the account at the start.
 * @throws TypeError like `put`.
 */
export async function openAccount(context: TestContext, name: string, records: Records): Promise<OpenAccount> {
  const { contract, checks, hashes, store, writer } = context;
  assertCollections(Object.keys(records));

  const check = (collection: Collection, values: readonly unknown[]): CheckedRecord[] => {
    if (!Array.isArray(values)) throw new TypeError(`${collection} must be a list of records.`);
    return values.map((value, index) => {
      const { record, violations } = checks[collection](value);
      if (record !== undefined) return record;
      const reasons = violations.map((it) => `${it.where}: ${it.what}`).join('; ');
      throw new TypeError(`${collection}[${String(index)}] is not as the contract has it: ${reasons}`);
    });
  };
  const load = async (collection: Collection, values: readonly unknown[], replace: boolean): Promise<void> => {
    const hash = hashes[collection];
    await writer.load(name, collection, once(check(collection, values)), { replace, schemaHash: hash });
  };
  const reset = async (): Promise<void> => {
    for (const collection of COLLECTIONS) await load(collection, records[collection] ?? [], true);
  };

  await reset();
  const apiKey = newKey();
  await writer.createKey({ id: name, account: name, label: '', createdAt: '' }, keyHash(apiKey));
  const caller = await store.authenticate(keyHash(apiKey));
  if (caller === undefined) throw new Error('The key that was just created does not work.');
  const account: TestAccount = {
    apiKey,
    put: async (collection, values) => {
      assertCollections([collection]);
      await load(collection, values, false);
    },
    remove: async (collection, ids) => {
      assertCollections([collection]);
      const lowerCaseIds = ids.map((it) => it.toLowerCase());
      await writer.remove(name, collection, lowerCaseIds);
    },
    moveImport: async (id, move = {}) => {
      assertMove(contract, move);
      const text = await store.get(caller.account, 'contactImports', id.toLowerCase());
      if (text === undefined) throw new RangeError(`There is no contact import ${id}.`);
      const now = moveOneStep(JSON.parse(text) as Schemas['ContactImport'], move); // `text` is Json of this type.
      await load('contactImports', [now], false);
      return now;
    },
  };
  return { account, reset };
}

const assertCollections = (names: readonly string[]): void => {
  assertKnown('collection', names, COLLECTIONS);
};

// eslint-disable-next-line @typescript-eslint/require-await -- `load` takes an async source
async function* once<T>(batch: T): AsyncGenerator<T> {
  yield batch;
}
