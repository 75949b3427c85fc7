/** A store that reads from a standby: data that the standby does not have, and a standby that lags, fails or is not one. */
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { databaseOf } from '../../../cli/database.ts';
import { schemaHashes } from '../../../contract/schema.ts';
import { shownAddress } from '../../../server/store/address.ts';
import type { ReplicaEvent } from '../../../server/store/database.ts';
import { keyHash } from '../../../server/store/keys.ts';
import { KeyNotLive, StoreUnavailable } from '../../../server/store/store.ts';
import type { AuthenticatedCaller, Store, Writer } from '../../../server/store/store.ts';
import { automation } from '../../../testkit/builders.ts';
import { afterFile, afterTest } from '../../support/after-test.ts';
import { contract } from '../../support/app.ts';
import { openDatabase } from '../../support/engine.ts';
import { startProxy } from '../../support/faulty-proxy.ts';
import { createDatabase } from '../../support/postgres-database.ts';
import { PASSWORD } from '../../support/postgres.ts';
import { until } from '../../support/processes.ts';
import { series } from '../../support/series.ts';
import { loadInto } from '../../support/store.ts';
import { caughtUp, pauseReplay, replicate, resumeReplay, startPair, valueOf } from './replicated.ts';
import type { Pair, Replicated } from './replicated.ts';
import { failureOf } from './served.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await startPair(afterFile);
});

const KEY = keyHash('a key');
const records = series(5, automation);
let it: Replicated;
let store: Store;
let events: ReplicaEvent[];
let caller: AuthenticatedCaller;
beforeEach(async () => {
  it = await replicate(pair);
  await put(records);
  await it.writer.createKey({ id: 'key', account: 'main', label: '', createdAt: '2026-01-01T00:00:00.000Z' }, KEY);
  await caughtUp(pair);
  await open();
});

/** Opens the store again. */
async function open(addresses: readonly string[] = [it.addresses.standby], by?: string): Promise<void> {
  ({ store, events } = await it.open(addresses, by));
  const found = await store.authenticate(KEY);
  if (found === undefined) throw new Error('The key is not there.');
  caller = found;
}
const put = (some: readonly object[]): Promise<unknown> => loadInto(it.writer, 'automations', some, { contract });
const ids = async (after?: string, from: Pick<Store, 'list'> = store): Promise<unknown> => {
  const cursor = after === undefined ? undefined : ({ direction: 'after', id: after } as const);
  const page = await from.list(caller.account, 'automations', { limit: 100, cursor });
  return page?.items.map((text) => (JSON.parse(text) as { id: string }).id);
};
const own = (): Pick<Store, 'list' | 'get'> => caller.records;
const idsOf = (some: readonly { id: string }[]): string[] => some.map(({ id }) => id);
const LAGS = 'It is more than 5 seconds behind the primary.';
const leftOut = (reason: unknown): object => ({
  address: shownAddress(it.addresses.standby),
  state: 'unavailable',
  reason,
});
const back = (): object => ({ address: shownAddress(it.addresses.standby), state: 'available' });
const isBack = (): boolean => events.at(-1)?.state === 'available';

describe('a standby that lags', () => {
  // Newer than the others: at the head of the list.
  const added = automation({ created_at: '2026-05-01 00:00:00+00' });
  let clock: { mockRestore: () => void };
  beforeEach(async () => {
    clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now()); // It lags for no time until a test lets it.
    afterTest(() => {
      clock.mockRestore();
    });
    await pauseReplay(pair);
    await put([added]);
  });

  test('serves what it has; other reads go to the primary', async () => {
    const all = [added.id, ...idsOf(records)];
    expect(await ids()).toEqual(all.slice(1));
    expect(await ids(undefined, own())).toEqual(all.slice(1));
    expect(await ids(added.id)).toEqual(all.slice(1));
    expect(await ids(all[2])).toEqual(all.slice(3));
    expect(JSON.parse(String(await store.get(caller.account, 'automations', added.id)))).toEqual(added);
    expect(await ids(added.id, own())).toEqual(all.slice(1));

    const key = keyHash('a new key');
    await it.writer.createKey({ id: 'new', account: 'new', label: '', createdAt: '2026-01-01T00:00:00.000Z' }, key);
    const created = await store.authenticate(key);
    expect(created).toMatchObject({ accountName: 'new', keyId: 'new' });
    // The standby does not know the key, which is no reason to call it dead.
    if (created === undefined) throw new Error('The key is not there.');
    const page = await created.records.list(created.account, 'automations', { limit: 5 });
    expect(page).toEqual({ items: [], hasMore: false });

    const unknown = automation().id;
    expect(await store.get(caller.account, 'automations', unknown)).toBeUndefined();
    expect(await ids(unknown)).toBeUndefined();
    expect(await store.authenticate(keyHash('no key'))).toBeUndefined();
    expect(events).toEqual([]);
  });

  test('is left out past a bound, and is back when it has caught up', async () => {
    await it.writer.revokeKey('key', '2026-01-01T00:00:00.000Z');
    expect(await ids(undefined, own())).toEqual(idsOf(records)); // It does not know of that yet.
    clock.mockRestore();
    await until(() => events.length > 0);
    expect(events).toEqual([leftOut(LAGS)]);
    expect(await ids()).toEqual([added.id, ...idsOf(records)]);
    expect(await failureOf(ids(undefined, own()))).toBeInstanceOf(KeyNotLive);
    expect(await store.authenticate(KEY)).toBeUndefined();

    await resumeReplay(pair.standby);
    await until(isBack);
    expect(events.slice(1)).toEqual([back()]);
    expect(await ids()).toEqual([added.id, ...idsOf(records)]);
  });
});

test('a standby that the primary waits for lags for nobody', async () => {
  const set = async (name: string, value: string): Promise<void> => {
    await valueOf(it.addresses.primary, `ALTER SYSTEM ${value === '' ? 'RESET' : 'SET'} ${name}${value}`);
    await valueOf(it.addresses.primary, 'SELECT pg_reload_conf()');
  };
  for (const [name, value] of [
    ['synchronous_commit', 'remote_apply'],
    ['synchronous_standby_names', '*'],
  ] as const) {
    await set(name, ` = '${value}'`);
    afterTest(() => set(name, ''));
  }
  const waits = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until(async () => (await valueOf(it.addresses.primary, waits)) === '1');
  for (let round = 0; round < 20; round += 1) {
    const changed = automation({ ...records[0], name: `round ${String(round)}` });
    await put([changed]);
    expect(await store.get(caller.account, 'automations', changed.id)).toBe(JSON.stringify(changed));
  }
  await it.writer.revokeKey('key', '2026-01-01T00:00:00.000Z');
  expect(await failureOf(ids(undefined, own()))).toBeInstanceOf(KeyNotLive);
  expect(await store.authenticate(KEY)).toBeUndefined();
  expect(events).toEqual([]);
});

describe('a standby that fails', () => {
  test('by a stop is left out at once, and back when it responds', async () => {
    await pair.standby.stop('fast');
    for (let round = 0; round < 5; round += 1) expect(await ids(undefined, own())).toEqual(idsOf(records));
    expect(events[0]).toEqual(leftOut(expect.any(String)));
    await until(() => /cannot be reached: .*ECONNREFUSED/.test(events.at(-1)?.reason ?? ''));
    await pair.standby.start();
    await until(isBack);
    await pauseReplay(pair);
    await put([automation()]);
    expect(await ids()).toEqual(idsOf(records)); // It is asked again.
  });

  test('by silence fails no request, and is left out', async () => {
    const proxy = await startProxy(pair.standby.port);
    afterTest(() => proxy.close());
    await open([proxy.through(it.addresses.standby)]);
    proxy.stall();
    expect(await Promise.all(Array.from({ length: 40 }, () => ids()))).toEqual(Array(40).fill(idsOf(records)));
    expect(events.at(-1)?.state).toBe('unavailable'); // So it is not waited for a second time.
    expect(await ids()).toEqual(idsOf(records));
    await proxy.pass();
    await until(isBack);
  });

  test('by silence, and the primary too, makes the store unavailable', async () => {
    const proxies = [await startProxy(pair.standby.port), await startProxy(pair.primary.port)] as const;
    for (const proxy of proxies) afterTest(() => proxy.close());
    await open([proxies[0].through(it.addresses.standby)], proxies[1].through(it.addresses.primary));
    for (const proxy of proxies) proxy.stall();
    const failures = await Promise.all(Array.from({ length: 40 }, () => failureOf(ids())));
    for (const failure of failures) expect(failure).toBeInstanceOf(StoreUnavailable);
    for (const proxy of proxies) await proxy.pass();
    await until(isBack);
    expect(await ids()).toEqual(idsOf(records));
  });

  test('at the start is no reason not to open', async () => {
    await pair.standby.stop('fast');
    await open();
    expect(events).toEqual([leftOut(expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1:\d+ .+ECONNREFUSED/))]);
    expect(JSON.stringify(events)).not.toContain(PASSWORD);
    expect(await ids()).toEqual(idsOf(records));
    await pair.standby.start();
    await until(isBack);
  });
});

test('a primary that is down is not needed for what the standby knows; what it does not know is unavailable', async () => {
  await pair.primary.stop('immediate');
  afterTest(() => pair.primary.start());
  for (let round = 0; round < 20; round += 1) expect(await ids(undefined, own())).toEqual(idsOf(records));
  const session = await store.authenticate(KEY);
  expect(session).toMatchObject({ account: caller.account, keyId: caller.keyId });
  expect(await session?.confirm?.()).toBeUndefined();
  expect(await failureOf(store.probe())).toBeUndefined();
  const unknown = automation().id;
  for (const asked of [
    () => ids(unknown),
    () => store.get(caller.account, 'automations', unknown),
    () => store.authenticate(keyHash('no key')),
  ]) {
    expect(await failureOf(asked())).toBeInstanceOf(StoreUnavailable);
  }
  expect(events).toEqual([]);

  // Neither responds.
  await pair.standby.stop('immediate');
  expect(await failureOf(ids())).toBeInstanceOf(StoreUnavailable);
  expect(await failureOf(store.probe())).toBeInstanceOf(StoreUnavailable);
  await pair.standby.start();
  await until(isBack);
  expect(await ids()).toEqual(idsOf(records)); // The primary is still down.
});

describe('an address that is not of a standby', () => {
  const FOREIGN = 'It is not a replica of this database.';

  test('of another database is left out', async () => {
    const elsewhere = await openDatabase();
    await open([elsewhere.address]);
    expect(events).toEqual([{ address: shownAddress(elsewhere.address), state: 'unavailable', reason: FOREIGN }]);
    expect(await ids()).toEqual(idsOf(records));
  });

  test('of a copy on the same server is left out', async () => {
    // Of a database that nobody is connected to.
    const original = await createDatabase(pair.primary.address());
    afterTest(original.drop);
    await (await databaseOf(original.address).openWriter()).close();
    const copy = await createDatabase(pair.primary.address(), new URL(original.address).pathname.slice(1));
    afterTest(copy.drop);
    const seen: ReplicaEvent[] = [];
    const replicas = { addresses: [copy.address], emit: (event: ReplicaEvent) => seen.push(event) };
    const opened = await databaseOf(original.address).openStore(schemaHashes(contract), replicas);
    afterTest(() => opened.close());
    expect(seen).toEqual([{ address: shownAddress(copy.address), state: 'unavailable', reason: FOREIGN }]);
  });

  test('of the primary itself is asked', async () => {
    await open([it.addresses.primary]);
    expect(events).toEqual([]);
    expect(await ids()).toEqual(idsOf(records));
  });
});

test('a standby that has been promoted beside its primary is left out', async () => {
  const other = await pair.primary.standby();
  afterTest(() => other.remove());
  await until(async () => (await valueOf(other.address(), 'SELECT pg_is_in_recovery()')) === true);
  const address = other.address(new URL(it.addresses.primary).pathname.slice(1));
  await open([address]);
  await valueOf(other.address(), 'SELECT pg_promote()');
  const reason = 'It is an independent primary, not a standby.'; // Before that it may lag, on a busy machine.
  await until(() => events.some((event) => event.state === 'unavailable' && event.reason === reason));
  const added = automation();
  await put([added]);
  expect(await store.get(caller.account, 'automations', added.id)).toBe(JSON.stringify(added));
});

test('after a failover a store follows its address to the promoted standby, and reads what is added there', async () => {
  const failing = await startPair(afterTest);
  const { address } = await createDatabase(failing.primary.address()); // It is gone with its servers.
  const proxy = await startProxy(failing.primary.port);
  afterTest(() => proxy.close());
  const change = async (work: (writer: Writer) => Promise<unknown>): Promise<void> => {
    const writer = await databaseOf(proxy.through(address)).openWriter();
    await work(writer);
    await writer.close();
  };
  await change(async (writer) => {
    await loadInto(writer, 'automations', records, { contract });
    await writer.createKey({ id: 'key', account: 'main', label: '', createdAt: '2026-01-01T00:00:00.000Z' }, KEY);
  });
  await caughtUp(failing);
  const replicas = { addresses: [failing.standby.address(new URL(address).pathname.slice(1))], emit: () => undefined };
  store = await databaseOf(proxy.through(address)).openStore(schemaHashes(contract), replicas);
  afterTest(() => store.close());
  const listed = async (): Promise<unknown> => {
    caller = (await store.authenticate(KEY)) ?? caller;
    return ids();
  };
  expect(await listed()).toEqual(idsOf(records));

  await failing.primary.stop('immediate');
  expect(await listed()).toEqual(idsOf(records));
  await valueOf(failing.standby.address(), 'SELECT pg_promote()');
  expect(await listed()).toEqual(idsOf(records));
  proxy.lead(failing.standby.port);
  const added = automation({ created_at: '2026-05-01 00:00:00+00' });
  await change((writer) => loadInto(writer, 'automations', [added], { contract }));
  await until(async () => (await failureOf(listed())) === undefined);
  expect(await listed()).toEqual(idsOf([added, ...records]));
});
