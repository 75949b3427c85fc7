/** The test server: a real server over a store in memory, whose records and faults change while it runs. */
import { ANY_ORIGIN, isOrigin } from '../server/http/cross-origin.ts';
import { startServer } from '../server/compose.ts';
import type { Collection, Resources } from '../contract/collections.ts';
import type { Schemas } from '../contract/types.ts';
import type { Change, Records } from './account.ts';
import { WrongType, assertKnown, assertObject } from './assert.ts';
import type { Move } from './builders.ts';
import type { Cue, CueOptions } from './cues.ts';
import { createServerState } from './server-state.ts';
import type { AccountState, NewAccount, ServerState, Snapshot } from './server-state.ts';
import type { Fault } from './faults.ts';
import { inspected } from './inspected.ts';
import type { SeenRequest } from './requests.ts';
import { addScenario } from './scenarios.ts';
import type { ScenarioName, ScenarioOptions } from './scenarios.ts';

export interface TestAccount {
  readonly name: string;
  /** The API key of the account. It gives access to the records of this account only. */
  readonly apiKey: string;
  /**
   * Adds records, or replaces those with the same id.
   * @throws TypeError if a record does not match the contract, two have the same id, or the collection does not exist.
   */
  put<C extends Collection>(collection: C, records: readonly Resources[C][]): Promise<void>;
  /**
   * Removes the records with these ids.
   * @throws RangeError if the collection lacks a record with one of the ids. No record is removed then.
   */
  remove(collection: Collection, ids: readonly string[]): Promise<void>;
  /**
   * Moves a contact import one step, or to its end: `queued`, `in_progress`, `completed` (or `failed`), with counts that grow.
   * @returns the contact import after the step.
   * @throws RangeError if no contact import has this id, or it has ended; TypeError or RangeError for invalid options.
   */
  moveImport(id: string, move?: Move): Promise<Schemas['ContactImport']>;
  /** Revokes the key: requests with it get a 401, until `reset`. */
  revokeKey(): Promise<void>;
  /**
   * Injects a fault into the next `times` requests with the key of the account (default: one; `Infinity` for all) that match it and
   * no earlier fault.
   * @throws TypeError or RangeError for an invalid fault.
   */
  fail(fault: Fault, times?: number): void;
  /** Removes the pending faults. */
  clearFaults(): void;
  /**
   * Adds a cue: actions that run at a given request with the key of the account.
   * @returns the cue, which counts how often it has fired.
   * @throws TypeError or RangeError for an invalid cue.
   */
  cue(cue: CueOptions): Cue;
  /**
   * Adds the cue of a scenario, built from the records of the account. `docs/test-kit.md` describes a correct client. To change a
   * detail, such as `retryAfter`, add your own cue instead.
   * @throws TypeError or RangeError for an invalid option, or if the account does not have the records for it.
   */
  scenario(name: ScenarioName, options?: ScenarioOptions): Cue;
  /** The cues, in the order in which they were added. */
  readonly cues: readonly Cue[];
  /** Removes the cues. */
  clearCues(): void;
  /** The latest 1000 requests with the key of the account, in order of arrival. Preflight requests of browsers are not recorded. */
  readonly requests: readonly SeenRequest[];
  /** Removes the recorded requests. */
  clearRequests(): void;
  /** Restores the records that the account had at the start, and its key; removes its faults, cues and requests. */
  reset(): Promise<void>;
  /** Deletes the account: its key no longer works. */
  delete(): Promise<void>;
}

export interface TestServerOptions {
  /** Origins whose scripts may read the responses, such as `http://localhost:5173`. Default: all. `[]` allows none. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Whether to serve the console at `/`, to inspect the records while a test is paused. Default: true. */
  readonly console?: boolean | undefined;
}

/** A server, with the methods of its first account. Its faults, its requests and `reset` apply to all accounts. */
export interface TestServer extends TestAccount, AsyncDisposable {
  /** The base URL, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** @returns another account, with its own records and key, in 2.4 ms of CPU. @throws TypeError or RangeError like `startRollcall`. */
  account(records?: Records, options?: Omit<NewAccount, 'records'>): Promise<TestAccount>;
  /** The accounts, in the order in which they were created. */
  readonly accounts: readonly TestAccount[];
  /**
   * Injects a fault into the next requests with any key.
   * @throws TypeError or RangeError for an invalid fault.
   */
  fail(fault: Fault, times?: number): void;
  /** Removes the pending faults for requests with any key. The faults of each account remain. */
  clearFaults(): void;
  /** The latest 1000 requests with any key or none, in order of arrival. Preflight requests of browsers are not recorded. */
  readonly requests: readonly SeenRequest[];
  /** Removes the recorded requests. Each account keeps its own list. */
  clearRequests(): void;
  /** Resets every account; removes every fault and every recorded request. */
  reset(): Promise<void>;
  /** @returns the accounts and their records, without keys, faults, cues and requests. `rollcall demo --seed <file>` serves it, as JSON. */
  snapshot(): Snapshot;
  /**
   * Restores accounts and records. Deletes accounts that the snapshot does not contain. The next reset restores the same state.
   * @throws TypeError or RangeError if it is not a valid snapshot. Nothing has changed then.
   */
  restore(snapshot: Snapshot): Promise<void>;
  /** Internal errors of the server. Empty, unless there is a bug in Rollcall; injected faults are not among them. */
  readonly errors: readonly unknown[];
  /** Stops the server. `await using` calls it at the end of the block. */
  close(): Promise<void>;
}

const OPTIONS: readonly string[] = ['corsOrigins', 'console'] satisfies (keyof TestServerOptions)[];

/** @returns the options with their defaults. @throws TypeError if an option is unknown or invalid. */
function withDefaults(options: unknown): { readonly corsOrigins: readonly string[]; readonly console: boolean } {
  assertObject('The options of a server', options, '{ console: false }');
  assertKnown('server option', Object.keys(options), OPTIONS);
  const { corsOrigins = [ANY_ORIGIN], console = true } = options;
  if (typeof console !== 'boolean') throw new WrongType('`console` must be true or false.');
  if (!Array.isArray(corsOrigins) || !corsOrigins.every((origin) => isOrigin(String(origin)))) {
    throw new WrongType(
      '`corsOrigins` must be a list of scheme, host and port alone, such as https://app.example, or *.',
    );
  }
  return { corsOrigins: corsOrigins.map(String), console };
}

/** Documented in `index.ts`. */
export async function startRollcall(records: Records = {}, options: TestServerOptions = {}): Promise<TestServer> {
  const { corsOrigins, console } = withDefaults(options);
  const state = createServerState();
  const { contract, store, intercept, faults, requests } = state;
  const errors: unknown[] = [];
  const opened = new WeakMap<AccountState, TestAccount>();
  const open = (account: AccountState): TestAccount => {
    const testAccount = opened.get(account) ?? accountOf(state, account);
    opened.set(account, testAccount);
    return testAccount;
  };
  const first = open(await state.createAccount({ records }));
  const listener = await startServer({
    contract,
    store,
    intercept,
    observer: { failed: ({ error }) => errors.push(error) },
    host: '127.0.0.1',
    port: 0,
    isBackground: true, // A test that does not close it must not keep the process of the tests alive.
    cacheBytes: 0, // Tests send few requests and change the data often.
    corsOrigins,
    pages: { console, reference: true },
  });
  const close = (): Promise<void> => {
    state.close();
    return listener.stop(0); // Does not wait for requests: a client may have disconnected, or a fault may delay the response.
  };
  return inspected<TestServer>({
    ...first,
    ...{ url: listener.url, errors, requests, close },
    get cues() {
      return first.cues;
    },
    account: async (initial = {}, { name, apiKey } = {}) =>
      open(await state.createAccount({ name, apiKey, records: initial })),
    get accounts() {
      return [...state.accounts.values()].map(open);
    },
    reset: state.reset,
    snapshot: state.snapshot,
    restore: state.restore,
    fail: (fault, times = 1) => {
      state.assertOpen();
      faults.add(fault, times);
    },
    clearFaults: faults.clear,
    clearRequests: () => {
      requests.length = 0;
    },
    [Symbol.asyncDispose]: close,
  });
}

/** @returns an account of a server, for tests. */
export function accountOf({ assertOpen }: ServerState, account: AccountState): TestAccount {
  const { name, data, faults, cues, requests, reset } = account;
  const change = async (next: Change): Promise<unknown> => {
    assertOpen();
    return data.prepare(next)();
  };
  return inspected<TestAccount>({
    ...{ name, apiKey: data.apiKey, requests, reset, delete: account.delete },
    put: async (collection, records) => {
      await change({ put: { collection, records } } as Change); // The compiler cannot see that one is of the other.
    },
    remove: async (collection, ids) => {
      await change({ remove: { collection, ids } });
    },
    moveImport: async (id, move = {}) => (await change({ moveImport: { ...move, id } })) as Schemas['ContactImport'], // The result of this change.
    revokeKey: async () => {
      await change({ revokeKey: true });
    },
    fail: (fault, times = 1) => {
      assertOpen();
      faults.add(fault, times);
    },
    clearFaults: faults.clear,
    cue: (cue) => {
      assertOpen();
      return cues.add(cue);
    },
    scenario: (scenario, options = {}) => {
      assertOpen();
      return addScenario(account, { ...options, name: scenario });
    },
    get cues() {
      return cues.list();
    },
    clearCues: cues.clear,
    clearRequests: () => {
      requests.length = 0;
    },
  });
}
