/** The test server's state: accounts whose records, faults and cues change while it runs, and the requests that it has received. */
import { createChecks } from '../import/check.ts';
import { loadContract } from '../contract/document.ts';
import type { Contract } from '../contract/document.ts';
import { schemaHashes } from '../contract/schema.ts';
import { hashOf } from '../server/http/authentication.ts';
import type { Intercept } from '../server/http/pipeline.ts';
import { nextTurn } from '../server/real-time.ts';
import { openInMemory } from '../server/store/sqlite/open.ts';
import { isBearerToken, keyHash } from '../server/store/keys.ts';
import { whenReady } from '../server/store/store.ts';
import type { MaybePromise, Store, Writer } from '../server/store/store.ts';
import { assertRecords, openAccountData } from './account.ts';
import type { AccountData, Records, TestContext } from './account.ts';
import { Conflict, WrongType, WrongValue, assertKnown, assertObject } from './assert.ts';
import { createCues } from './cues.ts';
import type { Cues, FiredCue } from './cues.ts';
import { createFaultInjector, createFaultQueue } from './faults.ts';
import type { FaultQueue, ValidatedFault } from './faults.ts';
import { createRecorder } from './requests.ts';
import type { Course, SeenRequest } from './requests.ts';

/** An account of the test server. */
export interface AccountState {
  readonly name: string;
  readonly data: AccountData;
  readonly faults: FaultQueue;
  readonly cues: Cues;
  readonly requests: SeenRequest[];
  /** Restores its initial records and its key; removes its faults, cues and requests. */
  readonly reset: () => Promise<void>;
  /** Resets the account to other records, or to its current records, which the next reset restores. */
  readonly begin: (records?: Records) => Promise<void>;
  /** Removes the account. Its key no longer works. */
  readonly delete: () => Promise<void>;
}

export interface NewAccount {
  /** Default: `account-1`, `account-2` and so on. */
  readonly name?: string | undefined;
  /** Default: a new one. */
  readonly apiKey?: string | undefined;
  readonly records?: Records | undefined;
}

/** Accounts and their records, to restore a server to. It has no keys, faults, cues or requests. */
export interface Snapshot {
  readonly version: 1;
  readonly accounts: Readonly<Record<string, Records>>;
}

export interface ServerState {
  readonly contract: Contract;
  readonly store: Store;
  readonly writer: Writer;
  readonly intercept: Intercept;
  /** The accounts by name, in the order in which they were created. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** @throws TypeError or RangeError if an option is invalid, or the name or the key is taken. */
  readonly createAccount: (options: NewAccount) => Promise<AccountState>;
  /** Faults of requests with any key. A fault of the request's account takes precedence. */
  readonly faults: FaultQueue;
  /** The latest requests with any key. */
  readonly requests: SeenRequest[];
  /** Resets every account, and removes all faults and requests. */
  readonly reset: () => Promise<void>;
  readonly snapshot: () => Snapshot;
  /** Removes every account that a snapshot lacks, creates missing accounts, and restores the records of all accounts. */
  readonly restore: (snapshot: unknown) => Promise<void>;
  /** Cuts the connections of requests that a fault is being applied to. Every later change is an error. */
  readonly close: () => void;
  /** @throws Error after `close`. */
  readonly assertOpen: () => void;
}

const MAX_ACCOUNTS = 10_000;
const NAME = /^[\w.@-]{1,100}$/;
const NEW_ACCOUNT: readonly string[] = ['name', 'apiKey', 'records'] satisfies (keyof NewAccount)[];
const SNAPSHOT: readonly string[] = ['version', 'accounts'] satisfies (keyof Snapshot)[];
const SNAPSHOT_VERSION = 1;

// Created by the first server of a process and shared by all: these objects are immutable.
let shared: Omit<TestContext, 'store' | 'writer'> | undefined;

function prepare(): NonNullable<typeof shared> {
  const contract = loadContract();
  return { contract, checks: createChecks(contract), hashes: schemaHashes(contract) };
}

interface OpenAccount extends AccountState {
  readonly hash: string;
  /** Resolves when the actions of cues of earlier requests have run. */
  settled: Promise<void> | undefined;
}

export function createServerState(): ServerState {
  const { contract, hashes } = (shared ??= prepare());
  const { store, writer } = openInMemory(hashes);
  const context: TestContext = { ...shared, store, writer };
  const accounts = new Map<string, OpenAccount>();
  const byKey = new Map<string, OpenAccount>();
  const faults = createFaultQueue(contract);
  const injector = createFaultInjector();
  const { requests, record } = createRecorder();
  let created = 0;
  let isClosed = false;
  const assertOpen = (): void => {
    if (isClosed) throw new Error('The server has been closed.');
  };

  const nextName = (): string => {
    do created += 1;
    while (accounts.has(`account-${String(created)}`));
    return `account-${String(created)}`;
  };

  let last: Promise<unknown> = Promise.resolve();
  /** @returns work on all accounts, which begins when earlier work has ended: two at once would leave some of each. */
  const queued =
    <A extends readonly unknown[]>(work: (...args: A) => Promise<void>) =>
    (...args: A): Promise<void> => {
      const done = last.then(() => work(...args));
      last = done.catch(() => undefined);
      return done;
    };

  /** Opens an account without its records: a reset restores them. @throws TypeError or RangeError if it cannot be opened. */
  const open = (name: string, apiKey: string | undefined, records: unknown = {}): OpenAccount => {
    const data = openAccountData(context, name, apiKey);
    const hash = keyHash(data.apiKey).toString('hex');
    if (byKey.has(hash)) throw new Conflict('Another account has this key.');
    let restoreRecords = data.prepareReset(records);
    const account: OpenAccount = {
      ...{ name, data, hash, settled: undefined },
      faults: createFaultQueue(contract),
      cues: createCues(contract, data.prepare),
      requests: [],
      reset: async () => {
        assertOpen();
        account.faults.clear();
        account.cues.clear();
        account.requests.length = 0;
        await restoreRecords();
      },
      begin: async (initial) => {
        restoreRecords = data.prepareReset(initial ?? data.records());
        await account.reset();
      },
      delete: async () => {
        assertOpen();
        accounts.delete(name);
        byKey.delete(hash);
        await data.delete();
      },
    };
    accounts.set(name, account);
    byKey.set(hash, account);
    return account;
  };

  /** Runs the actions of cues, one after the other. Later requests of the account wait for them. */
  const settle = (
    account: OpenAccount,
    cues: readonly FiredCue[],
    fail: (fault: ValidatedFault) => void,
  ): Promise<void> => {
    const turn = (account.settled ?? Promise.resolve()).then(async () => {
      for (const { effects, failed } of cues) {
        for (const effect of effects) {
          try {
            if ('fault' in effect) fail(effect.fault);
            else await effect.change();
          } catch (error) {
            failed(error);
          }
        }
      }
      if (account.settled === turn) account.settled = undefined;
    });
    account.settled = turn;
    return turn;
  };

  const intercept: Intercept = (exchange) => {
    const { req, res, method } = exchange;
    const account = byKey.get(hashOf(req.headers.authorization)?.toString('hex') ?? '');
    const operation = method === 'GET' || method === 'HEAD' ? exchange.operation?.id : undefined;
    const fired = operation === undefined ? [] : (account?.cues.match(operation, exchange) ?? []);
    const course: Course = { cues: fired.map((cue) => cue.number), fault: undefined };
    record(exchange, operation, course, account?.requests);

    const inject = (): MaybePromise<void> => {
      course.fault ??= account?.faults.take(operation) ?? faults.take(operation);
      return course.fault && injector.inject(course.fault, exchange);
    };
    if (account === undefined) return inject();
    const [before, later] = [fired.filter(({ at }) => at === 'before'), fired.filter(({ at }) => at === 'after')];
    if (later.length > 0) {
      let isSent = false;
      const settleLater = (): void => {
        if (!isSent) void settle(account, later, account.faults.addValidated);
        isSent = true;
      };
      res.once('prefinish', settleLater).once('close', settleLater);
    }
    const pending =
      before.length === 0
        ? account.settled
        : settle(account, before, (fault) => {
            course.fault ??= fault;
          });
    return whenReady(pending, inject);
  };

  return {
    ...{ contract, store, writer, intercept, accounts, faults, requests },
    createAccount: async (options) => {
      assertOpen();
      assertObject('An account', options, '{ name: "a", records: {} }');
      assertKnown('account option', Object.keys(options), NEW_ACCOUNT);
      const { name = nextName(), apiKey, records = {} } = options;
      assertName(name);
      if (apiKey !== undefined && (typeof apiKey !== 'string' || !isBearerToken(apiKey))) {
        throw new WrongType(
          '`apiKey` must be 1 to 200 letters, digits or characters of -._~+/, optionally followed by =.',
        );
      }
      if (accounts.has(name)) throw new Conflict(`The account ${name} already exists.`);
      if (accounts.size === MAX_ACCOUNTS)
        throw new Conflict(`There are ${String(MAX_ACCOUNTS)} accounts, which is the maximum. Delete some first.`);
      const account = open(name, apiKey, records);
      await account.reset();
      return account;
    },
    reset: queued(async () => {
      assertOpen();
      faults.clear();
      requests.length = 0;
      for (const account of accounts.values()) {
        await account.reset();
        await nextTurn(); // There may be thousands.
      }
    }),
    snapshot: () => {
      assertOpen();
      const entries = [...accounts.values()].map(({ name, data }) => [name, data.records()] as const);
      return { version: 1, accounts: Object.fromEntries(entries) };
    },
    restore: queued(async (snapshot: unknown) => {
      assertOpen();
      const recordsOf = assertSnapshot(context, snapshot);
      for (const account of [...accounts.values()]) {
        if (Object.hasOwn(recordsOf, account.name)) continue;
        await account.delete();
        await nextTurn();
      }
      for (const [name, records] of Object.entries(recordsOf)) {
        await (accounts.get(name) ?? open(name, undefined)).begin(records);
        await nextTurn();
      }
      faults.clear();
      requests.length = 0;
    }),
    assertOpen,
    close: () => {
      isClosed = true;
      faults.clear();
      for (const account of accounts.values()) {
        account.faults.clear();
        account.cues.clear();
      }
      injector.close();
    },
  };
}

function assertName(name: unknown): asserts name is string {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new WrongType('The name of an account must be 1 to 100 letters, digits or characters of _.@-.');
  // Clients remove `../server` from a path, so that the control API could not name the account.
  if (name.startsWith('.')) throw new WrongType('The name of an account must not begin with a dot.');
}

/** @returns the records of each account. @throws TypeError or RangeError if the snapshot cannot be restored. */
function assertSnapshot(context: TestContext, snapshot: unknown): Snapshot['accounts'] {
  assertObject('A snapshot', snapshot, '{ version: 1, accounts: { demo: { automations: [] } } }');
  assertKnown('snapshot property', Object.keys(snapshot), SNAPSHOT);
  if (snapshot['version'] !== SNAPSHOT_VERSION)
    throw new WrongValue(`The \`version\` of a snapshot must be ${String(SNAPSHOT_VERSION)}.`);
  const { accounts } = snapshot;
  assertObject('`accounts` of a snapshot', accounts, '{ demo: { automations: [] } }');
  const entries = Object.entries(accounts);
  if (entries.length > MAX_ACCOUNTS)
    throw new WrongValue(
      `A snapshot must have no more than ${String(MAX_ACCOUNTS)} accounts; this one has ${String(entries.length)}.`,
    );
  for (const [name, records] of entries) {
    assertName(name);
    assertRecords(context, records);
  }
  return accounts as Snapshot['accounts']; // Each has been checked.
}
