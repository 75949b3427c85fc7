/** The records and the key of an account of the test server, which change while it runs. */
import { COLLECTIONS } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import type { Contract } from '../contract/document.ts';
import type { SchemaHashes } from '../contract/schema.ts';
import type { Account, Schemas } from '../contract/types.ts';
import type { Check } from '../import/check.ts';
import { keyHash, newKey } from '../server/store/keys.ts';
import { NOBODY } from '../server/store/store.ts';
import type { CheckedRecord, Store, Writer } from '../server/store/store.ts';
import { NotFound, WrongType, assertKnown, assertList, assertObject } from './assert.ts';
import { assertMove, moveImport } from './builders.ts';
import type { Move } from './builders.ts';

/** Records by collection. */
export type Records = { readonly [C in Collection]?: readonly Resources[C][] | undefined };

/** A change of an account's records, or of its key. */
export type Change =
  | {
      readonly [C in Collection]: {
        readonly put: { readonly collection: C; readonly records: readonly Resources[C][] };
      };
    }[Collection]
  | { readonly remove: { readonly collection: Collection; readonly ids: readonly string[] } }
  | { readonly moveImport: Move & { readonly id: string } }
  | { readonly revokeKey: true };

/**
 * Validates a change, which may come from JavaScript or from JSON.
 * @returns a function that executes the change. It can be called several times.
 * @throws TypeError or RangeError if the change is invalid.
 */
export type Prepare = (change: unknown) => () => Promise<unknown>;

/** The objects that all accounts of a server share. */
export interface TestContext {
  readonly contract: Contract;
  readonly checks: Readonly<Record<Collection, Check>>;
  readonly hashes: SchemaHashes;
  readonly store: Store;
  readonly writer: Writer;
}

/** The records and the key of one account in the store. */
export interface AccountData {
  readonly apiKey: string;
  readonly prepare: Prepare;
  /** @returns the records of the account, in the order of its lists. */
  readonly records: () => Records;
  /** @returns a function that replaces all records and restores a revoked key. @throws TypeError like `prepare`. */
  readonly prepareReset: (records: unknown) => () => Promise<void>;
  /** Removes the account with its records and its key. */
  readonly delete: () => Promise<void>;
}

// More than any test needs: all of them are held in memory.
const MAX_RECORDS = 100_000;
const CHANGES = ['put', 'remove', 'moveImport', 'revokeKey'] as const;
/** The changes, and the action that only cues have. */
const ACTIONS = [...CHANGES, 'fail'];
const EXAMPLES = {
  records: '{ automations: [automation()] }',
  put: '{ collection: "automations", records: [automation()] }',
  remove: '{ collection: "automations", ids: [id] }',
  moveImport: '{ id }',
};

type Checked = ReadonlyMap<Collection, readonly CheckedRecord[]>;

/** @param name unique among the accounts of the server. */
export function openAccountData(context: TestContext, name: string, apiKey = newKey()): AccountData {
  const { contract, hashes, store, writer } = context;
  const hash = keyHash(apiKey);
  let account = NOBODY; // Until the first reset.
  let isDeleted = false;
  /** @throws RangeError if the account has been deleted: a write would recreate it. */
  const assertExists = (): void => {
    if (isDeleted) throw new NotFound(`The account ${name} has been deleted.`);
  };

  const load = async (collection: Collection, records: readonly CheckedRecord[], replace: boolean): Promise<void> => {
    assertExists();
    await writer.load(name, collection, once(records), { replace, schemaHash: hashes[collection] });
  };
  const textOf = async (collection: Collection, id: string): Promise<string | undefined> =>
    store.get(account, collection, id.toLowerCase());

  const PREPARE: Readonly<Record<(typeof CHANGES)[number], (value: unknown) => () => Promise<unknown>>> = {
    put: (value) => {
      const { collection, records } = optionsOf('put', value, ['collection', 'records']);
      assertKnown('collection', [collection], COLLECTIONS);
      const checked = checkRecords(context, collection as Collection, records); // A known one.
      return () => load(collection as Collection, checked, false);
    },
    remove: (value) => {
      const { collection, ids } = optionsOf('remove', value, ['collection', 'ids']);
      assertKnown('collection', [collection], COLLECTIONS);
      assertList('`ids`', ids, MAX_RECORDS);
      const lowerCaseIds = ids.map((id) => String(id).toLowerCase());
      return async () => {
        const texts = await Promise.all(lowerCaseIds.map((id) => textOf(collection as Collection, id)));
        const unknown = lowerCaseIds.filter((_, at) => texts[at] === undefined);
        if (unknown.length > 0)
          throw new NotFound(
            `There is no record ${unknown.join(', ')} in ${String(collection)}. No record was removed.`,
          );
        await writer.remove(name, collection as Collection, lowerCaseIds);
      };
    },
    moveImport: (value) => {
      assertObject('`moveImport`', value, EXAMPLES.moveImport);
      const { id, ...move } = value;
      if (typeof id !== 'string') throw new WrongType('`id` must be the id of a contact import.');
      assertMove(contract, move);
      return async () => {
        const text = await textOf('contactImports', id);
        if (text === undefined) throw new NotFound(`There is no contact import ${id}.`);
        const now = moveImport(JSON.parse(text) as Schemas['ContactImport'], move); // `text` is Json of this type.
        await load('contactImports', checkRecords(context, 'contactImports', [now]), false);
        return now;
      };
    },
    revokeKey: (value) => {
      if (value !== true) throw new WrongType('`revokeKey` must be true.');
      return async () => {
        assertExists();
        await writer.revokeKey(name, new Date(0).toISOString());
      };
    },
  };
  return {
    apiKey,
    prepare: (change) => {
      assertObject('A change', change, '{ remove: { collection: "automations", ids: [id] } }');
      const [kind, other] = Object.keys(change);
      if (kind === undefined || other !== undefined) {
        throw new WrongType(`An action must have exactly one of ${ACTIONS.join(', ')}.`);
      }
      assertKnown('action', [kind], ACTIONS);
      return PREPARE[kind as keyof typeof PREPARE](change[kind]); // A known one.
    },
    records: () =>
      Object.fromEntries(COLLECTIONS.map((collection) => [collection, listAll(store, account, collection)])), // As they were loaded.
    prepareReset: (records) => {
      const checked = checkAll(context, records);
      return async () => {
        assertExists();
        const isNew = (await store.authenticate(hash)) === undefined;
        if (isNew) {
          await writer.removeAccount(name);
          await writer.createKey({ id: name, account: name, label: '', createdAt: '' }, hash);
          account = (await store.authenticate(hash))?.account ?? NOBODY;
        }
        for (const [collection, values] of checked) {
          if (!isNew || values.length > 0) await load(collection, values, true); // A load costs more than ten records.
        }
      };
    },
    delete: async () => {
      isDeleted = true;
      await writer.removeAccount(name);
    },
  };
}

function listAll(store: Store, account: Account, collection: Collection): readonly unknown[] {
  const page = store.list(account, collection, { limit: MAX_RECORDS });
  if (page instanceof Promise) throw new Error('A store in memory reads at once.');
  return (page?.items ?? []).map((item): unknown => JSON.parse(item));
}

/** @returns the options of a change. @throws TypeError if it is not an object, or has an unknown option. */
function optionsOf(kind: 'put' | 'remove', value: unknown, known: readonly string[]): Partial<Record<string, unknown>> {
  assertObject(`\`${kind}\``, value, EXAMPLES[kind]);
  assertKnown(`option of \`${kind}\``, Object.keys(value), known);
  return value;
}

/** @throws TypeError or RangeError that names the collection and the record. */
export function assertRecords(context: TestContext, records: unknown): asserts records is Records {
  checkAll(context, records);
}

function checkAll(context: TestContext, records: unknown): Checked {
  assertObject('The records', records, EXAMPLES.records);
  assertKnown('collection', Object.keys(records), COLLECTIONS);
  return new Map(
    COLLECTIONS.map((collection) => [
      collection,
      records[collection] === undefined ? [] : checkRecords(context, collection, records[collection]),
    ]),
  );
}

function checkRecords({ checks }: TestContext, collection: Collection, values: unknown): readonly CheckedRecord[] {
  assertList(collection, values, MAX_RECORDS);
  const positions = new Map<string, number>();
  return values.map((value, index) => {
    const { record, violations } = checks[collection](value);
    const where = `${collection}[${String(index)}]`;
    if (record === undefined) {
      const reasons = violations.map((violation) => `${violation.where}: ${violation.what}`).join('; ');
      throw new WrongType(`${where} does not match the contract: ${reasons}`);
    }
    const other = positions.get(record.id);
    if (other !== undefined)
      throw new WrongType(`${where} has the id of ${collection}[${String(other)}]: ${record.id}`);
    positions.set(record.id, index);
    return record;
  });
}

// eslint-disable-next-line @typescript-eslint/require-await -- `load` takes an async source
async function* once<T>(batch: T): AsyncGenerator<T> {
  yield batch;
}
