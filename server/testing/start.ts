/** Starts a server over a store in memory, and changes what it holds while it runs. */
import { createChecks } from '../import/check.ts';
import { loadContract } from '../contract/document.ts';
import { fingerprintsOf } from '../contract/fingerprint.ts';
import { ANY_ORIGIN, isOrigin } from '../http/cross-origin.ts';
import { startServer } from '../http/server.ts';
import { openInMemory } from '../store/sqlite/open.ts';
import { openAccount } from './account.ts';
import type { Ground, OpenAccount, Records, TestAccount } from './account.ts';
import { demandKnown } from './demand.ts';
import { createFaults } from './faults.ts';
import type { Fault } from './faults.ts';
import { see } from './requests.ts';
import type { SeenRequest } from './requests.ts';

export interface TestServerOptions {
  /** Whose scripts may read the answers, such as `http://localhost:5173`: everybody's unless given, nobody's with `[]`. */
  readonly corsOrigins?: readonly string[];
  /** Whether the console is at `/`, to look at the records of a test that stands still: yes, unless `false`. */
  readonly console?: boolean;
}

/** A server, and the account that it was started with. */
export interface TestServer extends TestAccount, AsyncDisposable {
  /** Where it answers, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** @returns another account, with records and a key of its own. @throws TypeError as `startRollcall` does. */
  account(records?: Records): Promise<TestAccount>;
  /** Makes everything as it was at the start: the records of every account, no fault to come, and no request seen. */
  reset(): Promise<void>;
  /**
   * The next `times` requests (one by default, `Infinity` for all) meet with a fault: those that it is for, and that no
   * earlier fault takes.
   * @throws TypeError or RangeError for a fault that there is not.
   */
  fail(fault: Fault, times?: number): void;
  /** The latest 1000 requests, in the order in which they came. A preflight of a browser is none. */
  readonly requests: readonly SeenRequest[];
  /** What went wrong in the server itself: empty, or a bug in Rollcall. Never a fault that was asked for. */
  readonly errors: readonly unknown[];
  /** Stops the server. `await using` does it by itself. */
  close(): Promise<void>;
}

const OPTIONS: readonly string[] = ['corsOrigins', 'console'] satisfies (keyof TestServerOptions)[];

/** @returns all options. @throws TypeError if one is unknown or wrong. */
function withDefaults(options: TestServerOptions): Required<TestServerOptions> {
  demandKnown('option of a server', Object.keys(options), OPTIONS);
  const { corsOrigins = [ANY_ORIGIN], console = true } = options;
  if (typeof console !== 'boolean') throw new TypeError('`console` must be true or false.');
  if (!Array.isArray(corsOrigins) || !corsOrigins.every((it) => isOrigin(String(it)))) {
    throw new TypeError(
      '`corsOrigins` must be a list of scheme, host and port alone, such as https://app.example, or *.',
    );
  }
  return { corsOrigins, console };
}

// Made by the first server of a process, for all of them: they do not change.
let shared: Omit<Ground, 'store' | 'writer'> | undefined;

function prepare(): NonNullable<typeof shared> {
  const contract = loadContract();
  return { contract, checks: createChecks(contract), fingerprints: fingerprintsOf(contract) };
}

/** As `rollcall/testing` has it. */
export async function startRollcall(records: Records = {}, options: TestServerOptions = {}): Promise<TestServer> {
  const { corsOrigins, console } = withDefaults(options);
  const { contract, fingerprints } = (shared ??= prepare());
  const { store, writer } = openInMemory(fingerprints);
  const ground = { ...shared, store, writer };
  const accounts: OpenAccount[] = [];
  let opened = 0;
  const open = async (its: Records): Promise<TestAccount> => {
    opened += 1;
    const it = await openAccount(ground, `account-${String(opened)}`, its);
    accounts.push(it);
    return it.account;
  };

  const errors: unknown[] = [];
  const requests: SeenRequest[] = [];
  const faults = createFaults(contract, (met) => {
    see(requests, met);
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
    cacheBytes: 0, // A test asks for little, and changes much.
    corsOrigins,
    pages: { console, reference: true },
  });
  const close = (): Promise<void> => {
    faults.close();
    return listener.stop(0); // Nobody is waited for: not a request that its sender has left, nor one that is late.
  };
  return {
    url: listener.url,
    ...first,
    ...{ errors, requests, close },
    account: (its = {}) => open(its),
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
