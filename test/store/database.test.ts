/** A database as commands use it, of every engine: several processes at once, what it holds as a whole. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { COLLECTIONS } from '../../contract/collections.ts';
import type { SchemaHashes } from '../../contract/schema.ts';
import type { Account } from '../../contract/types.ts';
import type { Database } from '../../server/store/database.ts';
import type { Inspector } from '../../server/store/inspector.ts';
import { keyHash } from '../../server/store/keys.ts';
import { StoreError } from '../../server/store/store.ts';
import type { CheckedRecord, Store, StoredRecord, Writer } from '../../server/store/store.ts';
import { afterTest } from '../support/after-test.ts';
import { countsOf } from '../support/collections.ts';
import { openDatabase } from '../support/engine.ts';
import { HASHES, OTHERS, accountOf, idOf, load, numbersIn, recordOf } from './contents.ts';

let database: Database;
beforeEach(async () => {
  ({ database } = await openDatabase());
});

const closing = <T extends { close(): unknown }>(it: T): T => {
  afterTest(() => it.close());
  return it;
};
const openWriter = async (): Promise<Writer> => closing(await database.openWriter());
const openStore = async (it: SchemaHashes = HASHES): Promise<Store> => closing(await database.openStore(it));
const openInspector = async (): Promise<Inspector> => closing(await database.openInspector());
const all = async <T>(each: Iterable<T> | AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const one of each) found.push(one);
  return found;
};
const records = (...numbers: readonly number[]): readonly CheckedRecord[] => numbers.map((it) => recordOf(it));

describe('several processes', () => {
  test('see what one of them has written, from the next turn of their event loop on', async () => {
    const [writer, one, two] = [await openWriter(), await openStore(), await openStore()];
    const account = await accountOf({ store: one, writer });
    await load(writer, {}, records(1, 2));
    await nextTurn();
    for (const store of [one, two]) {
      expect(numbersIn(await store.list(account, 'automations', { limit: 9 }))).toEqual([1, 2]);
      expect(await store.get(account, 'automations', idOf(1))).toBe(recordOf(1).json);
    }
    await writer.removeAccount('main');
    await nextTurn();
    for (const store of [one, two]) expect(await store.get(account, 'automations', idOf(1))).toBeUndefined();
  });

  test('load at the same time: all of each load is there, and one account', async () => {
    const writers = [await openWriter(), await openWriter(), await openWriter()];
    const loads = writers.map((it, at) => load(it, {}, records(at, 10), records(at + 20)));
    const results = await Promise.all(loads);
    expect(results.filter((it) => it.accountIsNew)).toHaveLength(1);
    expect(Math.max(...results.map((it) => it.after))).toBe(7);
    const inspector = await openInspector();
    expect(await inspector.accounts()).toEqual([{ name: 'main', keys: 0, records: countsOf({ automations: 7 }) }]);
  });

  test('make the same account at the same time', async () => {
    const writers = [await openWriter(), await openWriter(), await openWriter()];
    const made = await Promise.all(
      writers.map(async (it, at) =>
        it.createKey({ id: String(at), account: 'main', label: '', createdAt: '' }, keyHash(String(at))),
      ),
    );
    expect(made.filter((it) => it.accountIsNew)).toHaveLength(1);
    expect(await writers[0]?.listKeys()).toHaveLength(3);
  });
});

test('the number of a removed account never comes back: servers know its rate limit by it', async () => {
  const writer = await openWriter();
  const numberOf = async (name: string): Promise<Account> => accountOf({ store: await openStore(), writer }, name);
  const numbers = [await numberOf('first')];
  for (const name of ['second', 'third']) {
    numbers.push(await numberOf(name));
    await writer.removeAccount(name);
  }
  await writer.removeAccount('first'); // None is left.
  numbers.push(await numberOf('fourth'));
  expect(new Set(numbers).size).toBe(4);
});

describe('a database with records of one contract', () => {
  const OUTDATED =
    /^The automations in .* must be checked again\. Back up the database, then run: rollcall db upgrade --db /;
  beforeEach(async () => {
    await load(await openWriter(), {}, records(1));
  });

  test('is not served under another, until they have been checked against it', async () => {
    await expect((async () => openStore(OTHERS))()).rejects.toThrow(StoreError);
    await expect((async () => openStore({ ...HASHES, automations: 'x' }))()).rejects.toThrow(OUTDATED);
    await openStore();
    await openStore({ ...OTHERS, automations: HASHES.automations }); // There are none of the others.
    await database.upgrade(OTHERS, () => recordOf(1));
    await openStore(OTHERS);
    await expect((async () => openStore())()).rejects.toThrow(StoreError);
  });

  test('tells an inspector whether it is another', async () => {
    const inspector = await openInspector();
    expect(await inspector.faults(HASHES)).toEqual([]);
    const [fault, ...more] = await inspector.faults(OTHERS);
    expect([more, fault]).toEqual([[], expect.stringMatching(OUTDATED)]);
  });
});

describe('an upgrade', () => {
  let writer: Writer;
  beforeEach(async () => {
    writer = await openWriter();
    await load(writer, {}, records(1, 2, 3));
    await load(writer, { account: 'other', collection: 'contactImports' }, records(1));
  });
  const numberIn = ({ json }: StoredRecord): number => Number((JSON.parse(json) as { id: string }).id.slice(-12));
  const held = async (): Promise<unknown> => {
    const store = await openStore();
    return numbersIn(await store.list(await accountOf({ store, writer }), 'automations', { limit: 9 }));
  };

  test('sees every record, and keeps what it is given of each', async () => {
    const seen: StoredRecord[] = [];
    const isUpgraded = await database.upgrade(OTHERS, (stored) => {
      seen.push(stored);
      const number = numberIn(stored);
      // One stays, one has another text, one another place and filter as well.
      const json = number === 1 ? stored.json : `{"new":${String(number)}}`;
      return recordOf(number, { json, ...(number === 3 ? { createdUs: 9n, filter: 'disabled' } : {}) });
    });
    expect(isUpgraded).toBe(true);
    expect(seen).toHaveLength(4);
    expect(seen).toEqual(
      expect.arrayContaining([
        ...records(1, 2, 3).map((it) => ({ account: 'main', collection: 'automations', ...it })),
        { account: 'other', collection: 'contactImports', ...recordOf(1) },
      ]),
    );
    await expect(load(writer, {}, records(4))).rejects.toThrow(StoreError); // It is of another contract now.
    expect(await load(writer, { hashes: OTHERS }, records(4))).toMatchObject({ before: 3, after: 4 });
    const store = await openStore(OTHERS);
    const account = await accountOf({ store, writer });
    const textsOf = async (filter?: 'disabled'): Promise<unknown> =>
      (await store.list(account, 'automations', { limit: 9, filter }))?.items;
    expect(await textsOf()).toEqual(['{"new":3}', recordOf(1).json, '{"new":2}', recordOf(4).json]);
    expect(await textsOf('disabled')).toEqual(['{"new":3}']);
  });

  test('changes nothing where one record cannot be kept, but sees the others all the same', async () => {
    const seen: number[] = [];
    const isUpgraded = await database.upgrade(OTHERS, (stored) => {
      seen.push(numberIn(stored));
      return seen.length === 1 ? undefined : recordOf(numberIn(stored), { json: '{}' });
    });
    expect(isUpgraded).toBe(false);
    expect(seen.sort()).toEqual([1, 1, 2, 3]);
    expect(await held()).toEqual([1, 2, 3]);
    expect(await load(writer, {}, records(4))).toMatchObject({ before: 3, after: 4 });
  });

  test('that throws changes nothing', async () => {
    const error = new Error('It cannot be checked.');
    let count = 0;
    const upgrade = async (): Promise<unknown> =>
      database.upgrade(OTHERS, (stored) => {
        count += 1;
        if (count === 3) throw error;
        return recordOf(numberIn(stored), { json: '{}' });
      });
    await expect(upgrade()).rejects.toBe(error);
    expect(await held()).toEqual([1, 2, 3]);
    expect(await load(writer, {}, records(4))).toMatchObject({ before: 3, after: 4 });
  });
});

describe('an inspector', () => {
  const HUGE = 253_402_300_799_999_999n; // The last microsecond of the year 9999.

  beforeEach(async () => {
    const writer = await openWriter();
    const text = (name: string): string => JSON.stringify({ created_at: name, text: 'é\u{1f600}' });
    await load(
      writer,
      { account: 'b' },
      [recordOf(1, { createdUs: -5n, json: text('middle') }), recordOf(2, { createdUs: HUGE, json: text('newest') })],
      [recordOf(3, { createdUs: -5n, filter: 'disabled', json: text('tie') })],
    );
    await load(writer, { account: 'b', collection: 'contactProperties' }, [recordOf(1, { filter: null })]);
    await load(writer, { account: 'é' });
    await load(writer, { account: 'A' });
    for (const [id, expiresAt] of [
      ['live', null],
      ['lives on', '2999-12-31T23:59:59.999Z'],
      ['expired', '2026-01-01T00:00:00.000Z'],
      ['revoked', null],
    ] as const) {
      await writer.createKey({ id, account: 'b', label: '', createdAt: '', expiresAt }, keyHash(id));
    }
    await writer.revokeKey('revoked', '2026-01-01T00:00:00.000Z');
  });

  test('tells the accounts by name, with the keys that open them', async () => {
    expect(await (await openInspector()).accounts()).toEqual([
      { name: 'A', keys: 0, records: countsOf({}) },
      { name: 'b', keys: 2, records: countsOf({ automations: 3, contactProperties: 1 }) },
      { name: 'é', keys: 0, records: countsOf({}) },
    ]);
  });

  test('tells how much there is of each collection, in bytes, and its ends', async () => {
    const stats = await (await openInspector()).stats();
    expect(stats).toHaveLength(3 * COLLECTIONS.length);
    const bytes = ['middle', 'newest', 'tie'].join('').length + 3 * '{"created_at":"","text":"......"}'.length;
    const of = (account: string, collection: string): unknown =>
      stats.find((it) => it.account === account && it.collection === collection);
    const place = { account: 'b', collection: 'automations' };
    expect(of('b', 'automations')).toEqual({ ...place, records: 3, bytes, newest: 'newest', oldest: 'middle' });
    expect(of('é', 'contactImports')).toEqual({
      ...{ account: 'é', collection: 'contactImports', records: 0, bytes: 0 },
      ...{ newest: null, oldest: null },
    });
  });

  test('gives the texts of an account in list order', async () => {
    const inspector = await openInspector();
    const names = async (account: string): Promise<unknown> => {
      const texts = await inspector.texts(account, 'automations');
      return texts && (await all(texts)).map((it) => (JSON.parse(it) as { created_at: string }).created_at);
    };
    expect(await names('b')).toEqual(['newest', 'tie', 'middle']);
    expect(await names('é')).toEqual([]);
    expect(await names('a')).toBeUndefined();
  });

  test('gives every record, with all that it is stored under', async () => {
    const found = await all((await openInspector()).records());
    expect(found).toHaveLength(4);
    expect(found).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ account: 'b', collection: 'automations', id: idOf(2), createdUs: HUGE }),
        expect.objectContaining({
          account: 'b',
          collection: 'automations',
          id: idOf(3),
          createdUs: -5n,
          filter: 'disabled',
        }),
        { account: 'b', collection: 'contactProperties', ...recordOf(1, { filter: null }) },
      ]),
    );
  });

  test('goes on to read the state that it was opened on', async () => {
    const [writer, inspector] = [await openWriter(), await openInspector()];
    const before = [await inspector.accounts(), await inspector.stats(), await all(inspector.records())];
    await load(writer, { account: 'b', replace: true }, records(9));
    await load(writer, { account: 'new' }, records(9));
    await writer.removeAccount('A');
    expect([await inspector.accounts(), await inspector.stats(), await all(inspector.records())]).toEqual(before);
    expect((await (await openInspector()).accounts()).map((it) => it.name)).toEqual(['b', 'new', 'é']);
  });
});
