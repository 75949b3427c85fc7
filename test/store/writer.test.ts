/** The writing side of every engine: loads that are whole or not there, removals and keys. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { keyHash } from '../../server/store/keys.ts';
import { StoreError } from '../../server/store/store.ts';
import type { CheckedRecord, Store, Writer } from '../../server/store/store.ts';
import { openSides } from '../support/engine.ts';
import { HASHES, OTHERS, accountOf, idOf, load, numbersIn, recordOf } from './contents.ts';

let sides: { store: Store; writer: Writer };
let store: Store;
let writer: Writer;
beforeEach(async () => {
  sides = await openSides(HASHES);
  ({ store, writer } = sides);
});

/** @returns the texts of a collection of an account, in list order. */
const textsOf = async (collection: 'automations' | 'contactImports' = 'automations', name = 'main'): Promise<unknown> =>
  (await store.list(await accountOf(sides, name), collection, { limit: 10_000 }))?.items;
const held = async (name = 'main'): Promise<unknown> =>
  numbersIn(await store.list(await accountOf(sides, name), 'automations', { limit: 10_000 }));
const records = (...numbers: readonly number[]): readonly CheckedRecord[] => numbers.map((it) => recordOf(it));

describe('a load', () => {
  test('tells whether the account is new, and what its collection has before and after', async () => {
    expect(await load(writer, {}, records(1, 2))).toEqual({ accountIsNew: true, before: 0, after: 2 });
    expect(await load(writer, {}, records(2, 3))).toEqual({ accountIsNew: false, before: 2, after: 3 });
    const other = { collection: 'contactImports' } as const;
    expect(await load(writer, other, records(1))).toEqual({ accountIsNew: false, before: 0, after: 1 });
    expect(await load(writer, { replace: true }, records(4))).toEqual({ accountIsNew: false, before: 3, after: 1 });
    expect(await held()).toEqual([4]);
  });

  test('of nothing makes the account, and takes all away where it replaces', async () => {
    expect(await load(writer, {})).toEqual({ accountIsNew: true, before: 0, after: 0 });
    expect(await load(writer, {}, [], records(1, 2))).toEqual({ accountIsNew: false, before: 0, after: 2 });
    expect(await load(writer, {}, [])).toEqual({ accountIsNew: false, before: 2, after: 2 });
    expect(await load(writer, { replace: true })).toEqual({ accountIsNew: false, before: 2, after: 0 });
    expect(await held()).toEqual([]);
  });

  test('that replaces leaves other accounts and collections as they are', async () => {
    await load(writer, { account: 'other' }, records(1, 2));
    await load(writer, { collection: 'contactImports' }, records(1));
    await load(writer, {}, records(1, 2));
    await load(writer, { replace: true }, records(3));
    expect([await held(), await held('other')]).toEqual([[3], [1, 2]]);
    expect(await textsOf('contactImports')).toEqual([recordOf(1).json]);
  });

  test.each([false, true])('keeps the last of equal ids, in one batch or in several (replace: %s)', async (replace) => {
    const version = (number: number, text: string): CheckedRecord =>
      recordOf(number, { json: JSON.stringify(text), createdUs: BigInt(text.length * 10 - number), filter: text });
    await load(writer, {}, [version(1, 'held')]);
    const batches = [
      [version(1, 'first'), version(2, 'second'), version(1, 'again')],
      [version(2, 'to go')],
      [version(2, 'last'), version(3, 'alone'), version(1, 'end')],
    ];
    const { after } = await load(writer, { replace }, ...batches);
    expect(after).toBe(3);
    expect(await textsOf()).toEqual(['"alone"', '"last"', '"end"']);
  });

  test.each([
    ['newer', 1n],
    ['older', -1n],
  ])('keeps the last of equal ids where it is the %s', async (_, by) => {
    const versions = [0n, 1n, 2n].map((it) => recordOf(1, { json: `"${String(it)}"`, createdUs: 1000n + by * it }));
    expect(await load(writer, {}, versions)).toEqual({ accountIsNew: true, before: 0, after: 1 });
    expect(await textsOf()).toEqual(['"2"']);
  });

  test('of thousands of records is as they are', async () => {
    const numbers = Array.from({ length: 5000 }, (_, at) => at + 1);
    const shuffled = numbers.map((it) => ((it * 1237) % 5003) % 5000).map((it) => it + 1);
    const batches = Array.from({ length: 5 }, (_, at) => records(...shuffled.slice(at * 1000, (at + 1) * 1000)));
    const { after } = await load(writer, {}, ...batches);
    expect(after).toBe(new Set(shuffled).size);
    expect(await held()).toEqual([...new Set(shuffled)].sort((a, b) => a - b));
  });

  test.each([false, true])(
    'whose source throws is not there at all, and the next one is (replace: %s)',
    async (replace) => {
      await load(writer, {}, records(1));
      const error = new Error('The source ends here.');
      const options = { replace, schemaHash: HASHES.automations };
      // eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
      const broken = async function* (): AsyncGenerator<readonly CheckedRecord[]> {
        yield records(1, 2);
        yield records(3);
        throw error;
      };
      for (const account of ['main', 'new']) {
        await expect(writer.load(account, 'automations', broken(), options)).rejects.toBe(error);
      }
      expect(await held()).toEqual([1]);
      expect(await load(writer, { account: 'new' }, records(4))).toEqual({ accountIsNew: true, before: 0, after: 1 });
      expect(await load(writer, { replace }, records(5))).toMatchObject({ before: 1 });
    },
  );

  test('at the same time as another is one of the two, whole', async () => {
    const [one, two] = [records(1, 2, 3), records(3, 4)];
    await Promise.all([load(writer, { replace: true }, one), load(writer, { replace: true }, two)]);
    expect([
      [1, 2, 3],
      [3, 4],
    ]).toContainEqual(await held());
    await Promise.all([
      load(writer, {}, records(5)),
      load(writer, {}, records(6)),
      load(writer, { account: 'b' }, one),
    ]);
    expect(await held()).toEqual(expect.arrayContaining([3, 5, 6]));
    expect(await held('b')).toEqual([1, 2, 3]);
  });

  test('of records of another contract is rejected before it is read, unless it replaces all there are', async () => {
    await load(writer, {}, records(1));
    let hasRead = false;
    // eslint-disable-next-line @typescript-eslint/require-await -- a load takes an async source
    const source = async function* (): AsyncGenerator<readonly CheckedRecord[]> {
      hasRead = true;
      yield records(2);
    };
    const add = { replace: false, schemaHash: OTHERS.automations };
    const rejected = expect.objectContaining({
      constructor: StoreError,
      message: expect.stringMatching(
        /^The automations in \S+ were checked against another version of the contract and must be checked again\. Back up the database, then run: rollcall db upgrade --db \S+$/,
      ),
    });
    await expect(writer.load('main', 'automations', source(), add)).rejects.toEqual(rejected);
    expect(hasRead).toBe(false);
    const others = { hashes: OTHERS, replace: true };
    await expect(load(writer, { ...others, account: 'other' }, records(2))).rejects.toEqual(rejected);
    expect(await held()).toEqual([1]);
    expect(await load(writer, { ...others, collection: 'contactImports' }, records(2))).toMatchObject({ after: 1 });
    expect(await load(writer, others, records(2))).toMatchObject({ before: 1, after: 1 });
    await expect(load(writer, {}, records(3))).rejects.toEqual(rejected);
  });
});

describe('a removal', () => {
  test('of records tells the ids that the account does not have', async () => {
    await load(writer, {}, records(1, 2, 3));
    await load(writer, { account: 'other' }, records(4));
    await load(writer, { collection: 'contactImports' }, records(5));
    const gone = await writer.remove('main', 'automations', [5, 1, 4, 3, 9].map(idOf));
    expect(gone).toEqual([5, 4, 9].map(idOf));
    expect([await held(), await held('other')]).toEqual([[2], [4]]);
    expect(await textsOf('contactImports')).toHaveLength(1);
    expect(await writer.remove('nobody', 'automations', [idOf(2)])).toEqual([idOf(2)]);
    expect(await writer.remove('main', 'automations', [])).toEqual([]);
    expect(await held()).toEqual([2]);
  });

  test('of an account takes its records and keys, and nobody else’s', async () => {
    await load(writer, {}, records(1));
    await load(writer, { account: 'other' }, records(1));
    const [account] = [await accountOf(sides), await accountOf(sides, 'other')];
    expect(await writer.removeAccount('main')).toBe(true);
    expect(await writer.removeAccount('main')).toBe(false);
    expect((await store.list(account, 'automations', { limit: 1 }))?.items).toEqual([]);
    expect((await writer.listKeys()).map((it) => it.account)).toEqual(['other']);
    expect(await held('other')).toEqual([1]);
    expect(await load(writer, {})).toEqual({ accountIsNew: true, before: 0, after: 0 });
    expect(await held()).toEqual([]);
  });
});

describe('keys', () => {
  const at = (second: number): string => `2026-01-01T00:00:0${String(second)}.000Z`;

  test('are listed oldest first, as they were created and revoked', async () => {
    const made = { account: 'main', label: "Ünï; 'label'" };
    expect(await writer.listKeys()).toEqual([]);
    expect(await writer.createKey({ ...made, id: 'b', createdAt: at(2) }, keyHash('b'))).toEqual({
      accountIsNew: true,
    });
    const first = { ...made, id: 'a', createdAt: at(1), expiresAt: at(9) };
    expect(await writer.createKey(first, keyHash('a'))).toEqual({ accountIsNew: false });
    expect(await writer.createKey({ ...first, account: 'z', id: 'c' }, keyHash('c'))).toEqual({ accountIsNew: true });
    const all = [
      { ...first, revokedAt: null },
      { ...first, account: 'z', id: 'c', revokedAt: null },
      { ...made, id: 'b', createdAt: at(2), expiresAt: null, revokedAt: null },
    ];
    expect(await writer.listKeys()).toEqual(all);
    expect(await writer.revokeKey('b', at(5))).toEqual(all[2]);
    const revoked = { ...all[2], revokedAt: at(5) };
    expect(await writer.revokeKey('b', at(6))).toEqual(revoked); // The first time stays.
    expect(await writer.listKeys()).toEqual([all[0], all[1], revoked]);
    expect(await writer.revokeKey('unknown', at(5))).toBeUndefined();
  });

  test('that two revoke at once are revoked once: the other is told when', async () => {
    await writer.createKey({ id: 'k', account: 'main', label: '', createdAt: at(1) }, keyHash('k'));
    const told = await Promise.all([at(5), at(6)].map(async (it) => (await writer.revokeKey('k', it))?.revokedAt));
    const [key] = await writer.listKeys();
    expect(new Set(told)).toEqual(new Set([null, key?.revokedAt]));
    expect([at(5), at(6)]).toContain(key?.revokedAt);
  });

  test('come and go while a load does', async () => {
    const seen: unknown[] = [];
    const batches = async function* (): AsyncGenerator<readonly CheckedRecord[]> {
      yield records(1);
      seen.push(await writer.createKey({ id: 'k', account: 'main', label: '', createdAt: at(1) }, keyHash('k')));
      seen.push(await writer.revokeKey('k', at(2)));
      yield records(2);
    };
    const options = { replace: false, schemaHash: HASHES.automations };
    expect(await writer.load('main', 'automations', batches(), options)).toMatchObject({ after: 2 });
    expect(seen).toEqual([{ accountIsNew: true }, expect.objectContaining({ id: 'k', revokedAt: null })]);
    expect(await store.authenticate(keyHash('k'))).toBeUndefined();
    expect(await held()).toEqual([1, 2]);
  });
});
