/** The reading side of every engine: pages, records, and whom a key lets in. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Account } from '../../contract/types.ts';
import { keyHash } from '../../server/store/keys.ts';
import { KeyNotLive } from '../../server/store/store.ts';
import type { CheckedRecord, Cursor, Store, Writer } from '../../server/store/store.ts';
import { openSides } from '../support/engine.ts';
import { HASHES, accountOf, idOf, load, numbersIn, recordOf } from './contents.ts';

let sides: { store: Store; writer: Writer };
let store: Store;
let writer: Writer;
let account: Account;
beforeEach(async () => {
  sides = await openSides(HASHES);
  ({ store, writer } = sides);
  account = await accountOf(sides);
});

const ALL = { limit: 100 };

describe('a page', () => {
  const YEAR_9999 = 253_402_300_799_999_999n;
  // Ties of three, of one microsecond and of the next, before and at 1970, beyond 2^53, and the last that there is.
  const instants = [YEAR_9999, YEAR_9999 - 1n, 9_007_199_254_740_993n, 1n, 1n, 1n, 0n, -1n, -62_135_596_800_000_000n];
  const records = instants.map((createdUs, at) =>
    // Ids that do not follow the order, but where instants are equal.
    recordOf(50 - ((at * 7) % 10), { createdUs, filter: at % 3 === 0 ? 'disabled' : 'enabled' }),
  );
  const sorted = records.toSorted((a, b) =>
    a.createdUs === b.createdUs ? (a.id < b.id ? 1 : -1) : a.createdUs < b.createdUs ? 1 : -1,
  );
  const isWanted = (filter: string | undefined) => (it: CheckedRecord) => filter === undefined || it.filter === filter;
  const cursors: readonly (Cursor | undefined)[] = [
    undefined,
    ...(['after', 'before'] as const).flatMap((direction) => records.map(({ id }) => ({ direction, id }))),
  ];

  test.each([undefined, 'enabled', 'disabled', 'paused'])(
    'of every limit, at every cursor, is what a sorted array has (filter: %s)',
    async (filter) => {
      await load(writer, {}, records.slice(0, 4), records.slice(4));
      // What is next to it in the tables.
      await load(writer, { account: 'other' }, [recordOf(1, { createdUs: 1n }), recordOf(99, { createdUs: 0n })]);
      await load(writer, { collection: 'contactImports' }, [recordOf(1, { createdUs: 1n })]);
      for (const cursor of cursors) {
        const at = sorted.findIndex((it) => it.id === cursor?.id);
        const side = cursor?.direction === 'before' ? sorted.slice(0, at) : sorted.slice(at + 1);
        const matching = side.filter(isWanted(filter)).map((it) => it.json);
        for (let limit = 1; limit <= records.length + 1; limit += 1) {
          const items = cursor?.direction === 'before' ? matching.slice(-limit) : matching.slice(0, limit);
          // The type of the filter is of the contract; to the store it is a text.
          const page = await store.list(account, 'automations', { limit, cursor, filter: filter as 'enabled' });
          expect({ cursor, limit, page }).toEqual({ cursor, limit, page: { items, hasMore: matching.length > limit } });
        }
      }
    },
  );

  test.each(['automations', 'contactProperties', 'contactImports'] as const)(
    'of no %s is empty',
    async (collection) => {
      expect(await store.list(account, collection, { limit: 1 })).toEqual({ items: [], hasMore: false });
    },
  );

  test('at an id that the account does not have in the collection is none', async () => {
    await load(writer, {}, [recordOf(1)]);
    await load(writer, { collection: 'contactImports' }, [recordOf(2)]);
    await load(writer, { account: 'other' }, [recordOf(3)]);
    for (const id of [2, 3, 4].map(idOf)) {
      for (const direction of ['after', 'before'] as const) {
        for (const filter of [undefined, 'enabled'] as const) {
          expect(
            await store.list(account, 'automations', { ...ALL, cursor: { direction, id }, filter }),
          ).toBeUndefined();
        }
      }
    }
  });

  test('of an account that has been removed is empty', async () => {
    await load(writer, {}, [recordOf(1)]);
    await writer.removeAccount('main');
    expect(await store.list(account, 'automations', ALL)).toEqual({ items: [], hasMore: false });
    const cursor: Cursor = { direction: 'after', id: idOf(1) };
    expect(await store.list(account, 'automations', { ...ALL, cursor })).toBeUndefined();
  });

  test('has each record at its new place once that was loaded again, and at no other', async () => {
    await load(
      writer,
      {},
      [1, 2, 3].map((it) => recordOf(it)),
    );
    await load(writer, {}, [recordOf(1, { createdUs: -10n, filter: 'disabled' })]);
    expect(numbersIn(await store.list(account, 'automations', ALL))).toEqual([2, 3, 1]);
    expect(numbersIn(await store.list(account, 'automations', { ...ALL, filter: 'enabled' }))).toEqual([2, 3]);
    expect(numbersIn(await store.list(account, 'automations', { ...ALL, filter: 'disabled' }))).toEqual([1]);
    const cursor: Cursor = { direction: 'before', id: idOf(1) };
    expect(numbersIn(await store.list(account, 'automations', { ...ALL, cursor }))).toEqual([2, 3]);
  });

  test('never has the record at its cursor, which loads move from the head to the end and back', async () => {
    await load(
      writer,
      {},
      [1, 2, 3, 4].map((it) => recordOf(it)),
    );
    const places = [0n, -9n].map((createdUs) => recordOf(5, { createdUs }));
    await load(writer, {}, places);
    const cursor: Cursor = { direction: 'after', id: idOf(5) };
    const pages = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const [page] = await Promise.all([
        store.list(account, 'automations', { ...ALL, cursor }),
        load(writer, {}, places.slice(round % 2, (round % 2) + 1)),
      ]);
      pages.add(String(numbersIn(page)));
    }
    expect([...pages].sort()).toEqual(['', '1,2,3,4']);
  });
});

describe('a record', () => {
  test('is found by its id, in its account and collection alone', async () => {
    const own = recordOf(1);
    await load(writer, { collection: 'contactImports' }, [own]);
    await load(writer, { collection: 'contactImports', account: 'other' }, [recordOf(2)]);
    expect(await store.get(account, 'contactImports', own.id)).toBe(own.json);
    expect(await store.get(account, 'automations', own.id)).toBeUndefined();
    expect(await store.get(account, 'contactImports', idOf(2))).toBeUndefined();
    expect(await store.get(account, 'contactImports', idOf(3))).toBeUndefined();
    expect(await store.get(await accountOf(sides, 'other'), 'contactImports', own.id)).toBeUndefined();
  });

  test.each([
    ['numbers as they were written', '{"a":1.0,"b":1e400,"c":-0,"d":12345678901234567890.10}'],
    ['properties in their order, twice too', '{"b":1,"a":2,"b":3}'],
    ['blanks', ' {\t"a" :\n1 } '],
    ['escapes, of NUL and of half a character too', '{"a":"\\u0000\\ud800\\u00e9\\/\\\\n"}'],
    ['characters of every length', '{"a":"\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}\u2028"}'],
    ['what is SQL or of a copy', `{"a":"'; DROP TABLE records; -- $1 \\\\. \\\\N %s","b":"a\\tb"}`],
    ['a large text', JSON.stringify({ a: 'é'.repeat(1_000_000) })],
    ['nothing', '{}'],
  ])('is the text that was loaded: %s', async (_, json) => {
    await load(writer, {}, [recordOf(1, { json }), recordOf(2)]);
    expect(await store.get(account, 'automations', idOf(1))).toBe(json);
    expect((await store.list(account, 'automations', ALL))?.items[0]).toBe(json);
  });

  test.each(['', 'ENABLED', 'enabled ', "en'abled", 'é\u{1f600}'])('is stored under any text: %j', async (filter) => {
    await load(writer, {}, [recordOf(1, { filter }), recordOf(2), recordOf(3, { filter: null })]);
    const query = { ...ALL, filter: filter as 'enabled' }; // The type is of the contract.
    expect(numbersIn(await store.list(account, 'automations', query))).toEqual([1]);
  });
});

describe('a key', () => {
  const NEW = { account: 'main', label: '', createdAt: '2026-01-01T00:00:00.000Z' };
  const create = (id: string, more: object = {}): unknown => writer.createKey({ ...NEW, id, ...more }, keyHash(id));
  const opens = async (id: string): Promise<unknown> => {
    const caller = await store.authenticate(keyHash(id));
    try {
      await caller?.confirm?.();
    } catch (error) {
      if (error instanceof KeyNotLive) return undefined;
      throw error;
    }
    return caller && [caller.accountName, caller.keyId];
  };

  test('lets into its account, with its id', async () => {
    await create('a');
    await create('b', { account: 'other' });
    expect([await opens('a'), await opens('b')]).toEqual([
      ['main', 'a'],
      ['other', 'b'],
    ]);
    expect((await store.authenticate(keyHash('a')))?.account).toBe(account);
    expect((await store.authenticate(keyHash('b')))?.account).not.toBe(account);
  });

  test.each(['Main', 'main ', 'Ünïcode \u{1f600}', "O'Brien; --"])(
    'opens an account called %j, and no other',
    async (name) => {
      await create('a', { account: name });
      expect(await opens('a')).toEqual([name, 'a']);
      expect((await store.authenticate(keyHash('a')))?.account).not.toBe(account);
    },
  );

  test('that is unknown, revoked, expired or of a removed account opens nothing', async () => {
    const expiresAt = new Date(Date.now() - 1).toISOString();
    await create('expired', { expiresAt });
    await create('live', { expiresAt: '2999-12-31T23:59:59.999Z' });
    await create('revoked');
    await create('removed', { account: 'other' });
    await create('revoked before', { revokedAt: '2026-01-01T00:00:00.000Z' });
    expect([await opens('live'), await opens('revoked')]).toEqual([
      ['main', 'live'],
      ['main', 'revoked'],
    ]);
    await writer.revokeKey('revoked', '2026-01-01T00:00:00.000Z');
    await writer.removeAccount('other');
    for (const key of ['expired', 'revoked', 'revoked before', 'removed', 'unknown', ''])
      expect(await opens(key)).toBeUndefined();
    expect(await opens('live')).toEqual(['main', 'live']);
    expect(await store.authenticate(Buffer.alloc(0))).toBeUndefined();
    expect(await store.authenticate(keyHash('live').subarray(1))).toBeUndefined();
  });
});

test('what a load brings is seen when all of it is there, and not before', async () => {
  await load(writer, {}, [recordOf(1)]);
  const seen = async (): Promise<unknown> => numbersIn(await store.list(account, 'automations', ALL));
  const during: unknown[] = [];
  const batches = async function* (): AsyncGenerator<readonly CheckedRecord[]> {
    for (const number of [2, 3]) {
      yield [recordOf(number)];
      during.push(await seen());
    }
  };
  await writer.load('main', 'automations', batches(), { replace: true, schemaHash: HASHES.automations });
  expect([...during, await seen()]).toEqual([[1], [1], [2, 3]]);
});

test('a revision, where there is one, is another one after every change, and else the same', async () => {
  if (store.revision() === undefined) return; // Not every engine can tell.
  const seen = [store.revision(), store.revision()];
  for (const change of [
    () => load(writer, {}, [recordOf(1)]),
    () => writer.remove('main', 'automations', [idOf(1)]),
    () => accountOf(sides, 'other'),
    () => writer.removeAccount('other'),
  ]) {
    await change();
    seen.push(store.revision(), store.revision());
  }
  expect(new Set(seen).size).toBe(seen.length / 2);
});
