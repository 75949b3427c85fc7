/** Starts a server over a store in memory, and changes what it holds while it runs. */
import type { Schemas } from '../contract/types.ts';
import { keyHash, newKey } from '../store/keys.ts';
import { startServer } from '../http/server.ts';
import { createChecks } from '../records/check.ts';
import { COLLECTIONS } from '../contract/collections.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { fingerprintsOf } from '../contract/fingerprint.ts';
import type { Fingerprints } from '../contract/fingerprint.ts';
import { openInMemory } from '../store/sqlite/open.ts';
import type { CheckedRecord } from '../store/store.ts';
import { createFaults } from './faults.ts';
import type { Fault } from './fault.ts';
import { moved } from './moves.ts';
import type { Move } from './moves.ts';

/** Records by collection. */
export type Records = { readonly [C in Collection]?: readonly Resources[C][] };

export interface TestServer extends AsyncDisposable {
  /** Where it answers, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The key of the account that has the records. */
  readonly apiKey: string;
  /** Adds records, or replaces those with the same id. @throws TypeError if one is not as the contract has it. */
  put<C extends Collection>(collection: C, records: readonly Resources[C][]): Promise<void>;
  /** Removes the records with these ids, as far as they are there. */
  remove(collection: Collection, ids: readonly string[]): Promise<void>;
  /** Makes everything as it was at the start: the records, and no fault to come. */
  reset(): Promise<void>;
  /** The next `times` requests (one by default) meet with a fault. Faults queue up. */
  fail(fault: Fault, times?: number): void;
  /**
   * Moves a contact import one step: `queued`, `in_progress`, `completed` (or `failed`), with counts that grow.
   * @returns it as it is now. @throws RangeError if there is none with this id.
   */
  moveImport(id: string, move?: Move): Promise<Schemas['ContactImport']>;
  /** What went wrong in the server itself: empty, or a bug in Rollcall. */
  readonly errors: readonly unknown[];
  /** Stops the server. `await using` does it by itself. */
  close(): Promise<void>;
}

// Made by the first server of a process, for all of them: they do not change.
let shared: Shared | undefined;
interface Shared {
  readonly contract: Contract;
  readonly checks: ReturnType<typeof createChecks>;
  readonly fingerprints: Fingerprints;
}

const ACCOUNT = 'test';

/**
 * Starts a server on a free port of loopback.
 * @param records what it holds at the start; they are checked like those of `rollcall import`.
 * @throws TypeError if a record is not as the contract has it; it says which, where and why.
 */
export async function startRollcall(records: Records = {}): Promise<TestServer> {
  const { contract, checks, fingerprints } = (shared ??= prepare());
  const { store, writer } = openInMemory(fingerprints);
  const faults = createFaults();

  const check = (collection: Collection, values: readonly unknown[]): CheckedRecord[] =>
    values.map((value, at) => {
      const { record, violations: wrong } = checks[collection](value);
      if (record !== undefined) return record;
      const reasons = wrong.map((it) => `${it.where}: ${it.what}`).join('; ');
      throw new TypeError(`${collection}[${String(at)}] is not as the contract has it: ${reasons}`);
    });
  const load = async (collection: Collection, values: readonly unknown[], replace: boolean): Promise<void> => {
    const fingerprint = fingerprints[collection];
    await writer.load(ACCOUNT, collection, once(check(collection, values)), { replace, fingerprint });
  };
  const reset = async (): Promise<void> => {
    faults.clear();
    for (const collection of COLLECTIONS) await load(collection, records[collection] ?? [], true);
  };

  const errors: unknown[] = [];
  const apiKey = newKey();
  await reset();
  await writer.createKey({ id: 'test', account: ACCOUNT, label: '', createdAt: '' }, keyHash(apiKey));
  const caller = await store.authenticate(keyHash(apiKey));
  if (caller === undefined) throw new Error('The key that was just made does not work.');

  const listener = await startServer({
    contract,
    store,
    intercept: faults.intercept,
    observer: { failed: ({ error }) => errors.push(error) },
    host: '127.0.0.1',
    port: 0,
    isWarm: false,
    cacheBytes: 0, // A test asks for little, and changes much.
  });
  const close = (): Promise<void> => listener.stop(0); // Nobody sends any more.

  return {
    url: listener.url,
    apiKey,
    put: (collection, values) => load(collection, values, false),
    remove: async (collection, ids) => {
      await writer.remove(
        ACCOUNT,
        collection,
        ids.map((it) => it.toLowerCase()),
      );
    },
    reset,
    fail: (fault, times = 1) => {
      faults.add(fault, times);
    },
    moveImport: async (id, move = {}) => {
      const text = await store.get(caller.account, 'contactImports', id.toLowerCase());
      if (text === undefined) throw new RangeError(`There is no contact import ${id}.`);
      const now = moved(JSON.parse(text) as Schemas['ContactImport'], move); // It is Json of this very type.
      await load('contactImports', [now], false);
      return now;
    },
    errors,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function prepare(): Shared {
  const contract = loadContract();
  return { contract, checks: createChecks(contract), fingerprints: fingerprintsOf(contract) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
async function* once<T>(batch: T): AsyncGenerator<T> {
  yield batch;
}
