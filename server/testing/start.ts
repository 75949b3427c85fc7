/** The test server: a real server over a store in memory, whose records and faults change while it runs. */
import { createChecks } from '../import/check.ts';
import { loadContract } from '../contract/document.ts';
import { schemaHashes } from '../contract/schema.ts';
import { ANY_ORIGIN, isOrigin } from '../http/cross-origin.ts';
import { startServer } from '../http/server.ts';
import { openInMemory } from '../store/sqlite/open.ts';
import { openAccount } from './account.ts';
import type { TestContext, OpenAccount, Records, TestAccount } from './account.ts';
import { assertKnown } from './assert.ts';
import { createFaults } from './faults.ts';
import type { Fault } from './faults.ts';
import { recordRequest } from './requests.ts';
import type { SeenRequest } from './requests.ts';

export interface TestServerOptions {
  /** Origins whose scripts may read the responses, such as `http://localhost:5173`. Default: all. `[]` allows none. */
  readonly corsOrigins?: readonly string[];
  /** Whether to serve the console at `/`, to inspect the records while a test is paused. Default: true. */
  readonly console?: boolean;
}

/** A server, and the account that it was started with. */
export interface TestServer extends TestAccount, AsyncDisposable {
  /** The base URL, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** @returns another account, with its own records and key. @throws TypeError like `startRollcall`. */
  account(records?: Records): Promise<TestAccount>;
  /** Restores the initial state: the records of every account, no pending fault, no recorded request. */
  reset(): Promise<void>;
  /**
   * Injects a fault into the next `times` requests (default: one; `Infinity` for all) that it applies to and that no
   * earlier fault takes.
   * @throws TypeError or RangeError for an invalid fault.
   */
  fail(fault: Fault, times?: number): void;
  /** The latest 1000 requests, in order of arrival. Preflight requests of browsers are not recorded. */
  readonly requests: readonly SeenRequest[];
  /** Internal errors of the server. Empty, unless there is a bug in Rollcall; injected faults are not among them. */
  readonly errors: readonly unknown[];
  /** Stops the server. `await using` calls it at the end of the block. */
  close(): Promise<void>;
}

const OPTIONS: readonly string[] = ['corsOrigins', 'console'] satisfies (keyof TestServerOptions)[];

/** @returns the options with their defaults. @throws TypeError if an option is unknown or invalid. */
function withDefaults(options: TestServerOptions): Required<TestServerOptions> {
  assertKnown('option of a server', Object.keys(options), OPTIONS);
  const { corsOrigins = [ANY_ORIGIN], console = true } = options;
  if (typeof console !== 'boolean') throw new TypeError('`console` must be true or false.');
  if (!Array.isArray(corsOrigins) || !corsOrigins.every((it) => isOrigin(String(it)))) {
    throw new TypeError(
      '`corsOrigins` must be a list of scheme, host and port alone, such as https://app.example, or *.',
    );
  }
  return { corsOrigins, console };
}

// Created by the first server of a process and shared by all: these objects are immutable.
let shared: Omit<TestContext, 'store' | 'writer'> | undefined;

function prepare(): NonNullable<typeof shared> {
  const contract = loadContract();
  return { contract, checks: createChecks(contract), hashes: schemaHashes(contract) };
}

/** Documented in `index.ts`. */
export async function startRollcall(records: Records = {}, options: TestServerOptions = {}): Promise<TestServer> {
  const { corsOrigins, console } = withDefaults(options);
  const { contract, hashes } = (shared ??= prepare());
  const { store, writer } = openInMemory(hashes);
  const context = { ...shared, store, writer };
  const accounts: OpenAccount[] = [];
  let opened = 0;
  const open = async (initial: Records): Promise<TestAccount> => {
    opened += 1;
    const it = await openAccount(context, `account-${String(opened)}`, initial);
    accounts.push(it);
    return it.account;
  };

  const errors: unknown[] = [];
  const requests: SeenRequest[] = [];
  const faults = createFaults(contract, (intercepted) => {
    recordRequest(requests, intercepted);
  });
  const first = await open(records);
  const listener = await startServer({
    contract,
    store,
    intercept: faults.intercept,
    observer: { failed: ({ error }) => errors.push(error) },
    host: '127.0.0.1',
    port: 0,
    isWarm: false,
    cacheBytes: 0, // Tests send few requests and change the data often.
    corsOrigins,
    pages: { console, reference: true },
  });
  const close = (): Promise<void> => {
    faults.close();
    return listener.stop(0); // Does not wait for requests: a client may have disconnected, or a fault may delay the response.
  };
  return {
    url: listener.url,
    ...first,
    ...{ errors, requests, close },
    account: (initial = {}) => open(initial),
    reset: async () => {
      faults.clear();
      for (const it of accounts) await it.reset();
      requests.length = 0;
    },
    fail: (fault, times = 1) => {
      faults.add(fault, times);
    },
    [Symbol.asyncDispose]: close,
  };
}
