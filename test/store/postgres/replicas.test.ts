/** Which of several replicas is asked, and who is asked next: by stores that only say who they are. How a replica is watched. */
import { describe, expect, jest, test } from '@jest/globals';
import { loadContract } from '../../../contract/document.ts';
import { schemaHashes } from '../../../contract/schema.ts';
import type { Account, Json } from '../../../contract/types.ts';
import { shownAddress } from '../../../server/store/address.ts';
import type { ReplicaEvent } from '../../../server/store/database.ts';
import { openForReading } from '../../../server/store/postgres/database.ts';
import type { PostgresReads } from '../../../server/store/postgres/reader.ts';
import { readFromReplicas, watchReplica } from '../../../server/store/postgres/replicas.ts';
import type { Replica } from '../../../server/store/postgres/replicas.ts';
import { StoreUnavailable } from '../../../server/store/store.ts';
import type { Records } from '../../../server/store/store.ts';
import { afterTest } from '../../support/after-test.ts';
import { openDatabase } from '../../support/engine.ts';

/** A store whose every record is its name; it knows no cursor and no key. */
function storeOf(name: string, get: () => string | undefined = () => name): PostgresReads {
  const records: Records = {
    list: () => undefined,
    // A test looks at the texts alone.
    get: () => get() as Json<never> | undefined,
  };
  return {
    ...records,
    authenticate: () => Promise.resolve(undefined),
    readerOf: () => records,
    probe: () => Promise.resolve(true),
    close: () => undefined,
  };
}

interface Told extends Replica {
  isOut: boolean;
}
function replicaOf(seed: number, store = storeOf(String(seed))): Told {
  const it: Told = {
    isOut: false,
    seed,
    serving: () => (it.isOut ? undefined : { store, failed: () => (it.isOut = true) }),
    close: () => Promise.resolve(),
  };
  return it;
}
const ask = async (store: PostgresReads, account = 1): Promise<unknown> =>
  store.get(account as Account, 'automations', 'any');

const SEEDS = [0x1234_5678, 0x9abc_def0, 3];
const ACCOUNTS = Array.from({ length: 3000 }, (_, at) => at + 1);
const askedOf = (replicas: readonly Replica[]): Promise<unknown[]> => {
  const store = readFromReplicas(storeOf('primary'), replicas);
  return Promise.all(ACCOUNTS.map((account) => ask(store, account)));
};

describe('an account', () => {
  test('has the same replica, in whatever order a server has been told of them', async () => {
    const replicas = SEEDS.map((it) => replicaOf(it));
    expect(await askedOf(replicas)).toEqual(await askedOf(replicas.toReversed()));
  });

  test('is one of as many as any other replica has', async () => {
    const asked = await askedOf(SEEDS.map((it) => replicaOf(it)));
    for (const seed of SEEDS) {
      const share = asked.filter((it) => it === String(seed)).length / asked.length;
      expect(Math.abs(share - 1 / SEEDS.length)).toBeLessThan(0.04);
    }
  });

  test('goes to another replica only when its own is left out', async () => {
    const replicas = SEEDS.map((it) => replicaOf(it));
    const before = await askedOf(replicas);
    for (const it of replicas.slice(0, 1)) it.isOut = true;
    const after = await askedOf(replicas);
    const [out] = SEEDS.map(String);
    after.forEach((it, at) => {
      if (before[at] === out) expect(it).not.toBe(out);
      else expect(it).toBe(before[at]);
    });
    expect(after).not.toContain('primary');
  });
});

describe('asked next', () => {
  const unavailable = (): never => {
    throw new StoreUnavailable('injected');
  };

  test('is another replica, then the primary, of what fails; what has failed is left out', async () => {
    const replicas = SEEDS.map((it) => replicaOf(it, storeOf(String(it), unavailable)));
    const good = replicaOf(4);
    expect(await ask(readFromReplicas(storeOf('primary'), [...replicas, good]), 5)).toBe('4');
    expect(good.isOut).toBe(false);
    expect(await ask(readFromReplicas(storeOf('primary'), replicas), 5)).toBe('primary');
    expect(replicas.map((it) => it.isOut)).toEqual([true, true, true]);
  });

  test('is the primary alone, of what is unknown; nobody is left out, whatever it answers', async () => {
    const replicas = SEEDS.map((it) =>
      replicaOf(
        it,
        storeOf(String(it), () => undefined),
      ),
    );
    expect(await ask(readFromReplicas(storeOf('primary'), replicas))).toBe('primary');
    const down = readFromReplicas(storeOf('primary', unavailable), replicas);
    await expect(ask(down)).rejects.toThrow(StoreUnavailable);
    expect(replicas.map((it) => it.isOut)).toEqual([false, false, false]);
  });

  test('is nobody, of what is a fault of ours', async () => {
    const fault = new RangeError('injected');
    const faulty = replicaOf(
      1,
      storeOf('1', () => {
        throw fault;
      }),
    );
    await expect(ask(readFromReplicas(storeOf('primary'), [faulty]))).rejects.toBe(fault);
    expect(faulty.isOut).toBe(false);
  });
});

test('a read is given up after 3.5 seconds, over all servers that it is sent to', async () => {
  jest.useFakeTimers();
  afterTest(() => jest.useRealTimers());
  const late = (ms: number): Promise<never> =>
    new Promise((_, reject) => void setTimeout(reject, ms, new StoreUnavailable('injected')));
  const replica = replicaOf(1, { ...storeOf('1'), get: () => late(1500) });
  const store = readFromReplicas({ ...storeOf('primary'), get: () => late(5000) }, [replica]);
  let error: unknown;
  const asked = ask(store).catch((thrown: unknown) => (error = thrown));
  await jest.advanceTimersByTimeAsync(3499);
  expect([replica.isOut, error]).toEqual([true, undefined]);
  await jest.advanceTimersByTimeAsync(1);
  await asked;
  expect(error).toEqual(new StoreUnavailable('The database did not respond in time.'));
});

test('a watched replica is left out after a failure until a poll finds that it serves, and nothing is said after its end', async () => {
  const { address, database } = await openDatabase();
  await (await database.openWriter()).close(); // Creates the tables.
  const primary = await openForReading(address, 'serving');
  afterTest(() => primary.close());
  const events: ReplicaEvent[] = [];
  const { promise: available, resolve } = Promise.withResolvers<undefined>();
  const emit = (event: ReplicaEvent): void => {
    events.push(event);
    if (event.state === 'available') resolve(undefined);
  };
  const replica = await watchReplica(address, schemaHashes(loadContract()), primary, emit); // The primary may serve as well.
  const serving = replica.serving();
  try {
    expect(serving?.store).toBeDefined();
    expect(events).toEqual([]);
    serving?.failed(new StoreUnavailable('injected'));
    expect(replica.serving()).toBeUndefined();
    await available;
    expect(replica.serving()).toBe(serving);
  } finally {
    await replica.close();
  }
  serving?.failed(new StoreUnavailable('injected'));
  const shown = { address: shownAddress(address) };
  expect(events).toEqual([
    { ...shown, state: 'unavailable', reason: 'injected' },
    { ...shown, state: 'available' },
  ]);
});
